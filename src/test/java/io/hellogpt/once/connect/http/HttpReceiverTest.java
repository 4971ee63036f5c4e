package io.hellogpt.once.connect.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.Receiver;
import io.hellogpt.once.connect.Receivers;
import io.hellogpt.once.connect.Routes;
import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.ledger.Ask;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.connect.receiver.Alerts;
import io.hellogpt.once.connect.receiver.EffectReceiver;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpReceiverTest {
    private static final Recovery KEYED =
            new Recovery.Keyed("Idempotency-Key", false, Duration.ofHours(1), Duration.ofMinutes(1));
    private static final Recovery OPAQUE = new Recovery.Opaque(false);
    private static final Effect EFFECT = Effects.of("r-1", 1, "signing", 1);

    private Receiver receiver;

    @BeforeEach
    void open() throws IOException {
        receiver = new Receiver();
    }

    @AfterEach
    void close() {
        receiver.close();
    }

    @Test
    void theReferenceIsTheLocation() throws Exception {
        receiver.then(Receiver.status(201, "{\"id\":7}", "Location", "/envelopes/7"));

        assertThat(execute(receiver.url() + "/{effect_id}", KEYED, Duration.ofSeconds(5))
                        .reference())
                .contains("/envelopes/7");
        assertThat(receiver.calls().getFirst().path()).isEqualTo("/r-1%3A0.1");
        assertThat(receiver.calls().getFirst().header("Idempotency-Key")).isEqualTo("r-1:0.1");
        assertThat(receiver.calls().getFirst().header("Authorization")).isEqualTo("Bearer t0ken");
        assertThat(receiver.calls().getFirst().header("X-Tenant")).isEqualTo("a");
    }

    @Test
    void aRedirectIsNotFollowed() throws Exception {
        receiver.then(Receiver.status(307, "", "Location", receiver.url() + "/elsewhere"));

        assertThat(execute(receiver.url(), OPAQUE, Duration.ofSeconds(5)).result())
                .isEqualTo(Result.FAILED);
        assertThat(receiver.calls()).hasSize(1);
    }

    @Test
    void aConnectionThatBreaksIsInDoubtAndTheClientRepeatsNothing() throws Exception {
        receiver.then(exchange -> exchange.close());

        assertThat(execute(receiver.url(), OPAQUE, Duration.ofSeconds(5)).result())
                .isEqualTo(Result.UNKNOWN);
        assertThat(receiver.calls()).hasSize(1);
    }

    @Test
    void nobodyListeningMeansCertainlyNotSent() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }

        Verdict verdict = execute("http://localhost:" + port, OPAQUE, Duration.ofSeconds(5));

        assertThat(verdict.result()).isEqualTo(Result.RETRYABLE);
        assertThat(verdict.inDoubt()).isFalse();
    }

    @Test
    void anAnswerThatDoesNotComeInTimeIsInDoubt() throws Exception {
        receiver.then(exchange -> {});

        assertThat(execute(receiver.url(), OPAQUE, Duration.ofMillis(200)).result())
                .isEqualTo(Result.UNKNOWN);
    }

    @Test
    void aBodyThatNeverEndsIsInDoubtAsWell() throws Exception {
        receiver.then(exchange -> {
            exchange.sendResponseHeaders(200, 500);
            exchange.getResponseBody().write("{".getBytes());
            exchange.getResponseBody().flush();
        });

        assertThat(execute(receiver.url(), OPAQUE, Duration.ofMillis(300)).result())
                .isEqualTo(Result.UNKNOWN);
    }

    @Test
    void aHugeBodyIsCutAndTheStatusDecides() throws Exception {
        receiver.then(Receiver.status(200, "x".repeat(5_000_000)));

        assertThat(execute(receiver.url(), OPAQUE, Duration.ofSeconds(5)).result())
                .isEqualTo(Result.SUCCEEDED);
    }

    @Test
    void anOversizePayloadIsRefusedUnsent() throws Exception {
        Effect big = Effects.of(EFFECT.id(), "signing", 1, "x".repeat(2_000));

        Verdict verdict = execute(big, receiver.url(), OPAQUE, Duration.ofSeconds(5));

        assertThat(verdict.result()).isEqualTo(Result.FAILED);
        assertThat(receiver.calls()).isEmpty();
    }

    private static Verdict execute(String url, Recovery recovery, Duration timeout) throws InterruptedException {
        return execute(EFFECT, url, recovery, timeout);
    }

    private static Verdict execute(Effect effect, String url, Recovery recovery, Duration timeout)
            throws InterruptedException {
        Route.Http plain = Routes.http("signing", recovery, url);
        Route.Http route = new Route.Http(
                "signing",
                recovery,
                new Route.Endpoint("POST", url, List.of(Map.entry("X-Tenant", "a"))),
                new Route.Access(
                        new Route.Credentials.Bearer("t0ken"),
                        Optional.empty(),
                        plain.access().network()),
                new Route.Limits(Duration.ofSeconds(2), timeout, 1_000, 1_000, 8_000, 1),
                plain.contract());
        Ask ask = Ask.of(effect, recovery);
        try (EffectReceiver http = Receivers.open(route, Alerts.toLog(), Clock.systemUTC())) {
            return http.execute(new Claim.Execute(ask, 1, false, ask.body()));
        }
    }
}
