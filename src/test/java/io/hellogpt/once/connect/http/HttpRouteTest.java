package io.hellogpt.once.connect.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.Attempts;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.Receiver;
import io.hellogpt.once.connect.Routes;
import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.connect.receiver.Alerts.Alert;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.TraceContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the client must not do on its own, and what a receiver can say beyond yes and no. */
class HttpRouteTest {
    private static final Effect EFFECT = Effects.of("r-1", 1, "r", 1);

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
    void aReceiverThatIsGoneClosesItsRoute() throws Exception {
        receiver.then(Receiver.status(410, ""));

        try (Attempts attempts = opaque()) {
            assertThat(attempts.execute(EFFECT).result()).isEqualTo(Result.FAILED);
            Verdict next = attempts.execute(Effects.of("r-2", 1, "r", 1));

            assertThat(next.result()).isEqualTo(Result.RETRYABLE);
            assertThat(next.inDoubt()).isFalse();
            assertThat(next.retryAfter()).contains(Duration.ofMinutes(1));
            assertThat(attempts.alerts()).containsExactly(Alert.ROUTE_CLOSED);
        }
        assertThat(receiver.calls()).hasSize(1);
    }

    @Test
    void aKeyUsedForOtherContentIsABugThatAlerts() throws Exception {
        receiver.then(Receiver.status(422, ""));

        try (Attempts attempts =
                new Attempts(Routes.of("class", "KEYED", "key.window.ms", "3600000", "url", receiver.url()))) {
            Verdict verdict = attempts.execute(EFFECT);

            assertThat(verdict.result()).isEqualTo(Result.FAILED);
            assertThat(verdict.detail()).contains("other content");
            assertThat(attempts.alerts()).containsExactly(Alert.KEY_REUSED);
        }
    }

    /** The send timed out after the receiver had queued it: that the probe finds it does not say that it was carried out. */
    @Test
    void whatAProbeFindsAwaitsItsCallbackAndIsStillInDoubtWhenThatIsOverdue() throws Exception {
        receiver.then(Receiver.status(200, "", "Location", "/jobs/7"));
        receiver.then(Receiver.status(200, ""));

        try (Attempts attempts = probeable("callback.timeout.ms", "60000")) {
            Verdict found = attempts.execute(EFFECT, true);
            Verdict overdue = attempts.execute(Effects.probe(EFFECT, 2), true);

            assertThat(found.result()).as(found.detail()).isEqualTo(Result.AWAITING_CALLBACK);
            assertThat(found.retryAfter()).contains(Duration.ofSeconds(60));
            assertThat(found.reference()).contains("/jobs/7");
            assertThat(overdue.result()).as(overdue.detail()).isEqualTo(Result.RETRYABLE);
            assertThat(overdue.inDoubt()).isTrue();
        }
        assertThat(receiver.calls()).hasSize(2).allMatch(call -> call.method().equals("GET"));
    }

    /** The first was accepted, the third was cut off: the probe finds one of them, and a callback may be about either. */
    @Test
    void whatIsFoundAfterSeveralSendsNeedNotBeAllThereIs() throws Exception {
        receiver.then(Receiver.status(200, "")).then(Receiver.status(200, ""));

        try (Attempts attempts = probeable("callback.timeout.ms", "60000")) {
            assertThat(attempts.execute(Effects.again(EFFECT, 2), true).inDoubt())
                    .isFalse();
            assertThat(attempts.execute(Effects.again(EFFECT, 4), true).inDoubt())
                    .isTrue();
        }
    }

    @Test
    void whatAProbeFindsWithoutACallbackToComeIsDone() throws Exception {
        receiver.then(Receiver.status(200, ""));

        try (Attempts attempts = probeable()) {
            assertThat(attempts.execute(EFFECT, true).result()).isEqualTo(Result.SUCCEEDED);
        }
    }

