package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.ModelCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the simulated model cannot be made to say: any status, any header. */
class OpenAiStatusTest {
    private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
    private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());

    @TempDir
    Path dir;

    private HttpServer server;
    private ModelClient client;
    private volatile int status = 200;
    private volatile Map<String, String> headers = Map.of();
    private volatile String body = "{\"choices\":[{\"message\":{\"content\":\"yes\"}}]}";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/chat/completions", this::answer);
        server.start();
        Files.writeString(dir.resolve("key"), "first-key\n");
        client = new OpenAiClientFactory()
                .create(Map.of(
                        "base.url",
                        "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/",
                        "api.key.file",
                        dir.resolve("key").toString(),
                        "snapshot.max.bytes",
                        "1000"));
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        keys.add(exchange.getRequestHeaders().getFirst("Authorization"));
        bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        headers.forEach(exchange.getResponseHeaders()::set);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @ParameterizedTest
    @CsvSource({
        "302, RETRYABLE",
        "400, REJECTED",
        "401, UNAUTHORIZED",
        "402, UNAUTHORIZED",
        "403, UNAUTHORIZED",
        "404, REJECTED",
        "408, RETRYABLE",
        "409, RETRYABLE",
        "422, REJECTED",
        "429, RETRYABLE",
        "500, RETRYABLE",
        "503, RETRYABLE",
        "529, RETRYABLE"
    })
    void everyStatusHasItsKind(int answered, CallError.Kind expected) {
        status = answered;
        body = "{\"error\":{\"code\":\"some_code\",\"message\":\"your prompt was: secret\"}}";

        CallError error = failure();

        assertThat(error.kind()).isEqualTo(expected);
        assertThat(error.message())
                .contains(Integer.toString(answered), "some_code")
                .doesNotContain("secret");
    }

    @Test
    void retryAfterMayBeADate() {
        status = 503;
        headers = Map.of("Retry-After", "Tue, 31 Dec 2999 23:59:59 GMT");

        assertThat(failure().retryAfter()).as("bounded").contains(Duration.ofDays(1));
    }

    @Test
    void aRetryAfterThatCannotBeReadIsNone() {
        status = 503;
        headers = Map.of("Retry-After", "soon");

        assertThat(failure().retryAfter()).isEmpty();
    }

    @Test
    void aRefusalInTheMessageIsARejection() {
        body = "{\"choices\":[{\"message\":{\"content\":null,\"refusal\":\"no\"}}]}";

        assertThat(failure().kind()).isEqualTo(CallError.Kind.REJECTED);
    }

    @Test
    void aBodyWithoutChoicesIsNoAnswer() {
        body = "{\"choices\":[]}";

        assertThat(failure().kind()).isEqualTo(CallError.Kind.RETRYABLE);
    }

    @Test
    void anAnswerOverTheLimitIsTooLargeAndOneAtTheLimitIsNot() throws Exception {
        body = filled(1000);
        assertThat(client.complete(call()).body()).hasSize(1000);

        body = filled(1001);
        assertThat(failure().kind()).isEqualTo(CallError.Kind.TOO_LARGE);
    }

    @Test
    void aRenewedKeyIsUsedWithoutARestart() throws Exception {
        client.complete(call());
        Files.writeString(dir.resolve("key"), "second-key");
        client.complete(call());

        assertThat(keys).containsExactly("Bearer first-key", "Bearer second-key");
    }

    @Test
    void messagesAreSentVerbatimAndNothingIsStreamed() throws Exception {
        client.complete(call());

        assertThat(bodies.getFirst())
                .isEqualTo("{\"model\":\"gpt-test\",\"messages\":"
                        + call().request().messages() + "}");
    }

    private static String filled(int bytes) {
        String start = "{\"choices\":[{\"message\":{\"content\":\"";
        String end = "\"}}]}";
        return start + "x".repeat(bytes - start.length() - end.length()) + end;
    }

    private CallError failure() {
        return catchThrowableOfType(ModelCallException.class, () -> client.complete(call()))
                .error();
    }

    private static ModelCall call() {
        return Calls.call("contract-1", 1, Instant.now().plusSeconds(30));
    }
}
