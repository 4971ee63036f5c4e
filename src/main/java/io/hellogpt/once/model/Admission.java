package io.hellogpt.once.model;

import io.hellogpt.once.topology.ModelGateway.Demand;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which request may have a slot: within the limits of the process and of its model, and shared out fairly, between tasks first and
 * then between the models of a task. Safe for use by several threads.
 */
final class Admission {
    /** Model names come from requests: what is known of those that ask for nothing is forgotten beyond so many. */
    private static final int MODELS_KEPT = 1_000;

    private final CallLimits limits;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private final Map<String, ModelRoom> models = new HashMap<>();
    private final Map<Lane, Integer> heldByLane = new HashMap<>();
    private final Map<Integer, Integer> heldByTask = new HashMap<>();
    private final Turns turns =
            new Turns(Comparator.comparingInt((Lane lane) -> heldByTask.getOrDefault(lane.partition(), 0))
                    .thenComparingInt(lane -> heldByLane.getOrDefault(lane, 0)));
    private int held;

    Admission(CallLimits limits, Clock clock) {
        this.limits = limits;
        this.clock = clock;
    }

    /** @return why not, or empty when a slot was taken */
    Optional<Holdback> take(int partition, Demand demand) {
        lock.lock();
        try {
            Instant now = clock.instant();
            Lane lane = new Lane(partition, demand.model());
            ModelRoom model = model(demand.model(), now);
            Optional<Holdback> ofModel = model.holdback(lane, demand.tokens(), now);
            if (ofModel.isPresent()) {
                turns.leaves(lane);
                return ofModel;
            }
            Optional<Holdback> ofInstance = holdback(lane, now);
            if (ofInstance.isPresent()) {
                model.leaves(lane);
                turns.refused(lane, now);
                return ofInstance;
            }
            turns.leaves(lane);
            model.take(lane, demand.tokens());
            held++;
            heldByLane.merge(lane, 1, Integer::sum);
            heldByTask.merge(partition, 1, Integer::sum);
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private Optional<Holdback> holdback(Lane lane, Instant now) {
        int free = limits.maxInFlight() - held;
        if (free == 0) {
            return Optional.of(Holdback.INSTANCE_IN_FLIGHT);
        }
        return turns.isTurnOf(lane, free, now) ? Optional.empty() : Optional.of(Holdback.TURN);
    }

    private ModelRoom model(String name, Instant now) {
        if (models.size() >= MODELS_KEPT && !models.containsKey(name)) {
            models.values().removeIf(model -> model.isUntouched(now));
        }
        return models.computeIfAbsent(
                name, key -> new ModelRoom(limits.of(key), lane -> heldByLane.getOrDefault(lane, 0), now));
    }

    /** No call was made: the slot and what was taken of the budgets are free again. */
    void giveBack(int partition, Demand demand) {
        lock.lock();
        try {
            models.get(demand.model()).giveBack(demand.tokens());
            free(partition, demand.model());
        } finally {
            lock.unlock();
        }
    }

    /**
     * A call has ended.
     *
     * @param used tokens the provider has counted, none when it refused the request; when that is not known the estimate stands,
     *     since a failed call may count there too
     */
    void ended(int partition, Demand demand, OptionalLong used) {
        lock.lock();
        try {
            used.ifPresent(tokens -> models.get(demand.model()).correct(demand.tokens(), tokens));
            free(partition, demand.model());
        } finally {
            lock.unlock();
        }
    }

    private void free(int partition, String model) {
        models.get(model).free();
        held--;
        heldByLane.computeIfPresent(new Lane(partition, model), (lane, count) -> count == 1 ? null : count - 1);
        heldByTask.computeIfPresent(partition, (task, count) -> count == 1 ? null : count - 1);
        if (held == 0) {
            idle.signalAll();
        }
    }

    /** A task is closed: it waits for nothing any more. */
    void leaves(int partition) {
        lock.lock();
        try {
            turns.leaves(partition);
            models.values().forEach(model -> model.leaves(partition));
        } finally {
            lock.unlock();
        }
    }

    int modelsKnown() {
        lock.lock();
        try {
            return models.size();
        } finally {
            lock.unlock();
        }
    }

    int held() {
        lock.lock();
        try {
            return held;
        } finally {
            lock.unlock();
        }
    }

    /** @return whether no slot is taken, within {@code timeout} */
    boolean awaitIdle(Duration timeout) throws InterruptedException {
        lock.lock();
        try {
            long nanos = timeout.toNanos();
            while (held > 0) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = idle.awaitNanos(nanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
