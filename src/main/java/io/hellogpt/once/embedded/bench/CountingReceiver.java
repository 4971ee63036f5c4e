package io.hellogpt.once.embedded.bench;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * A receiver that costs as little as one can: it answers every call at once with 204, keeps its connections, and knows how often it
 * has seen each {@code Idempotency-Key}. A {@code main} of a child process.
 *
 * <pre>
 * POST /effects   204; 400 without a key
 * GET  /count     calls and distinct keys, separated by a space
 * </pre>
 */
public final class CountingReceiver {
    static final String EFFECTS = "/effects";
    static final String COUNT = "/count";

    private static final HeaderName KEY = HeaderNames.create("Idempotency-Key");

    private final Map<String, Boolean> keys = new ConcurrentHashMap<>();
    private final LongAdder calls = new LongAdder();

    private CountingReceiver() {}

    /** Arguments: the port to listen on, on loopback. */
    public static void main(String[] args) throws InterruptedException {
        start(Integer.parseInt(args[0]));
        new CountDownLatch(1).await();
    }

    /** @param port on loopback; 0 for any */
    static WebServer start(int port) {
        CountingReceiver receiver = new CountingReceiver();
        return WebServer.builder()
                .address(InetAddress.getLoopbackAddress())
                .port(port)
                .routing(routing -> routing.post(EFFECTS, receiver::receive)
                        .get(COUNT, (request, response) -> response.send(receiver.count())))
                .build()
                .start();
    }

    private void receive(ServerRequest request, ServerResponse response) {
        request.content().consume();
        request.headers().first(KEY).ifPresentOrElse(key -> count(key, response), () -> refuse(response));
    }

    private void count(String key, ServerResponse response) {
        keys.put(key, true);
        calls.increment();
        response.status(Status.NO_CONTENT_204).send();
    }

    private static void refuse(ServerResponse response) {
        response.status(Status.BAD_REQUEST_400).send();
    }

    private String count() {
        return calls.sum() + " " + keys.size();
    }
}
