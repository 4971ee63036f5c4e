package io.hellogpt.once.connect;

import io.hellogpt.once.connect.ledger.Ask;
import io.hellogpt.once.core.Effect;
import java.util.ArrayList;
import java.util.List;

/** One delivery from its arrival until the brokers have its outcome. Its state belongs to {@link Backlog}. */
final class Work {
    private final Delivery delivery;
    private final long bytes;
    final List<PartitionOffsets.Ticket> tickets = new ArrayList<>(1);
    private volatile Ask ask;

    /** How many earlier works have to be finished first. */
    int blockers;
    /** Taken out of its queue. */
    boolean started;
    /** Counts against what its route may have in flight. */
    boolean inFlight;
    /** Its partition went to another task before it was started. */
    boolean dropped;

    Work(Delivery delivery, Ask ask) {
        this.delivery = delivery;
        this.ask = ask;
        this.bytes = delivery.effect().payload().length();
    }

    Delivery delivery() {
        return delivery;
    }

    Effect effect() {
        return delivery.effect();
    }

    Ask ask() {
        return ask;
    }

    /** Another task took the effect over; see {@link Ask#afterLosing}. */
    void lost() {
        ask = ask.afterLosing();
    }

    long bytes() {
        return bytes;
    }

    /** Whether this one has to wait for {@code earlier}, which is of the same request_id. */
    boolean follows(Work earlier) {
        return effect().route().equals(earlier.effect().route())
                || effect().id().forward().equals(earlier.effect().id().forward());
    }
}