    /** A route whose headers just fit must not begin to refuse because somebody traces. */
    @Test
    void theTraceIsHandedOnWithEveryRequestOnTopOfTheRoutesLimit() throws Exception {
        TraceContext trace = new TraceContext(
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", Optional.of("a=" + "b".repeat(500)));
        receiver.then(Receiver.status(404, "")).then(Receiver.status(200, ""));

        try (Attempts attempts = probeable("header.max.bytes", "1024", "headers", "X-Much: " + "x".repeat(800))) {
            Verdict verdict = attempts.execute(EFFECT.traced(Optional.of(trace)), true);

            assertThat(verdict.result()).as(verdict.detail()).isEqualTo(Result.SUCCEEDED);
        }
        assertThat(receiver.calls()).extracting(Receiver.Call::method).containsExactly("GET", "POST");
        assertThat(receiver.calls()).allSatisfy(call -> {
            assertThat(call.header("traceparent")).isEqualTo(trace.traceparent());
            assertThat(call.header("tracestate")).isEqualTo(trace.tracestate().orElseThrow());
        });
    }

    @Test
    void retryAfterMayBeADate() throws Exception {
        receiver.then(Receiver.status(503, "", "Retry-After", "Fri, 31 Dec 2100 23:59:59 GMT"));

        try (Attempts attempts = opaque()) {
            Verdict verdict = attempts.execute(EFFECT);

            assertThat(verdict.result()).isEqualTo(Result.RETRYABLE);
            assertThat(verdict.retryAfter()).contains(Duration.ofDays(1));
        }
    }

    @Test
    void anAddressThatIsNotPublicIsNotConnectedTo() throws Exception {
        String url = receiver.url().replace("localhost", "127.0.0.1");

        try (Attempts attempts = new Attempts(Routes.of("class", "OPAQUE", "url", url, "private.addresses", "false"))) {
            Verdict verdict = attempts.execute(EFFECT);

            assertThat(verdict.result()).isEqualTo(Result.RETRYABLE);
            assertThat(verdict.inDoubt()).isFalse();
            assertThat(verdict.detail()).contains("127.0.0.1").contains("private.addresses");
            assertThat(attempts.alerts()).containsExactly(Alert.ADDRESS_REFUSED);
        }
        assertThat(receiver.calls()).isEmpty();
    }

    @Test
    void aResponseWithHugeHeadersIsInDoubt() throws Exception {
        receiver.then(Receiver.status(200, "", "X-Much", "x".repeat(20_000)));

        try (Attempts attempts = opaque()) {
            assertThat(attempts.execute(EFFECT).result()).isEqualTo(Result.UNKNOWN);
        }
    }

    @Test
    void headersOverTheLimitAreNotSent() throws Exception {
        try (Attempts attempts = new Attempts(Routes.of(
                "class",
                "OPAQUE",
                "url",
                receiver.url(),
                "header.max.bytes",
                "1024",
                "headers",
                "X-Much: " + "x".repeat(1_000)))) {
            Verdict verdict = attempts.execute(EFFECT);

            assertThat(verdict.result()).isEqualTo(Result.FAILED);
            assertThat(verdict.detail()).contains("1024");
        }
        assertThat(receiver.calls()).isEmpty();
    }

    /** The connection from the pool breaks when the second request is on it; a client that retries would send it again. */
    @Test
    void aRequestOnAConnectionThatBreaksIsNotSentAgain() throws Exception {
        List<String> requests = new CopyOnWriteArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Attempts attempts = new Attempts(Routes.of(
                        "class",
                        "PROBEABLE",
                        "method",
                        "PUT",
                        "url",
                        "http://localhost:" + server.getLocalPort() + "/{effect_id}",
                        "probe.url",
                        "http://localhost:" + server.getLocalPort() + "/{effect_id}"))) {
            Thread.ofVirtual().start(() -> answerOnlyTheFirst(server, requests));

            assertThat(attempts.execute(EFFECT).result()).isEqualTo(Result.SUCCEEDED);
            Verdict broken = attempts.execute(Effects.of("r-2", 1, "r", 1));

            assertThat(broken.result()).isEqualTo(Result.RETRYABLE);
            assertThat(broken.inDoubt()).isTrue();
        }
        assertThat(requests).containsExactly("PUT /r-1%3A0.1 HTTP/1.1", "PUT /r-2%3A0.1 HTTP/1.1");
    }

    private static void answerOnlyTheFirst(ServerSocket server, List<String> requests) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                requests.add(request(in));
                if (requests.size() == 1) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    requests.add(request(in));
                }
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static String request(BufferedReader in) throws IOException {
        String first = in.readLine();
        int length = 0;
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
            if (line.toLowerCase().startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        in.skip(length);
        return first;
    }

    private Attempts probeable(String... more) {
        List<String> settings = new ArrayList<>(
                List.of("class", "PROBEABLE", "url", receiver.url(), "probe.url", receiver.url() + "/{effect_id}"));
        settings.addAll(List.of(more));
        return new Attempts(Routes.of(settings.toArray(String[]::new)));
    }

    private Attempts opaque() {
        return new Attempts(Routes.http("r", new Recovery.Opaque(false), receiver.url()));
    }
}
