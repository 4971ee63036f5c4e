package io.hellogpt.once.ops.meters;

import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Hold;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.topology.StoredTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * What the requests an instance owns are waiting for, counted from its stores: every unfinished request has a timer, so the store
 * {@code timers} is their index and the finished ones are never touched.
 *
 * @param open unfinished requests by state
 * @param held requests waiting for a person, by reason
 * @param pendingOldest since when the request is due that waits longest for a model call
 * @param outbox effects issued, without an outcome
 * @param unknown effects whose outcome cannot be known
 * @param earlyResponses answers stashed for requests that have not been read yet
 * @param complete false when there was more than is counted at one time; the figures are lower bounds then
 */
public record OpenWork(
        Map<RequestState.Status, Integer> open,
        Map<Hold.Reason, Integer> held,
        Optional<Instant> pendingOldest,
        Outbox outbox,
        int unknown,
        int earlyResponses,
        boolean complete) {
    static final OpenWork NONE = new Count(Instant.EPOCH, Duration.ZERO).sum();

    /**
     * Counts.
     *
     * @param outcomeTimeout between an attempt's issue and the moment its outcome is overdue
     * @param timers the store, of one partition or of several together
     * @param states where to find the state of a request
     */
    public static OpenWork count(
            Instant now,
            Duration outcomeTimeout,
            ReadOnlyKeyValueStore<Bytes, byte[]> timers,
            Function<RequestId, Optional<RequestState>> states) {
        Count count = new Count(now, outcomeTimeout);
        count.add(timers, states);
        return count.sum();
    }

    /**
     * Effects that were issued and have no outcome yet.
     *
     * @param averageAge since they were issued
     */
    public record Outbox(int waiting, Duration averageAge, Duration oldestAge) {}

    /** A count under way. */
    private static final class Count {
        /** Keys are 60 bytes and the scan runs beside the stream: a second's work, and more than anybody needs to know exactly. */
        private static final int MOST_KEYS = 1_000_000;

        /** States are read one by one. */
        private static final int MOST_STATES = 20_000;

        private final Instant now;
        private final Duration outcomeTimeout;
        private final Map<RequestState.Status, Integer> open = new EnumMap<>(RequestState.Status.class);
        private final Map<Hold.Reason, Integer> held = new EnumMap<>(Hold.Reason.class);
        private final LongSummaryStatistics ages = new LongSummaryStatistics();
        private Instant oldest;
        private int unknown;
        private int early;
        private boolean complete = true;

        Count(Instant now, Duration outcomeTimeout) {
            this.now = now;
            this.outcomeTimeout = outcomeTimeout;
        }

        void add(ReadOnlyKeyValueStore<Bytes, byte[]> timers, Function<RequestId, Optional<RequestState>> states) {
            add(RequestState.Status.PENDING, scan(timers, Timer.Kind.PENDING, MOST_KEYS, this::pending));
            add(RequestState.Status.GENERATING, scan(timers, Timer.Kind.CALL_DEADLINE, MOST_KEYS, timer -> {}));
            early += scan(timers, Timer.Kind.STASH, MOST_KEYS, timer -> {});
            // A held request may have effects out, and then has timers of both kinds.
            Set<RequestId> seen = new HashSet<>();
            for (Timer.Kind kind : new Timer.Kind[] {Timer.Kind.HOLD, Timer.Kind.EFFECT}) {
                scan(timers, kind, MOST_STATES, timer -> {
                    if (seen.add(timer.id())) {
                        states.apply(timer.id()).ifPresent(this::state);
                    }
                });
            }
        }

        private int scan(
                ReadOnlyKeyValueStore<Bytes, byte[]> timers, Timer.Kind kind, int limit, Consumer<Timer> take) {
            int count = StoredTimers.each(timers, kind, limit, take);
            complete &= count < limit;
            return count;
        }

        private void pending(Timer timer) {
            if (oldest == null || timer.due().isBefore(oldest)) {
                oldest = timer.due();
            }
        }

        private void state(RequestState state) {
            if (!(state instanceof RequestState.Open request)) {
                return;
            }
            add(request.status(), 1);
            if (request instanceof Held waiting) {
                held.merge(waiting.hold().reason(), 1, Integer::sum);
            }
            request.plan().steps().stream().flatMap(Count::progress).forEach(this::effect);
        }

        private static Stream<Progress> progress(EffectStep step) {
            return Stream.concat(Stream.of(step.forward()), step.undo().stream());
        }

        private void effect(Progress progress) {
            switch (progress.status()) {
                case ISSUED -> {
                    Instant issued = progress.dueAt()
                            .map(due -> due.minus(outcomeTimeout))
                            .orElse(now);
                    ages.accept(Math.max(0, Duration.between(issued, now).toMillis()));
                }
                case UNKNOWN -> unknown++;
                case WAITING, RETRYING, AWAITING_CALLBACK, SUCCEEDED, FAILED, SKIPPED -> {}
            }
        }

        private void add(RequestState.Status status, int count) {
            open.merge(status, count, Integer::sum);
        }

        OpenWork sum() {
            Outbox outbox = new Outbox(
                    Math.toIntExact(ages.getCount()),
                    Duration.ofMillis((long) ages.getAverage()),
                    Duration.ofMillis(ages.getCount() == 0 ? 0 : ages.getMax()));
            return new OpenWork(
                    Map.copyOf(open), Map.copyOf(held), Optional.ofNullable(oldest), outbox, unknown, early, complete);
        }
    }
}
