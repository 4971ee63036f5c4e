package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hellogpt.once.embedded.chaos.BackOffice.Manner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An instance that believes what is signed as the first callback was, and is out of order for the first call. */
class BackOfficeTest {
    private static final Duration BOUND = Duration.ofSeconds(60);

    @TempDir
    Path dir;

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final List<String> forged = new CopyOnWriteArrayList<>();
    private boolean outOfOrder = true;
    private HttpServer instance;
    private Path orders;
    private BackOffice office;

    @BeforeEach
    void open() throws IOException {
        instance = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        instance.createContext("/v1/callbacks/", this::callback);
        instance.start();
        orders = dir.resolve("orders.jsonl");
        office = BackOffice.start(
                dir.resolve("receivers.jsonl"),
                orders,
                new CallbackSender(List.of(
                        URI.create("http://127.0.0.1:" + instance.getAddress().getPort()))));
    }

    @AfterEach
    void close() {
        office.close();
        instance.stop(0);
    }

    @Test
    void reportsEachOrderInItsMannerAndWritesDownWhatItDidBefore() throws IOException {
        StringBuilder log = new StringBuilder();
        for (Manner manner : Manner.values()) {
            // The sender of an order may not have heard that it was taken, and sends it again.
            log.append(order(manner)).append(order(manner));
        }
        Files.writeString(dir.resolve("receivers.jsonl"), log);

        await().atMost(BOUND)
                .until(() -> Set.of(Manner.values()).stream()
                        .allMatch(manner -> office.callbacks().get(manner.key()) == 1));

        assertThat(heard.stream().filter(body -> body.contains(effect(Manner.TWICE))))
                .hasSize(2);
        assertThat(heard.stream().filter(body -> body.contains(effect(Manner.NEVER))))
                .isEmpty();
        assertThat(heard.stream().filter(body -> body.contains("\"failed\"")))
                .singleElement()
                .asString()
                .contains(effect(Manner.AS_FAILED));
        assertThat(forged).singleElement().asString().contains(effect(Manner.AFTER_A_FORGED_ONE));
        assertThat(heard).hasSize(Manner.values().length);
        assertThat(Files.readAllLines(orders)).hasSize(Manner.values().length);
        assertThat(ScriptedOperator.executed(List.of(orders)))
                .hasSize(Manner.values().length - 1)
                .contains(effect(Manner.NEVER))
                .doesNotContain(effect(Manner.AS_FAILED));
        assertThat(office.callbacks())
                .containsEntry(BackOffice.FORGED_AND_HEARD, 0L)
                .containsEntry(BackOffice.REFUSED, 0L);
    }

    private static String order(Manner manner) {
        return "{\"path\":\"/orders\",\"idempotency_key\":\"%s\",\"status\":202,\"executed\":false}%n"
                .formatted(effect(manner));
    }

    private static String effect(Manner manner) {
        return manner.key() + ":0.1";
    }

    private synchronized void callback(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean genuine = exchange.getRequestHeaders().getFirst("webhook-id").startsWith("event-");
        int status = outOfOrder ? 503 : genuine ? 200 : 401;
        outOfOrder = false;
        if (status == 200) {
            assertThat(Files.readString(orders))
                    .contains(exchange.getRequestURI().getPath().replaceFirst(".*/", ""));
            heard.add(body);
        } else if (status == 401) {
            forged.add(body);
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }
}
