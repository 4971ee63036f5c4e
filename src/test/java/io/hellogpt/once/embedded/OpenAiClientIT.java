package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.ops.verify.Evidence;
import io.hellogpt.once.ops.verify.Report;
import io.hellogpt.once.ops.verify.Verdict;
import io.hellogpt.once.ops.verify.Verifier;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * An unchanged client of OpenAI's API with another base URL: however often it has to ask, there is one snapshot and one bill. Its base
 * URL leads to whichever instance takes the connection, as behind a load balancer.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OpenAiClientIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private Stack stack;
    private Front front;

    @BeforeAll
    void start(@TempDir Path dir) throws Exception {
        OpenAiNode.assumeInstalled("OpenAiClientIT");
        stack = Stack.create(dir.resolve("stack"), new StackSettings(2, 2, 3_000, 0));
        stack.start(what -> {});
        front = new Front(stack.instances().stream()
                .map(instance -> URI.create(instance.address()).getPort())
                .toList());
    }

    @AfterAll
    void stop() throws Exception {
        if (stack != null) {
            front.close();
            stack.close();
        }
    }

    private static String key() {
        return "chat-" + UUID.randomUUID();
    }

    @Test
    @Order(1)
    void aStreamAndAWholeAnswerUnderOneKeyAreTheSame() throws Exception {
        String key = key();

        JsonNode stream =
                OpenAiNode.ask(front.address(), key, "stream", "a lease").answer();
        JsonNode whole =
                OpenAiNode.ask(front.address(), key, "whole", "a lease").answer();

        assertThat(whole.path("content").asText())
                .isNotEmpty()
                .isEqualTo(stream.path("content").asText());
        assertThat(whole.path("id")).isEqualTo(stream.path("id"));
        assertThat(stream.at("/usage/total_tokens").asInt()).isPositive();
        assertThat(stream.path("chunks").asInt()).isGreaterThan(2);
        assertThat(whole.path("tries").asInt()).isOne();
    }

    @Test
    @Order(2)
    void aConnectionThatBreaksIsMadeAgainByTheClientAndNothingIsAskedTwice() throws Exception {
        String key = key();
        OpenAiNode.Asked asked = OpenAiNode.ask(front.address(), key, "whole", "an offer");
        awaitStatus(key, "GENERATING");

        front.breakAll();

        JsonNode answer = asked.answer();
        assertThat(answer.path("content").asText()).as(answer.toString()).isNotEmpty();
        assertThat(answer.path("tries").asInt()).isGreaterThan(1);
        assertThat(callsOf(key)).isOne();
    }

    @Test
    @Order(3)
    void otherContentUnderTheSameKeyIsTheClientsError() throws Exception {
        String key = key();
        OpenAiNode.ask(front.address(), key, "whole", "one").answer();

        JsonNode refused =
                OpenAiNode.ask(front.address(), key, "whole", "other").answer();

        assertThat(refused.path("error").asText()).isEqualTo("UnprocessableEntityError");
        assertThat(refused.path("code").asText()).isEqualTo("conflict");
        assertThat(refused.path("tries").asInt()).isOne();
    }

    @Test
    @Order(4)
    void anInstanceThatIsKilledIsReplacedByTheOtherOne() throws Exception {
        String key = key();
        OpenAiNode.Asked asked = OpenAiNode.ask(front.address(), key, "stream", "a contract");
        awaitStatus(key, "GENERATING");

        stack.instances().getFirst().kill();

        JsonNode answer = asked.answer();
        assertThat(answer.path("content").asText()).as(answer.toString()).isNotEmpty();
        assertThat(answer.path("tries").asInt()).isGreaterThan(1);
        JsonNode again =
                OpenAiNode.ask(front.address(), key, "whole", "a contract").answer();
        assertThat(again.path("content")).isEqualTo(answer.path("content"));
        stack.instances().getFirst().start();
    }

    @Test
    @Order(5)
    void thereIsOneSnapshotAndOneBillForEach() throws Exception {
        // Chats have no effects but their bills: no receiver was called, and so none has begun a log.
        assertThat(stack.receiversLog()).doesNotExist();
        Files.createFile(stack.receiversLog());
        await().atMost(PATIENCE).untilAsserted(() -> {
            Evidence evidence = StackEvidence.read(stack, 1);
            Report report = Verifier.verify(evidence);
            assertThat(report.result()).as(report.table()).isEqualTo(Verdict.Result.HELD);
        });
    }

    private void awaitStatus(String id, String status) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> status(id).contains("\"status\":\"" + status + "\""));
    }

    private String status(String id) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(
                                            stack.instances().getLast().address() + "/v1/requests/" + id))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    /** By the model's own log. */
    private long callsOf(String id) throws Exception {
        try (var lines = Files.lines(stack.modelLog())) {
            return lines.filter(line -> line.contains(id)).count();
        }
    }
}
