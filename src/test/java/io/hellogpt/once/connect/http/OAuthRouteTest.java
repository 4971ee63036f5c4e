package io.hellogpt.once.connect.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.Attempts;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.Receiver;
import io.hellogpt.once.connect.Routes;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OAuthRouteTest {
    private static final Effect EFFECT = Effects.of("r-1", 1, "r", 1);

    private Receiver receiver;
    private Receiver tokens;

    @BeforeEach
    void open() throws IOException {
        receiver = new Receiver();
        tokens = new Receiver();
    }

    @AfterEach
    void close() {
        receiver.close();
        tokens.close();
    }

    @Test
    void oneTokenServesManyCalls() throws Exception {
        tokens.then(token("t-1"));
        List<Callable<Verdict>> calls;
        try (Attempts attempts = attempts();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            calls = IntStream.range(0, 20)
                    .<Callable<Verdict>>mapToObj(i -> () -> attempts.execute(Effects.of("r-" + i, 1, "r", 1)))
                    .toList();

            for (Future<Verdict> call : threads.invokeAll(calls)) {
                assertThat(call.get().result()).isEqualTo(Result.SUCCEEDED);
            }
        }

        assertThat(tokens.calls()).hasSize(1);
        assertThat(tokens.calls().getFirst().body()).isEqualTo("grant_type=client_credentials&scope=effects+sign");
        assertThat(tokens.calls().getFirst().header("Authorization")).isEqualTo("Basic " + base64("id:s%2Fcret"));
        assertThat(receiver.calls())
                .hasSize(20)
                .allMatch(call -> call.header("Authorization").equals("Bearer t-1"));
    }

    @Test
    void aRefusedTokenIsRenewedOnce() throws Exception {
        tokens.then(token("old")).then(token("new"));
        receiver.then(Receiver.status(401, ""));

        try (Attempts attempts = attempts()) {
            assertThat(attempts.execute(EFFECT).result()).isEqualTo(Result.SUCCEEDED);
        }

        assertThat(receiver.calls())
                .extracting(call -> call.header("Authorization"))
                .containsExactly("Bearer old", "Bearer new");
        assertThat(receiver.calls())
                .extracting(call -> call.header("Idempotency-Key"))
                .containsOnly("\"r-1:0.1\"");
    }

    @Test
    void aTokenRefusedAgainIsARefusal() throws Exception {
        tokens.then(token("old")).then(token("new"));
        receiver.then(Receiver.status(401, "")).then(Receiver.status(401, ""));

        try (Attempts attempts = attempts()) {
            assertThat(attempts.execute(EFFECT).result()).isEqualTo(Result.FAILED);
        }

        assertThat(receiver.calls()).hasSize(2);
        assertThat(tokens.calls()).hasSize(2);
    }

    @Test
    void otherStatusesRenewItWhereTheRouteSaysSo() throws Exception {
        tokens.then(token("old")).then(token("new"));
        receiver.then(Receiver.status(403, ""));

        try (Attempts attempts = attempts("auth.refresh.on", "401,403")) {
            assertThat(attempts.execute(EFFECT).result()).isEqualTo(Result.SUCCEEDED);
        }
    }

    @Test
    void withoutATokenNothingIsSentAndTheEndpointIsLeftInPeace() throws Exception {
        tokens.then(Receiver.status(500, ""));

        try (Attempts attempts = attempts()) {
            for (int i = 0; i < 5; i++) {
                Verdict verdict = attempts.execute(EFFECT);
                assertThat(verdict.result()).isEqualTo(Result.RETRYABLE);
                assertThat(verdict.inDoubt()).isFalse();
                assertThat(verdict.detail()).contains("token endpoint answered HTTP 500");
            }
        }

        assertThat(receiver.calls()).isEmpty();
        assertThat(tokens.calls()).hasSize(1);
    }

    @Test
    void aTokenEndpointThatHangsMeansNothingWasSent() throws Exception {
        tokens.then(exchange -> {});

        try (Attempts attempts = attempts("timeout.ms", "300")) {
            Verdict verdict = attempts.execute(EFFECT);

            assertThat(verdict.result()).isEqualTo(Result.RETRYABLE);
            assertThat(verdict.inDoubt()).isFalse();
        }
        assertThat(receiver.calls()).isEmpty();
    }

    @Test
    void theSecretCanGoIntoTheBody() throws Exception {
        tokens.then(token("t"));

        try (Attempts attempts = attempts("auth.client.auth", "body")) {
            attempts.execute(EFFECT);
        }

        assertThat(tokens.calls().getFirst().header("Authorization")).isNull();
        assertThat(tokens.calls().getFirst().body()).endsWith("&client_id=id&client_secret=s%2Fcret");
    }

    private Attempts attempts(String... more) {
        String[] settings = {
            "class", "KEYED",
            "key.window.ms", "3600000",
            "url", receiver.url(),
            "auth.type", "oauth2",
            "auth.token.url", tokens.url() + "/token",
            "auth.client.id", "id",
            "auth.client.secret", "s/cret",
            "auth.scope", "effects sign"
        };
        return new Attempts(
                Routes.of(Stream.concat(Stream.of(settings), Stream.of(more)).toArray(String[]::new)));
    }

    private static Receiver.Answer token(String value) {
        return Receiver.status(
                200, "{\"access_token\":\"" + value + "\",\"token_type\":\"Bearer\",\"expires_in\":3600}");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
