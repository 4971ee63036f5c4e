package io.hellogpt.once.model;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToIntFunction;

/** What one model has room for, in this process. Guarded by its {@link Admission}'s lock. */
final class ModelRoom {
    private final ModelLimits limits;
    private final Optional<Budget> requests;
    private final Optional<Budget> tokens;
    private final Turns turns;
    private int held;

    /** @param heldByLane how many slots a lane of this model has */
    ModelRoom(ModelLimits limits, ToIntFunction<Lane> heldByLane, Instant now) {
        this.limits = limits;
        this.requests = budget(limits.requestsPerMinute(), now);
        this.tokens = budget(limits.tokensPerMinute(), now);
        this.turns = new Turns(Comparator.comparingInt(heldByLane));
    }

    private static Optional<Budget> budget(OptionalLong perMinute, Instant now) {
        return perMinute.isPresent() ? Optional.of(new Budget(perMinute.getAsLong(), now)) : Optional.empty();
    }

    /** Why a call must wait, if it must; then it is remembered as one that waits. */
    Optional<Holdback> holdback(Lane lane, long wanted, Instant now) {
        Optional<Holdback> reason = lacking(wanted, now).or(() -> notItsTurn(lane, now));
        reason.ifPresent(waits -> turns.refused(lane, now));
        return reason;
    }

    private Optional<Holdback> lacking(long wanted, Instant now) {
        if (held >= limits.maxInFlight().orElse(Integer.MAX_VALUE)) {
            return Optional.of(Holdback.MODEL_IN_FLIGHT);
        }
        if (requests.filter(budget -> !budget.has(1, now)).isPresent()) {
            return Optional.of(Holdback.REQUESTS_PER_MINUTE);
        }
        return tokens.filter(budget -> !budget.has(wanted, now)).map(empty -> Holdback.TOKENS_PER_MINUTE);
    }

    /** What is left of a budget goes to one lane at a time: nobody knows what the next one's request needs. */
    private Optional<Holdback> notItsTurn(Lane lane, Instant now) {
        boolean budgeted = requests.isPresent() || tokens.isPresent();
        int free = budgeted ? 1 : limits.maxInFlight().orElse(Integer.MAX_VALUE) - held;
        return turns.isTurnOf(lane, free, now) ? Optional.empty() : Optional.of(Holdback.TURN);
    }

    void take(Lane lane, long wanted) {
        turns.leaves(lane);
        held++;
        requests.ifPresent(budget -> budget.take(1));
        tokens.ifPresent(budget -> budget.take(wanted));
    }

    void giveBack(long wanted) {
        requests.ifPresent(budget -> budget.giveBack(1));
        tokens.ifPresent(budget -> budget.giveBack(wanted));
    }

    void correct(long taken, long used) {
        tokens.ifPresent(budget -> budget.correct(taken, used));
    }

    void free() {
        held--;
    }

    void leaves(Lane lane) {
        turns.leaves(lane);
    }

    void leaves(int partition) {
        turns.leaves(partition);
    }

    /** Nothing would be lost by forgetting it. */
    boolean isUntouched(Instant now) {
        return held == 0
                && turns.isEmpty()
                && requests.filter(budget -> !budget.isFull(now)).isEmpty()
                && tokens.filter(budget -> !budget.isFull(now)).isEmpty();
    }
}
