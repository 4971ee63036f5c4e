package io.hellogpt.once.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.hellogpt.once.api.access.TokenFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients cannot do to the server, over real sockets. */
class ApiServerTest {
    private static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(1);
    private static final Limits LIMITS = new Limits(10_000, 4_096, CLIENT_TIMEOUT, 50);

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger handled = new AtomicInteger();
    private final CountDownLatch gone = new CountDownLatch(1);
    private ApiServer server;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        Path tokens = Files.writeString(directory.resolve("tokens"), """
                sender %s submit
                reader %s read
                late %s submit,read,operate,payload 2020-01-01T00:00:00Z
                """.formatted(
                        TokenFile.hash("sender"), TokenFile.hash("reader"), TokenFile.hash("late")));
        server = server(new TokenFile(tokens, Clock.systemUTC()));
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    private ApiServer server(Access access) {
        Map<Endpoint, Handler> handlers = new EnumMap<>(Endpoint.class);
        for (Endpoint endpoint : Endpoint.values()) {
            handlers.put(endpoint, exchange -> {
                exchange.body();
                handled.incrementAndGet();
                exchange.json(
                        200,
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("caller", exchange.caller().name()));
            });
        }
        handlers.put(Endpoint.EVENTS, exchange -> {
            throw new IllegalStateException("a secret prompt");
        });
        handlers.put(Endpoint.SHOW, exchange -> {
            throw new IntakeGate.Closed(true, "too many wait", Duration.ofSeconds(10))
                    .problem()
                    .asException();
        });
        handlers.put(Endpoint.STREAM, exchange -> {
            Exchange.Pieces pieces = exchange.pieces(200, "text/event-stream");
            byte[] piece = new byte[64 * 1024];
            try {
                while (true) {
                    pieces.send(piece);
                }
            } finally {
                gone.countDown();
            }
        });
        return new ApiServer(new ApiServer.Address("127.0.0.1", 0), LIMITS, access, handlers, pages -> {});
    }

