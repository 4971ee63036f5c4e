package io.hellogpt.once.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Who is calling the model, and until when.
 *
 * @param deadline when the caller gives up
 * @param caller the process that runs the call
 * @param handedOver the caller is another, live process that gave the task away
 */
public record CallInFlight(Instant startedAt, Instant deadline, String caller, boolean handedOver) {
    /** How long after a call's own deadline its caller is believed dead. */
    static final Duration GRACE = Duration.ofSeconds(10);

    public CallInFlight {
        Objects.requireNonNull(startedAt, "startedAt");
        Objects.requireNonNull(deadline, "deadline");
        Objects.requireNonNull(caller, "caller");
    }

    /** From then on nothing is to be expected of the caller. */
    Instant givenUpAt() {
        return deadline.plus(GRACE);
    }

    CallInFlight handedOver(Instant callersDeadline, String liveCaller) {
        return new CallInFlight(startedAt, callersDeadline, liveCaller, true);
    }
}
