package io.hellogpt.once.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.RequestState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The console of two instances on a real broker, in a real browser. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleIT {
    private static final String LEASE = "{\"model\":\"m\",\"input\":\"a lease\"}";
    private static final String SIGNED = """
            {"model":"m","input":"a lease","policy":"declared","effects":[{"name":"sign","route":"sign","payload":{"who":"ada"}}]}""";
    private static final int PHONE = 375;

    @TempDir
    private Path profile;

    private ApiRig rig;
    private Chromium browser;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        Chromium.assumeInstalled("ConsoleIT");
        rig = ApiRig.start(directory, List.of(Map.of(), Map.of()));
    }

    @AfterAll
    void stop() {
        if (rig != null) {
            rig.close();
        }
    }

    @BeforeEach
    void open() throws IOException {
        browser = Chromium.start(profile, "en-US");
        browser.window(1280, 900);
    }

    @AfterEach
    void shut() {
        browser.close();
    }

    private static String id(String kind) {
        return kind + "-" + UUID.randomUUID();
    }

    private void signIn(String token) {
        browser.open(rig.request(0, "/", "").build().uri().toString());
        browser.until("!document.getElementById('login')?.hidden && document.activeElement.id === 'token'");
        browser.type(token);
        browser.press("Enter");
        browser.until("!document.getElementById('console').hidden");
    }

    private void find(String id) {
        browser.evaluate("document.getElementById('find').focus()");
        browser.evaluate("document.getElementById('find').select()");
        browser.type(id);
        browser.press("Enter");
        browser.until("document.getElementById('request-title').innerText === '%s'".formatted(id));
    }

    private void live() {
        browser.until("document.getElementById('link').innerText === 'live'");
    }

    /** Nothing but what the browser says of an answer that is a refusal on purpose. */
    private void assertNoComplaints() {
        assertThat(browser.complaints())
                .filteredOn(each -> !each.contains("401"))
                .isEmpty();
    }

    @Test
    void aRequestIsFoundAndWatchedUntilItCommits() throws Exception {
        signIn("reader");
        live();
        String id = id("lease");
        rig.submit(1, id, SIGNED);
        browser.until("[...document.querySelectorAll('#requests .id')].some((each) => each.innerText === '%s')"
                .formatted(id));
        find(id);
        browser.until("document.querySelector('#facts .status')?.innerText === 'effects being carried out'");
        rig.produce(id, SIGNED);
        rig.outcome(rig.said(id + ":0.1", 1, Result.SUCCEEDED, Optional.empty()));

        browser.until("document.querySelector('#facts .status').innerText === 'committed'");
        browser.until("document.querySelectorAll('#timeline [data-type=DUPLICATE]').length === 1");
        String story = browser.text("#timeline");
        assertThat(story)
                .contains("Accepted", "Effect issued", id + ":0.1", "Effect outcome", "Committed", "Came again");
        browser.until("document.querySelector('#requests [aria-current] .again')?.innerText === '1× again'");
        browser.until("Number(document.querySelector('#count-committed dd').innerText) > 0");
        assertThat(browser.text("#count-duplicates")).contains("Duplicates");
        assertThat(browser.evaluate("document.querySelectorAll('#instances tbody tr').length")
                        .asInt())
                .isEqualTo(2);
        assertThat(browser.text("#latency")).contains("p95", "total");
        assertNoComplaints();
    }

    @Test
    void whatCannotBeDoneIsRefusedAndTheAnswerShown() throws Exception {
        String id = id("refused");
        rig.submit(0, id, SIGNED);
        rig.awaitStatus(id, "ACKNOWLEDGED");
        signIn("operator");
        find(id);
        browser.until("document.getElementById('do-retry')?.disabled === false");
        browser.evaluate("document.getElementById('reason').value = 'to see what happens'");

        browser.click("#do-retry");

        browser.until("document.getElementById('answer').innerText.startsWith('Retry: refused.')");
        assertThat(browser.text("#answer")).contains("its effects are being carried out");
    }

    @Test
    void aTokenThatMayOnlyReadSeesWhyItsButtonsDoNothing() {
        String id = id("reader");
        rig.submit(0, id, SIGNED);
        rig.awaitStatus(id, "ACKNOWLEDGED");
        signIn("reader");
        find(id);

        browser.until("document.getElementById('do-cancel')?.disabled");
        assertThat(browser.text("#verbs-why")).contains("does not have the role operate");
        assertThat(browser.evaluate("document.getElementById('payload').disabled")
                        .asBoolean())
                .isTrue();
        assertThat(browser.text("#payload-why")).contains("role payload");
    }

    @Test
    void promptAndPayloadsAreShownToTheRoleAlone() {
        String id = id("payload");
        rig.submit(0, id, SIGNED);
        rig.awaitStatus(id, "ACKNOWLEDGED");
        signIn("auditor");
        find(id);
        browser.until("document.getElementById('payload').disabled === false");
        assertThat(browser.text("body")).doesNotContain("ada");

        browser.click("#payload");

        browser.until("document.getElementById('content').innerText.includes('\"who\": \"ada\"')");
    }

    @Test
    void aTokenThatIsNotKnownIsToldSoAndKeptNowhereElse() {
        browser.open(rig.request(0, "/", "").build().uri().toString());
        browser.until("document.activeElement.id === 'token'");
        browser.type("guessed");
        browser.press("Enter");

        browser.until("document.getElementById('login-why').innerText.includes('not known')");
        assertThat(browser.evaluate("Object.keys(localStorage).length").asInt()).isZero();
        assertThat(browser.evaluate("document.cookie").asText()).isEmpty();
    }

    @Test
    void whatProducersWriteStaysText() throws Exception {
        String id = id("markup");
        rig.submit(0, id, SIGNED);
        rig.awaitStatus(id, "ACKNOWLEDGED");
        rig.post(
                0,
                "/v1/requests/" + id + "/cancel",
                "operator",
                "{\"reason\":\"<img src=x onerror=alert(1)>\"}",
                "Prefer",
                "wait=30");
        signIn("reader");
        find(id);

        browser.until("document.getElementById('timeline').innerText.includes('<img src=x onerror=alert(1)>')");
        assertThat(browser.evaluate("document.querySelectorAll('img').length").asInt())
                .isZero();
        find("<b>no id</b>");
        browser.until("document.getElementById('request-problem').innerText !== ''");
        assertThat(browser.evaluate("document.querySelectorAll('#request-title b').length")
                        .asInt())
                .isZero();
        // And if it did become HTML, it would run nothing: the policy says so to the browser.
        assertThat(browser.evaluate(
                                "(() => { try { document.body.innerHTML = '<i>'; return 'set'; } catch (e) { return e.name; } })()")
                        .asText())
                .isEqualTo("TypeError");
    }

    @Test
    void itSpeaksChineseAndFitsAPhone() throws Exception {
        String id = id("zh");
        rig.submit(0, id, SIGNED);
        rig.awaitStatus(id, "ACKNOWLEDGED");
        browser.window(PHONE, 800);
        signIn("operator");
        find(id);
        browser.until("document.querySelectorAll('#timeline li').length > 1");

        browser.click("#language");

        browser.until("document.documentElement.lang === 'zh-CN'");
        assertThat(browser.text("#recent-title")).isEqualTo("最近的请求");
        assertThat(browser.text("body")).contains("去重命中率", "最近 N 个 request_id 的去重状态", "副作用已发出");
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .as("nothing to scroll sideways")
                .isLessThanOrEqualTo(PHONE);
        assertThat(browser.evaluate("[...document.querySelectorAll('button')].filter((each) => each.offsetParent)"
                                + ".every((each) => each.offsetHeight >= 44)")
                        .asBoolean())
                .as("buttons for fingers")
                .isTrue();
        Files.write(Path.of("target/console-375.png"), browser.picture());
        browser.window(1280, 900);
        browser.click("#language");
        browser.until("document.documentElement.lang === 'en'");
        Files.write(Path.of("target/console.png"), browser.picture());
    }

    @Test
    void bothLanguagesHaveAllWords() {
        signIn("reader");
        JsonNode words = browser.evaluate(
                "import('/console/words.js').then(({ WORDS }) => {"
                        + " const names = (part, path) => Object.entries(part).flatMap(([name, value]) =>"
                        + " typeof value === 'object' ? names(value, path + name + '.') : [path + name]);"
                        + " return Object.fromEntries(Object.entries(WORDS).map(([language, all]) => [language, names(all, '')])); })");
        JsonNode used =
                browser.evaluate("[...document.querySelectorAll('[data-word]')].map((each) => each.dataset.word)");
        List<String> english = strings(words.path("en"));

        assertThat(strings(words.path("zh"))).containsExactlyInAnyOrderElementsOf(english);
        assertThat(english).containsAll(strings(used));
        for (LifecycleEvent.Type type : LifecycleEvent.Type.values()) {
            assertThat(english).contains("events." + type);
        }
        for (RequestState.Status status : RequestState.Status.values()) {
            assertThat(english).contains("states." + status);
        }
    }

    private static List<String> strings(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    @Test
    void aBrowserInChineseIsMetInChinese() throws IOException {
        browser.close();
        browser = Chromium.start(Files.createDirectories(profile.resolve("zh")), "zh-CN");
        browser.open(rig.request(0, "/", "").build().uri().toString());

        browser.until("document.getElementById('login') && document.documentElement.lang === 'zh-CN'");
        browser.until("document.querySelector('#login h2').innerText === '登录'");
    }

    @Test
    void withoutAStreamItAsksAgainAndAgainUntilTheStreamIsBack() {
        signIn("reader");
        live();
        browser.evaluate(
                "window.realFetch = window.fetch; window.fetch = (url, options) =>"
                        + " String(url).includes('/v1/stream') ? Promise.reject(new TypeError('cut')) : window.realFetch(url, options)");
        // Hidden and seen again, the page opens its stream anew, and now cannot.
        browser.evaluate("(() => { Object.defineProperty(document, 'hidden', { value: true, configurable: true });"
                + " document.dispatchEvent(new Event('visibilitychange')); delete document.hidden;"
                + " document.dispatchEvent(new Event('visibilitychange')); })()");
        browser.until("document.getElementById('link').innerText.startsWith('no live stream')");
        String id = id("polled");
        rig.submit(0, id, LEASE);
        browser.until("[...document.querySelectorAll('#requests li')].some((each) => each.innerText.includes('%s')"
                        .formatted(id)
                + " && each.innerText.includes('committed'))");

        browser.evaluate("window.fetch = window.realFetch");

        live();
    }

    @Test
    void theOverviewSumsOverInstancesAndSaysWhoAsks() {
        rig.submit(0, id("sum"), LEASE, "Prefer", "wait=30");

        JsonNode overview = ApiRig.json(rig.get(1, "/v1/overview", "operator"));

        assertThat(overview.at("/caller/name").asText()).isEqualTo("operator");
        assertThat(overview.at("/caller/roles")).hasToString("[\"operate\",\"read\"]");
        assertThat(overview.path("instances")).hasSize(2);
        assertThat(overview.path("complete").asBoolean()).isTrue();
        long sum = 0;
        for (JsonNode instance : overview.path("instances")) {
            sum += instance.at("/figures/requests/accepted").asLong();
        }
        assertThat(overview.at("/total/requests/accepted").asLong())
                .isEqualTo(sum)
                .isPositive();
        assertThat(overview.at("/total/latency/total/count").asLong()).isPositive();
        assertThat(overview.at("/total/latency/total/up_to_seconds").size()).isGreaterThan(10);
        assertThat(rig.get(0, "/v1/overview", "sender").statusCode()).isEqualTo(403);
    }
}
