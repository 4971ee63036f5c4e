package io.hellogpt.once.ops.http;

import io.hellogpt.once.api.IntakeGate;
import io.hellogpt.once.model.GatewayStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Takes no new requests while model calls are paused or too many requests wait already: a client over HTTP can be told to come back,
 * and what it is not told would only grow older here.
 *
 * @param waiting requests that wait for a model call
 * @param most of them, from which on no more are taken
 */
record InstanceGate(Supplier<GatewayStatus> gateway, IntSupplier waiting, int most) implements IntakeGate {
    private static final Duration PAUSED = Duration.ofSeconds(30);
    private static final Duration STOPPING = Duration.ofSeconds(5);
    private static final Duration BACKLOG = Duration.ofSeconds(10);

    @Override
    public Optional<Closed> closed() {
        GatewayStatus now = gateway.get();
        return switch (now.state()) {
            // An open circuit holds up one model; requests for the others go on.
            case DISPATCHING, CIRCUIT_OPEN ->
                waiting.getAsInt() >= most
                        ? Optional.of(new Closed(
                                true, "%d requests or more wait for a model call here".formatted(most), BACKLOG))
                        : Optional.empty();
            case PAUSED_UNAUTHORIZED, JOURNAL_UNAVAILABLE ->
                // With nothing waiting there would be no call to find out whether the model is back.
                waiting.getAsInt() == 0
                        ? Optional.empty()
                        : Optional.of(new Closed(
                                false,
                                "model calls are paused since " + now.since() + " (" + now.state() + ")",
                                PAUSED));
            case DRAINING, CLOSED -> Optional.of(new Closed(false, "this instance is stopping", STOPPING));
        };
    }
}