    @Test
    void aTokenWithTheRoleIsLetIn() throws Exception {
        HttpResponse<String> answer = post("/v1/requests", "sender", "{}");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"caller\":\"sender\"");
    }

    @Test
    void anExpiredTokenAnUnknownOneAndNoneAreNotKnown() throws Exception {
        for (String token : new String[] {"late", "unknown", ""}) {
            HttpResponse<String> answer = post("/v1/requests", token, "{}");

            assertThat(answer.statusCode()).as(token).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            assertProblem(answer, "unauthenticated");
        }
        assertThat(handled).hasValue(0);
    }

    @Test
    void theWrongRoleIsForbiddenAndNothingIsDone() throws Exception {
        HttpResponse<String> answer = post("/v1/requests", "reader", "{}");

        assertThat(answer.statusCode()).isEqualTo(403);
        assertProblem(answer, "forbidden");
        assertThat(post("/v1/requests/x/cancel", "sender", "{}").statusCode()).isEqualTo(403);
        assertThat(handled).hasValue(0);
    }

    @Test
    void aBodyOf20MegabytesIsTooLargeWhetherAnnouncedOrNot() throws Exception {
        byte[] large = new byte[20_000_000];
        HttpRequest.BodyPublisher announced = HttpRequest.BodyPublishers.ofByteArray(large);
        HttpRequest.BodyPublisher chunked =
                HttpRequest.BodyPublishers.fromPublisher(HttpRequest.BodyPublishers.ofByteArray(large));

        for (HttpRequest.BodyPublisher body : new HttpRequest.BodyPublisher[] {announced, chunked}) {
            HttpResponse<String> answer = client.send(
                    request("/v1/requests", "sender").POST(body).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(413);
            assertProblem(answer, "too_large");
        }
        assertThat(handled).hasValue(0);
    }

    @Test
    void aClientThatDripsItsBodyIsTimedOut() throws Exception {
        try (Socket drip = connect("POST /v1/requests HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sender\r\n"
                + "Content-Length: 1000\r\n\r\n")) {
            assertThat(answerTo(drip, "x")).startsWith("HTTP/1.1 408");
        }
        assertThat(post("/v1/requests", "sender", "{}").statusCode()).isEqualTo(200);
    }

    @Test
    void aClientThatDripsItsHeadersIsCutOff() throws Exception {
        try (Socket drip = connect("POST /v1/requests HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")) {
            assertThat(answerTo(drip, "x")).doesNotContain("200");
        }
        try (Socket drip = connect("POST /v1/req")) {
            assertThat(answerTo(drip, "x")).doesNotContain("200");
        }
        assertThat(handled).hasValue(0);
    }

    @Test
    void aClientThatBreaksOffInItsBodyHarmsNobody() throws Exception {
        try (Socket broken = connect("POST /v1/requests HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sender\r\n"
                + "Content-Length: 1000\r\n\r\nhalf")) {
            broken.shutdownOutput();
            assertThat(answerTo(broken, "")).doesNotContain("200");
        }
        assertThat(handled).hasValue(0);
        assertThat(post("/v1/requests", "sender", "{}").statusCode()).isEqualTo(200);
    }

    @Test
    void manySlowClientsHarmNobody() throws Exception {
        Socket[] slow = new Socket[40];
        try {
            for (int i = 0; i < slow.length; i++) {
                slow[i] = connect("POST /v1/requests HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
            }
            assertThat(post("/v1/requests", "sender", "{}").statusCode()).isEqualTo(200);
        } finally {
            for (Socket each : slow) {
                each.close();
            }
        }
    }

    @Test
    void aClientThatDoesNotReadItsAnswerIsCutOff() throws Exception {
        try (Socket deaf =
                connect("GET /v1/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer reader\r\n\r\n")) {
            assertThat(deaf.isConnected()).isTrue();
            assertThat(gone.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whatIsNotThereAndWrongMethodsAreProblems() throws Exception {
        HttpResponse<String> nothing = post("/v2/requests", "sender", "{}");
        assertThat(nothing.statusCode()).isEqualTo(404);
        assertProblem(nothing, "not_found");

        HttpResponse<String> wrong =
                client.send(request("/v1/requests", "sender").DELETE().build(), HttpResponse.BodyHandlers.ofString());
        assertThat(wrong.statusCode()).isEqualTo(405);
        assertThat(wrong.headers().firstValue("Allow").orElseThrow())
                .contains("GET")
                .contains("POST");
        assertProblem(wrong, "method_not_allowed");
    }

    @Test
    void anUnforeseenErrorTellsNoSecrets() throws Exception {
        HttpResponse<String> answer =
                client.send(request("/v1/requests/x/events", "reader").build(), HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).doesNotContain("secret prompt");
        assertProblem(answer, "internal");
    }

    @Test
    void whoComesTooEarlyIsToldWhenToComeAgain() throws Exception {
        HttpResponse<String> answer =
                client.send(request("/v1/requests/x", "reader").build(), HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("Retry-After")).contains("10");
        assertProblem(answer, "overloaded");
    }

    @Test
    void longHeadersAreRefused() throws Exception {
        HttpResponse<String> answer = client.send(
                request("/v1/requests", "sender")
                        .header("X-Long", "x".repeat(10_000))
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).isBetween(400, 499);
        assertThat(answer.body()).doesNotContain("xxx");
        assertThat(handled).hasValue(0);
    }

    @Test
    void chatsAreToldOfProblemsInOpenAisShape() throws Exception {
        HttpResponse<String> answer = post("/v1/chat/completions", "unknown", "{}");

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(answer.body()).contains("\"error\":{\"message\":").contains("\"type\":\"authentication_error\"");
    }

    @Test
    void healthAndCallbacksNeedNoToken() throws Exception {
        assertThat(client.send(request("/health/live", "").build(), HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
        assertThat(post("/v1/callbacks/x:0.1", "", "{}").statusCode()).isEqualTo(200);
    }

    @Test
    void noOtherSiteIsAllowedToReadAnswers() throws Exception {
        HttpResponse<String> answer = client.send(
                request("/v1/requests", "sender")
                        .header("Origin", "https://elsewhere.example")
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    }

    @Test
    void withoutTokensAPageFromElsewhereCannotCall() throws Exception {
        try (ApiServer open = server(Access.LOCAL)) {
            assertThat(raw(open, "Host: localhost:" + open.port())).startsWith("HTTP/1.1 200");
            assertThat(raw(open, "Host: rebound.example:" + open.port())).startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void aServerWithoutAHandlerDoesNotStart() {
        assertThatThrownBy(() -> new ApiServer(
                        new ApiServer.Address("127.0.0.1", 0), LIMITS, Access.LOCAL, Map.of(), pages -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SUBMIT");
    }

    @Test
    void aPortInUseIsSaid() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ApiServer.Address address = new ApiServer.Address("127.0.0.1", taken.getLocalPort());
            Map<Endpoint, Handler> handlers = new EnumMap<>(Endpoint.class);
            for (Endpoint endpoint : Endpoint.values()) {
                handlers.put(endpoint, exchange -> {});
            }

            assertThatThrownBy(() -> new ApiServer(address, LIMITS, Access.LOCAL, handlers, pages -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("port " + taken.getLocalPort());
        }
    }

    private static void assertProblem(HttpResponse<String> answer, String slug) {
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(answer.body()).contains("urn:hellogpt-once:problem:" + slug, "\"status\":" + answer.statusCode());
    }

    private HttpResponse<String> post(String path, String token, String body) throws Exception {
        return client.send(
                request(path, token)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(60));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    private Socket connect(String beginning) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.getOutputStream().write(beginning.getBytes(UTF_8));
        return socket;
    }

    /** Sends a byte again and again until there is an answer or the connection is closed. */
    private static String answerTo(Socket socket, String drop) {
        StringBuilder answer = new StringBuilder();
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    try {
                        OutputStream out = socket.getOutputStream();
                        out.write(drop.getBytes(UTF_8));
                        InputStream in = socket.getInputStream();
                        socket.setSoTimeout(50);
                        byte[] some = new byte[4_096];
                        int read = in.read(some);
                        if (read > 0) {
                            answer.append(new String(some, 0, read, UTF_8));
                        }
                        return read != 0;
                    } catch (java.net.SocketTimeoutException nothingYet) {
                        return false;
                    } catch (IOException closed) {
                        return true;
                    }
                });
        return answer.toString();
    }

    private static String raw(ApiServer open, String host) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), open.port())) {
            socket.getOutputStream()
                    .write(("GET /v1/requests HTTP/1.1\r\n" + host + "\r\nConnection: close\r\n\r\n").getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
