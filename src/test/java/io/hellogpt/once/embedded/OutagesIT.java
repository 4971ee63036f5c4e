package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.ops.InstanceHealth;
import io.hellogpt.once.ops.RequestSender;
import io.hellogpt.once.ops.RequestStory;
import io.hellogpt.once.ops.verify.Report;
import io.hellogpt.once.ops.verify.Verdict;
import io.hellogpt.once.ops.verify.Verifier;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is away, nothing is lost: requests that come meanwhile say what they wait for, in their status and in the log, and
 * commit once it is back.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutagesIT {
    private static final Duration SEEN = Duration.ofSeconds(60);
    private static final Duration BACK = Duration.ofMinutes(3);

    private Stack stack;
    private EndingWatch endings;

    @BeforeAll
    void start(@TempDir Path dir) {
        stack = Stack.create(dir, new StackSettings(1, 2, 50, 0));
        stack.start(what -> {});
        endings = EndingWatch.start(stack.config());
    }

    @AfterAll
    void verify() throws Exception {
        try {
            endings.close();
            Report report = Verifier.verify(StackEvidence.read(stack, 0));
            assertThat(report.result()).as(report.table()).isEqualTo(Verdict.Result.HELD);
        } finally {
            stack.close();
        }
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    @Test
    void aKeyThatIsRefusedPausesDispatchInsteadOfFailingRequests() throws Exception {
        faults("{\"unauthorized\":1.0}");
        List<String> ids = submit();
        awaitStory(ids.getFirst(), "401");
        await().atMost(SEEN)
                .untilAsserted(() -> assertThat(String.join("\n", InstanceHealth.ask(instance())))
                        .contains("not ready")
                        .contains("401"));
        assertThat(log("instance-1")).contains("PAUSED_UNAUTHORIZED");

        faults("{}");
        awaitCommitted(ids);
    }

    @Test
    void aModelThatIsDownIsWaitedFor() throws Exception {
        stack.model().kill();
        List<String> ids = submit();
        awaitStory(ids.getFirst(), "CALL_FAILED");

        stack.model().start();
        awaitCommitted(ids);
    }

    @Test
    void aLedgerThatIsDownIsWaitedFor() throws Exception {
        stack.database().stop();
        List<String> ids = submit();
        awaitStory(ids.getFirst(), "no outcome yet");
        await().atMost(SEEN).untilAsserted(() -> assertThat(log("worker")).contains("ledger"));

        stack.database().start();
        awaitCommitted(ids);
    }

    @Test
    void aConnectWorkerThatIsDownIsWaitedFor() throws Exception {
        stack.worker().kill();
        List<String> ids = submit();
        awaitStory(ids.getFirst(), "is the connector running?");

        stack.worker().start();
        awaitCommitted(ids);
    }

    @Test
    void aBrokerThatIsRestartedLosesNothing() throws Exception {
        List<String> ids = submit();
        stack.broker().kill();
        stack.broker().start();
        awaitCommitted(ids);
        awaitCommitted(submit());
    }

    private List<String> submit() {
        List<String> ids = IntStream.range(0, 5)
                .mapToObj(i -> "outage-" + UUID.randomUUID())
                .toList();
        ids.forEach(endings::sent);
        List<ModelRequest> requests = RequestSender.parse(
                        stack.config(), ids.stream().map(OutagesIT::contract).toList())
                .requests();
        assertThat(requests).hasSameSizeAs(ids);
        RequestSender.Sent sent =
                RequestSender.send(stack.config(), requests, RequestSender.Format.avro, acknowledged -> {});
        assertThat(sent.failures()).isEmpty();
        return ids;
    }

    private static String contract(String id) {
        return """
                {"request_id":"%s","model":"m","input":"a contract","policy":"declared","effects":[{"name":"sign",\
                "route":"sign","payload":{},"pointers":{"/document":"/choices/0/message/content"}}]}""".formatted(id);
    }

    private void awaitStory(String id, String words) {
        await().atMost(SEEN)
                .pollInterval(Duration.ofSeconds(1))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(story(id)).contains(words));
    }

    /** Every request sent so far has ended, and none as failed. */
    private void awaitCommitted(List<String> ids) {
        await().atMost(BACK).untilAsserted(() -> {
            LoadReport report = endings.report(0, Duration.ZERO);
            assertThat(report.isComplete()).as("all of %s", ids).isTrue();
            assertThat(report.failed()).isZero();
        });
    }

    private String story(String id) {
        return String.join("\n", RequestStory.read(stack.config(), id).tell(Instant.now()));
    }

    private URI instance() {
        return URI.create(stack.instances().getFirst().address());
    }

    private String log(String part) throws IOException {
        return Files.readString(stack.logs().resolve(part + ".log"));
    }

    private void faults(String json) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create(stack.model().address() + "/admin/faults"))
                            .POST(HttpRequest.BodyPublishers.ofString(json))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
        }
    }
}
