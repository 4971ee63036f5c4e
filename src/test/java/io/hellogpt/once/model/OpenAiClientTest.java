package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.embedded.SimulatedModelConfig;
import io.hellogpt.once.embedded.SimulatedModelFault;
import io.hellogpt.once.embedded.SimulatedModelFaults;
import io.hellogpt.once.embedded.SimulatedModelServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The client against a server that speaks the protocol, over real HTTP. */
class OpenAiClientTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOOLS =
            "{\"max_tokens\":40,\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"sign\","
                    + "\"parameters\":{\"type\":\"object\",\"properties\":{\"party\":{\"type\":\"string\"}}}}}]}";

    @TempDir
    Path dir;

    private SimulatedModelServer server;
    private ModelClient client;

    @BeforeEach
    void start() throws Exception {
        server = SimulatedModelServer.start(SimulatedModelConfig.logging(dir.resolve("calls.jsonl")));
        client = client(Map.of());
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void anAnswerIsKeptByteForByteWithItsUsageAndCost() throws Exception {
        Answer answer = client.complete(call("contract-1", "{\"max_tokens\":40}"));

        JsonNode body = JSON.readTree(answer.body());
        assertThat(body.at("/choices/0/message/content").asText()).startsWith("Contract No.");
        assertThat(answer.usage().outputTokens()).isEqualTo(40);
        assertThat(answer.usage().inputTokens())
                .isEqualTo(body.at("/usage/prompt_tokens").asLong());
        assertThat(answer.cost())
                .isEqualTo(new Cost(answer.usage().inputTokens() * 150 + 40 * 600, "USD", "example-1"));
        assertThat(answer.providerRequestId()).contains(body.path("id").asText());
        assertThat(answer.model()).isEqualTo("gpt-test");
        assertThat(answer.provider()).isEqualTo("127.0.0.1");
        assertThat(answer.bodySha256())
                .isEqualTo(log().getFirst().path("body_sha256").asText());
    }

    @Test
    void parametersSentAreTheRequestsOwnOverTheDefaultsAndHoldNoMessages() throws Exception {
        client.close();
        client = client(Map.of("temperature", "0.2", "seed", "7", "max.tokens", "9"));

        Answer answer = client.complete(call("contract-1", "{\"seed\":8,\"stream\":true,\"model\":\"other\"}"));

        assertThat(JSON.readTree(answer.parametersSent()))
                .isEqualTo(JSON.readTree("{\"model\":\"gpt-test\",\"temperature\":0.2,\"seed\":8,\"max_tokens\":9}"));
        assertThat(answer.usage().outputTokens()).isEqualTo(9);
    }

    @Test
    void theServerSeesTheRequestIdAndTheAttempt() throws Exception {
        client.complete(Calls.call("contract-7", 3, soon()));

        assertThat(log().getFirst().path("request_id").asText()).isEqualTo("contract-7");
        assertThat(log().getFirst().path("attempt").asInt()).isEqualTo(3);
    }

    @Test
    void twoCallsForOneRequestGiveTwoAnswers() throws Exception {
        Answer first = client.complete(call("contract-1", "{}"));
        Answer second = client.complete(call("contract-1", "{}"));

        assertThat(second.bodySha256()).isNotEqualTo(first.bodySha256());
        assertThat(log()).hasSize(2);
    }

    @Test
    void toolsAreAnsweredByToolCallsMintedAnew() throws Exception {
        Answer answer = client.complete(call("contract-1", TOOLS));

        JsonNode choice = JSON.readTree(answer.body()).at("/choices/0");
        assertThat(choice.path("finish_reason").asText()).isEqualTo("tool_calls");
        assertThat(choice.at("/message/tool_calls/0/function/name").asText()).isEqualTo("sign");
        assertThat(JSON.readTree(choice.at("/message/tool_calls/0/function/arguments")
                                .asText())
                        .has("party"))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "UNAUTHORIZED, UNAUTHORIZED",
        "RATE_LIMITED, RETRYABLE",
        "SERVER_ERROR, RETRYABLE",
        "REJECTED, REJECTED",
        "TRUNCATED, RETRYABLE",
        "CUT_JSON, RETRYABLE",
        "REFUSED, REJECTED",
        "TOO_LARGE, TOO_LARGE"
    })
    void everyFaultHasItsKind(SimulatedModelFault fault, CallError.Kind expected) throws Exception {
        server.misbehave(SimulatedModelFaults.NONE.with(fault, 1.0));

        CallError error = failure(call("contract-1", "{}"));

        assertThat(error.kind()).isEqualTo(expected);
        assertThat(error.message()).doesNotContain("Draw up");
        assertThat(log()).as("the client does not retry").hasSize(1);
        assertThat(log().getFirst().path("fault").asText()).isEqualToIgnoringCase(fault.name());
    }

    @Test
    void aRateLimitCarriesItsRetryAfter() {
        server.misbehave(new SimulatedModelFaults(
                Map.of(SimulatedModelFault.RATE_LIMITED, 1.0), Duration.ofSeconds(17), Duration.ofMinutes(1)));

        assertThat(failure(call("contract-1", "{}")).retryAfter()).contains(Duration.ofSeconds(17));
    }

    @Test
    void aServerThatHangsIsGivenUpAtTheDeadline() {
        server.misbehave(SimulatedModelFaults.NONE.with(SimulatedModelFault.TIMEOUT, 1.0));

        CallError error = failure(Calls.call("contract-1", 1, Instant.now().plusMillis(300)));

        assertThat(error.kind()).isEqualTo(CallError.Kind.RETRYABLE);
        assertThat(error.message()).contains("deadline");
    }

    @Test
    void aServerThatIsAwayIsWorthAnotherAttempt() {
        server.close();

        assertThat(failure(call("contract-1", "{}")).kind()).isEqualTo(CallError.Kind.RETRYABLE);
    }

    @Test
    void aMissingKeyIsTheAccountsFaultNotTheRequests() {
        client.close();
        client = client(Map.of("api.key.file", dir.resolve("none").toString()));

        assertThat(failure(call("contract-1", "{}")).kind()).isEqualTo(CallError.Kind.UNAUTHORIZED);
    }

    @Test
    void aKeyNoHeaderCanCarryIsNotQuoted() throws Exception {
        Path file = Files.writeString(dir.resolve("key"), "first\nsecret");
        client.close();
        client = client(Map.of("api.key.file", file.toString()));

        CallError error = failure(call("contract-1", "{}"));

        assertThat(error.kind()).isEqualTo(CallError.Kind.UNAUTHORIZED);
        assertThat(error.message()).doesNotContain("secret");
    }

    private ModelClient client(Map<String, String> more) {
        Map<String, String> config =
                new HashMap<>(Map.of("base.url", server.baseUrl().toString()));
        config.putAll(more);
        return new OpenAiClientFactory().create(config);
    }

    private static ModelCall call(String id, String parameters) {
        return Calls.call(id, 1, soon(), parameters);
    }

    private static Instant soon() {
        return Instant.now().plusSeconds(30);
    }

    private CallError failure(ModelCall call) {
        return catchThrowableOfType(ModelCallException.class, () -> client.complete(call))
                .error();
    }

    private List<JsonNode> log() throws Exception {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(dir.resolve("calls.jsonl"))) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }
}
