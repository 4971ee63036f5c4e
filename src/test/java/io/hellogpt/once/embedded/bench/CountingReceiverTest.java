package io.hellogpt.once.embedded.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.webserver.WebServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CountingReceiverTest {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final WebServer server = CountingReceiver.start(0);

    @AfterEach
    void stop() {
        server.stop();
    }

    @Test
    void callsAndKeysAreCountedApart() throws Exception {
        assertThat(effect("\"a\"")).isEqualTo(204);
        assertThat(effect("\"a\"")).isEqualTo(204);
        assertThat(effect("\"b\"")).isEqualTo(204);

        assertThat(count()).isEqualTo("3 2");
    }

    @Test
    void aCallWithoutAKeyIsRefusedAndNotCounted() throws Exception {
        assertThat(send(at(CountingReceiver.EFFECTS).POST(BodyPublishers.ofString("{}"))))
                .isEqualTo(400);

        assertThat(count()).isEqualTo("0 0");
    }

    private int effect(String key) throws IOException, InterruptedException {
        return send(at(CountingReceiver.EFFECTS)
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString("{\"signer\":\"legal@example.com\"}")));
    }

    private int send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    private String count() throws IOException, InterruptedException {
        return http.send(at(CountingReceiver.COUNT).GET().build(), BodyHandlers.ofString())
                .body();
    }

    private HttpRequest.Builder at(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }
}
