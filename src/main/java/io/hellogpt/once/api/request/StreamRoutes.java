package io.hellogpt.once.api.request;

import io.hellogpt.once.api.AuditLog;
import io.hellogpt.once.api.Exchange;
import io.hellogpt.once.api.Problem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * {@code GET /v1/stream}: all lifecycle events as server-sent events. A client that comes back with {@code Last-Event-ID} gets what it
 * missed, from any instance. Each client reads the topic for itself, as fast as it can: a slow one holds up nobody.
 */
public final class StreamRoutes {
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    /** Short, so that the end of the instance is not waited for. */
    private static final Duration LISTEN = Duration.ofMillis(500);

    private static final Duration BUSY = Duration.ofSeconds(30);
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private final AuditLog audit;
    private final Semaphore free;
    private final int most;
    private final BooleanSupplier on;

    /**
     * Makes the route.
     *
     * @param most streams at the same time; each is a consumer of its own
     * @param on false once the instance stops
     */
    public StreamRoutes(AuditLog audit, int most, BooleanSupplier on) {
        this.audit = audit;
        this.free = new Semaphore(most);
        this.most = most;
        this.on = on;
    }

    public void stream(Exchange exchange) {
        if (!free.tryAcquire()) {
            throw Problem.of(Problem.Kind.OVERLOADED, "this instance serves " + most + " streams already")
                    .retryAfter(BUSY)
                    .asException();
        }
        try (AuditLog.Tail tail = follow(exchange.header(LAST_EVENT_ID).or(() -> exchange.query("last_event_id")))) {
            send(tail, exchange.pieces(200, "text/event-stream"));
        } finally {
            free.release();
        }
    }

    private AuditLog.Tail follow(Optional<String> after) {
        try {
            return audit.follow(after.filter(id -> !id.isBlank()));
        } catch (IllegalArgumentException broken) {
            throw Problem.of(Problem.Kind.INVALID, LAST_EVENT_ID + ": " + broken.getMessage())
                    .asException();
        }
    }

    private void send(AuditLog.Tail tail, Exchange.Pieces pieces) {
        // Said at once, so that the client knows that it is connected.
        pieces.send(utf8("retry: 2000\n\n"));
        long lastSent = System.nanoTime();
        while (on.getAsBoolean()) {
            List<AuditLog.Event> events = tail.next(LISTEN);
            if (events.isEmpty() && System.nanoTime() - lastSent < HEARTBEAT.toNanos()) {
                continue;
            }
            if (events.isEmpty()) {
                // Nothing else tells a client that went away from one that has nothing to hear.
                pieces.send(utf8(": alive\n\n"));
            }
            lastSent = System.nanoTime();
            for (AuditLog.Event event : events) {
                pieces.send(utf8("id: " + event.id() + "\nevent: lifecycle\ndata: " + event.event() + "\n\n"));
            }
        }
        pieces.close();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
