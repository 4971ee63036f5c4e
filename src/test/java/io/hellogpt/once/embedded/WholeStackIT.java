package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.hellogpt.once.api.Chromium;
import io.hellogpt.once.api.access.TokenFile;
import io.hellogpt.once.connect.Gate;
import io.hellogpt.once.connect.Receiver;
import io.hellogpt.once.core.TraceContext;
import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.OnceRunner;
import io.hellogpt.once.ops.tracing.Collector;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** From the client to the receiver and back: an instance, a broker, a worker with the connector, a database, all of them real. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WholeStackIT {
    private static final Receiver.Answer ANSWER = Receiver.status(
            200,
            "{\"choices\":[{\"message\":{\"content\":\"yes\"}}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}",
            "Content-Type",
            "application/json");
    private static final String CALLER = "00f067aa0ba902b7";

    private final StackClient client = new StackClient();
    private Path dir;
    private EffectRig rig;
    private Receiver model;
    private Collector collector;
    private int instances;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        dir = directory;
        rig = new EffectRig(dir);
        model = new Receiver();
        collector = new Collector();
        Files.writeString(dir.resolve("tokens"), """
                sender %s submit,read
                operator %s read,operate
                """.formatted(TokenFile.hash("sender"), TokenFile.hash("operator")));
    }

    @AfterAll
    void stop() throws IOException {
        collector.close();
        model.close();
        rig.close();
        client.close();
    }

    /** An instance that has nothing but what stands in the topics. */
    private OnceRunner instance(Map<String, String> more) {
        Map<String, String> settings = new TreeMap<>(Map.ofEntries(
                Map.entry("bootstrap.servers", rig.broker.address()),
                Map.entry("application.id", "whole"),
                Map.entry("model.client", "openai"),
                Map.entry("model.openai.base.url", model.url() + "/v1"),
                Map.entry("model.retry.backoff.base.ms", "10"),
                Map.entry("effect.retry.backoff.base.ms", "10"),
                Map.entry("billing.route", EffectRig.BILLING),
                Map.entry("num.stream.threads", "1"),
                Map.entry("shutdown.drain.timeout", "1s"),
                Map.entry("http.port", "0"),
                Map.entry("http.tokens.file", dir.resolve("tokens").toString()),
                Map.entry("state.dir", dir.resolve("state-" + instances++).toString())));
        settings.putAll(more);
        OnceRunner once = OnceRunner.start(OnceConfig.of(settings));
        Awaitility.await()
                .atMost(EffectRig.BOUND)
                .until(() -> client.get(once, "/health/ready", "").statusCode() == 200);
        return once;
    }

    @Test
    void aTraceGoesFromTheClientThroughModelAndReceiverToTheCollector() throws Exception {
        String trace = traceId();
        String id = "traced-" + UUID.randomUUID();
        model.then(Receiver.status(503, "")).then(ANSWER);
        rig.receiver.then(Receiver.status(503, ""));
        try (OnceRunner once = instance(Map.of("tracing.otlp.endpoint", collector.endpoint()))) {
            HttpResponse<String> answer = client.submit(
                    once,
                    id,
                    EffectRig.KEYED,
                    "traceparent",
                    "00-%s-%s-01".formatted(trace, CALLER),
                    "tracestate",
                    "a=b");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }

        List<Collector.Told> spans = collector.await(trace);
        assertThat(spans)
                .extracting(Collector.Told::name)
                .containsExactlyInAnyOrder(
                        "receive",
                        "chat m",
                        "chat m",
                        "decide",
                        "effect billing",
                        "effect keyed",
                        "effect keyed",
                        "commit",
                        "request");
        Collector.Told request = named(spans, "request").getFirst();
        assertThat(request.parent()).isEqualTo(CALLER);
        assertThat(request.service()).isEqualTo("whole");
        // Whom we call is told of the very span that stands for the call.
        assertThat(spanIds(model.calls(), trace)).isEqualTo(ids(named(spans, "chat m")));
        assertThat(spanIds(received(id), trace)).isEqualTo(ids(named(spans, "effect keyed")));
        assertThat(received(id)).extracting(call -> call.header("tracestate")).containsOnly("a=b");
        assertThat(endingOf(id)).contains("00-%s-%s-01".formatted(trace, request.id()));
    }

    /** The first instance dies with the call; the next one knows the trace from the request's state, and makes no spans. */
    @Test
    void aTraceOutlivesTheInstanceAndNeedsNoCollector() throws Exception {
        String parent = "00-%s-%s-01".formatted(traceId(), CALLER);
        String id = "outlived-" + UUID.randomUUID();
        Gate gate = new Gate();
        model.then(gate.before(ANSWER)).then(ANSWER);
        try (OnceRunner once = instance(Map.of())) {
            client.post(once, id, EffectRig.KEYED, "traceparent", parent);
            Awaitility.await()
                    .atMost(EffectRig.BOUND)
                    .until(() -> !modelCalls(id).isEmpty());
        }
        gate.open();

        try (OnceRunner once = instance(Map.of())) {
            client.awaitStatus(once, id, "COMMITTED");
        }

        assertThat(modelCalls(id))
                .hasSize(2)
                .extracting(call -> call.header("traceparent"))
                .containsOnly(parent);
        assertThat(received(id))
                .hasSize(1)
                .extracting(call -> call.header("traceparent"))
                .containsOnly(parent);
        assertThat(endingOf(id)).contains(parent);
        assertThat(collector.of(parent.substring(3, 35))).isEmpty();
    }

    /** The receiver reads the request and hangs up; whether it has acted nobody can know but by asking there. */
    @Test
    void anUnknownEffectIsResolvedInTheConsoleWithTheKeyboardAlone(@TempDir Path profile) throws Exception {
        Chromium.assumeInstalled("WholeStackIT");
        String id = "unknown-" + UUID.randomUUID();
        model.then(ANSWER);
        rig.receiver.then(HttpExchange::close);
        try (OnceRunner once = instance(Map.of());
                Chromium browser = Chromium.start(profile, "en-US")) {
            client.post(once, id, EffectRig.OPAQUE);
            client.awaitStatus(once, id, "HELD");
            assertThat(client.effect(once, id)).isEqualTo("UNKNOWN");
            browser.window(1280, 900);
            browser.open(StackClient.uri(once, "/").toString());
            browser.until("!document.getElementById('login')?.hidden && document.activeElement.id === 'token'");
            browser.type("operator");
            browser.press("Enter");
            browser.until("!document.getElementById('console').hidden");
            browser.evaluate("document.getElementById('find').focus()");
            browser.type(id);
            browser.press("Enter");
            String button = "do-succeeded-" + id + ":0.1";
            browser.until("document.getElementById('%s')?.disabled === false".formatted(button));

            // First without a reason, which the page does not send.
            tabTo(browser, button);
            assertThat(browser.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                            .asText())
                    .as("the focus can be seen")
                    .isEqualTo("solid");
            browser.press("Enter");
            browser.until("document.getElementById('answer').innerText === 'Say why first.'");
            assertThat(browser.evaluate("document.activeElement.id").asText()).isEqualTo("reason");
            browser.type("the signature is in their archive");
            tabTo(browser, button);
            browser.press("Enter");

            browser.until("document.getElementById('answer').innerText === 'Succeeded: applied.'");
            browser.until("document.querySelector('#facts .status').innerText === 'committed'");
            browser.until("document.getElementById('do-retry').disabled");
            assertThat(browser.text("#verbs-why")).contains("has ended");
            assertThat(browser.text("#timeline")).contains("the signature is in their archive", "by operator");
            assertThat(client.effect(once, id)).isEqualTo("SUCCEEDED");
            assertThat(browser.complaints())
                    .filteredOn(each -> !each.contains("401"))
                    .isEmpty();
        }
        assertThat(received(id)).as("nothing is sent again").hasSize(1);
    }

    private static void tabTo(Chromium browser, String element) {
        for (int i = 0; i < 400; i++) {
            if (browser.evaluate("document.activeElement.id").asText().equals(element)) {
                return;
            }
            browser.press("Tab");
        }
        throw new AssertionError("no way to " + element + " with the key Tab");
    }

    private List<Receiver.Call> modelCalls(String id) {
        return model.calls().stream()
                .filter(call -> id.equals(call.header("X-Client-Request-Id")))
                .toList();
    }

    private List<Receiver.Call> received(String id) {
        return rig.receiver.calls().stream()
                .filter(call -> id.equals(call.header("X-Request-Id")))
                .toList();
    }

    /** The traceparent of the record that ends a request. */
    private Optional<String> endingOf(String id) {
        List<String> parents = new ArrayList<>();
        OnceConfig config = OnceConfig.of(Map.of("bootstrap.servers", rig.broker.address()));
        try (CommittedReader reader = new CommittedReader(config.reader())) {
            reader.readAll(reader.partitions("committed-results"), record -> {
                if (new String(record.key(), StandardCharsets.UTF_8).equals(id)) {
                    parents.add(new String(
                            record.headers().lastHeader("traceparent").value(), StandardCharsets.UTF_8));
                }
            });
        }
        return parents.stream().findFirst();
    }

    private static String traceId() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private static List<Collector.Told> named(List<Collector.Told> spans, String name) {
        return spans.stream().filter(span -> span.name().equals(name)).toList();
    }

    private static List<String> ids(List<Collector.Told> spans) {
        return spans.stream().map(Collector.Told::id).sorted().toList();
    }

    /** Below which spans of a trace the calls were made. */
    private static List<String> spanIds(List<Receiver.Call> calls, String trace) {
        return calls.stream()
                .flatMap(call -> Optional.ofNullable(call.header("traceparent")).stream())
                .flatMap(parent -> TraceContext.read(parent, Optional.empty()).stream())
                .filter(parent -> parent.traceId().equals(trace))
                .map(TraceContext::spanId)
                .sorted()
                .toList();
    }
}
