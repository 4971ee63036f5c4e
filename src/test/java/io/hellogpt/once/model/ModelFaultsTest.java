package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.RequestId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a model server can do to us, over real sockets, and what the journal and the gateway say of it. */
class ModelFaultsTest {
    private static final int LIMIT = 100_000;
    private static final long FLOOD = 50L * 1024 * 1024;
    /** What sockets, the kernel and the client have in hand when the client hangs up. */
    private static final long ON_THE_WAY = 16L * 1024 * 1024;

    private final MemoryJournal journal = new MemoryJournal();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @TempDir
    Path dir;

    private ScriptedServer server;
    private Gateway gateway;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        Files.writeString(dir.resolve("key"), "first-key");
        Map<String, String> config = Map.of(
                "base.url",
                server.baseUrl(),
                "api.key.file",
                dir.resolve("key").toString(),
                "snapshot.max.bytes",
                Integer.toString(LIMIT));
        gateway = new Gateway(
                "i",
                ModelClients.assemble("openai", config, meters, Clock.systemUTC()),
                journal,
                GatewayRig.settings(CallLimits.slots(4)),
                Clock.systemUTC());
        new GatewayMeters(gateway).bindTo(meters);
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        server.close();
    }

    @Test
    void tooManyRequestsAreRetriedAfterAsLongAsTheServerSays() {
        server.reply = ScriptedServer.status("429 Too Many Requests", "Retry-After: 17\r\n", "{}");
        CallError error = called("a");

        assertThat(error.kind()).isEqualTo(CallError.Kind.RETRYABLE);
        assertThat(error.retryAfter()).contains(Duration.ofSeconds(17));
    }

    @Test
    void retryAfterMayBeADate() {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                Instant.now().plusSeconds(100).atOffset(ZoneOffset.UTC));
        server.reply = ScriptedServer.status("503 Service Unavailable", "Retry-After: " + date + "\r\n", "");

        assertThat(called("a").retryAfter())
                .hasValueSatisfying(
                        asked -> assertThat(asked).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(100)));
    }

    @Test
    void anInternalErrorIsRetried() {
        server.reply = ScriptedServer.status("500 Internal Server Error", "", "<html>no JSON</html>");

        assertThat(called("a").kind()).isEqualTo(CallError.Kind.RETRYABLE);
    }

    @Test
    void aServerThatNeverAnswersIsGivenUpAtTheDeadlineAndHungUpOn() {
        server.reply = ScriptedServer.silence();
        start("a", Instant.now().plusMillis(300));

        assertThat(errorOf(0).message()).contains("deadline");
        assertThat(errorOf(0).kind()).isEqualTo(CallError.Kind.RETRYABLE);
        GatewayRig.await(() -> server.hungUp.get() == 1);
    }

    @Test
    void aServerThatStopsInTheMiddleIsGivenUpAtTheDeadline() {
        server.reply = ScriptedServer.text("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"choices\"");
        start("a", Instant.now().plusMillis(300));

        assertThat(errorOf(0).kind()).isEqualTo(CallError.Kind.RETRYABLE);
        GatewayRig.await(() -> server.hungUp.get() == 1);
    }

    @Test
    void aBodyThatBreaksOffIsRetried() {
        server.reply = new ScriptedServer.Last(
                ScriptedServer.text("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"choices\":["));

        assertThat(called("a").kind()).isEqualTo(CallError.Kind.RETRYABLE);
    }

    @Test
    void aBodyOfHalfAnAnswerIsRetried() {
        server.reply = ScriptedServer.ok("{\"choices\":[{\"message\":{\"content\":\"ye");

        assertThat(called("a").kind()).isEqualTo(CallError.Kind.RETRYABLE);
    }

    @Test
    void aKeyRefusedForEverythingStopsDispatchUntilARenewedOneIsProbed() throws Exception {
        server.reply = ScriptedServer.status("401 Unauthorized", "", "{\"error\":{\"code\":\"invalid_api_key\"}}");
        assertThat(called("a").kind()).isEqualTo(CallError.Kind.UNAUTHORIZED);

        assertThat(gateway.status().state()).isEqualTo(GatewayStatus.State.PAUSED_UNAUTHORIZED);
        assertThat(meters.get("once.gateway.dispatching").gauge().value()).isZero();
        for (int i = 0; i < 1_000; i++) {
            assertThat(gateway.reserve(0, GatewayRig.demand())).isFalse();
        }
        assertThat(server.calls).as("requests wait").hasValue(1);

        Files.writeString(dir.resolve("key"), "second-key");
        server.reply = ScriptedServer.ok("{\"choices\":[{\"message\":{\"content\":\"yes\"}}]}");
        GatewayRig.await(() -> gateway.reserve(0, GatewayRig.demand()));
        gateway.start(0, Calls.call("b", 1, Instant.now().plusSeconds(30)));
        GatewayRig.await(() -> gateway.status().dispatching());
        assertThat(meters.get("once.gateway.dispatching").gauge().value()).isEqualTo(1);
    }

    @Test
    void fiftyMegabytesAreNeitherKeptNorReadToTheEnd() {
        server.reply = new ScriptedServer.Last(server.flood(FLOOD));
        CallError error = called("a");

        assertThat(error.kind()).isEqualTo(CallError.Kind.TOO_LARGE);
        assertThat(error.message()).contains("snapshot.max.bytes=" + LIMIT);
        GatewayRig.await(() -> server.hungUp.get() == 1);
        assertThat(server.written.get()).isLessThan(ON_THE_WAY);
    }

    @Test
    void fiftyMegabytesOfErrorAreNotReadEither() {
        server.reply = new ScriptedServer.Last(out -> {
            out.write("HTTP/1.1 500 Oh\r\nConnection: close\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            server.flood(FLOOD).send(out);
        });

        assertThat(called("a").kind()).isEqualTo(CallError.Kind.RETRYABLE);
        GatewayRig.await(() -> server.hungUp.get() == 1);
        assertThat(server.written.get()).isLessThan(ON_THE_WAY);
    }

    @Test
    void aCancelledCallIsHungUpOnAndItsSlotIsFree() {
        server.reply = ScriptedServer.silence();
        assertThat(gateway.reserve(0, GatewayRig.demand())).isTrue();
        gateway.start(0, Calls.call("a", 1, Instant.now().plusSeconds(30)));
        GatewayRig.await(() -> server.calls.get() == 1);
        gateway.cancel(new RequestId("a"));

        GatewayRig.await(() -> server.hungUp.get() == 1);
        GatewayRig.await(() -> gateway.status().slotsTaken() == 0);
        assertThat(journal.records()).isEmpty();
    }

    private CallError called(String id) {
        start(id, Instant.now().plusSeconds(30));
        return errorOf(0);
    }

    private void start(String id, Instant deadline) {
        assertThat(gateway.reserve(0, GatewayRig.demand())).isTrue();
        gateway.start(0, Calls.call(id, 1, deadline));
        GatewayRig.await(() -> gateway.status().slotsTaken() == 0);
    }

    private CallError errorOf(int index) {
        return ((JournalRecord.CallFailed) journal.records().get(index)).error();
    }
}
