package io.hellogpt.once.topology;

import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.RequestId;
import java.util.Objects;

/**
 * What the topology asks of the gateway: to run model calls outside the stream thread and to write what comes of them to the
 * journal. One per process, shared by all tasks; safe for use by several threads. No method but {@link #handover} waits for
 * anything.
 */
public interface ModelGateway {
    /** The identity of this process, unique to one run of it. */
    String instance();

    /**
     * What a call would take of its model's limits.
     *
     * @param model as the request names it
     * @param tokens an estimate of prompt and answer together; 0 where nobody counts them
     */
    record Demand(String model, long tokens) {
        public Demand {
            Objects.requireNonNull(model, "model");
        }
    }

    /** The same for the same request, always. */
    Demand demand(ModelRequest request);

    /**
     * Takes a slot, if there is one. Every slot taken is used by exactly one {@link #start} or given back by {@link #release}.
     *
     * @param partition of the task that asks: slots are shared out fairly between tasks
     * @return false when all slots are taken, the model's own limits are reached, it is another task's or model's turn, dispatch
     *     is paused, the model's circuit is open or the process drains
     */
    boolean reserve(int partition, Demand demand);

    /** Gives back a slot that {@link #reserve} took and no {@link #start} used. */
    void release(int partition, Demand demand);

    /**
     * Starts a call in a reserved slot and returns at once. Its answer or error goes to partition {@code partition} of the
     * journal. If a call for the same request already runs in this process, or has ended and its result is not yet known to be
     * journaled, that one counts and no second one is made.
     */
    void start(int partition, ModelCall call);

    /** Gives up the call of a request, if one runs here; nothing is journaled for it. */
    void cancel(RequestId id);

    /**
     * Writes a barrier to partition {@code partition} of the journal, behind everything journaled by this process before.
     *
     * @return the barrier's id; until a record with it is read back nothing may be dispatched again
     */
    String openBarrier(int partition);

    /**
     * Journals which calls started for {@code partition} still run here, and returns when the broker has acknowledged it, so
     * that the partition's next owner does not repeat them. Their answers still go to the journal.
     */
    void handover(int partition);
}
