package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.EffectPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The sink connector with its ledger, and the receivers behind it. Each effect_id is carried out at most once; what the connector
 * reports of it may be late, repeated and out of order, and a receiver may call back before its response is read, and again.
 */
final class Connector {
    private final Consumer<Effect> receiver;
    private final Map<Key, Row> ledger = new LinkedHashMap<>();
    private final List<EffectOutcome> unpublished = new ArrayList<>();
    private int position;
    private int events;

    private record Key(EffectId id, String payload) {}

    private static final class Row {
        private final Effect effect;
        private final Map<Integer, EffectOutcome> settled = new LinkedHashMap<>();
        private boolean carriedOut;
        private boolean tombstoned;
        /** The reset came after the bytes had left: nobody knows. */
        private boolean doubted;
        /** The receiver took it, and will call back. */
        private boolean awaiting;
        /** The receiver has said for good that it was not carried out and never will be. */
        private boolean refused;
        /** The receiver has called back. */
        private boolean told;

        Row(Effect effect) {
            this.effect = effect;
        }

        boolean isHopeless() {
            return !carriedOut && (tombstoned || refused);
        }

        /**
         * To the receiver all attempts are one, by their key. Where there is none, what it says of one attempt says nothing of
         * the next.
         */
        boolean isKeyed() {
            return effect.id().step() % 2 == 1;
        }

        boolean isUnknown() {
            return settled.values().stream().anyMatch(outcome -> outcome.result() == Result.UNKNOWN);
        }
    }

    /** @param receiver told of every effect that is really carried out */
    Connector(Consumer<Effect> receiver) {
        this.receiver = receiver;
    }

    int position() {
        return position;
    }

    boolean hasUnpublished() {
        return !unpublished.isEmpty();
    }

    /** Reads one attempt and executes it, unless the ledger knows better. */
    void execute(Effect effect, Result wish, boolean reallyCarriedOut, Instant now) {
        position++;
        Row row = row(effect);
        if (effect.id().undo()) {
            row(Facts.with(effect, effect.id().forward(), effect.attempt(), effect.payload())).tombstoned = true;
        }
        unpublished.add(row.settled.computeIfAbsent(
                effect.attempt(),
                attempt -> effect.probe()
                        ? probed(row, effect, wish, reallyCarriedOut, now)
                        : attempted(row, effect, wish, reallyCarriedOut, now)));
    }

    private EffectOutcome attempted(Row row, Effect effect, Result wish, boolean reallyCarriedOut, Instant now) {
        if (row.carriedOut && wish != Result.RETRYABLE) {
            return outcome(effect, Result.SUCCEEDED, false, now);
        }
        if (row.isHopeless()) {
            return outcome(effect, Result.FAILED, false, now);
        }
        row.doubted |= reallyCarriedOut && effect.id().step() != EffectPlan.BILLING;
        boolean doubtful = wish == Result.UNKNOWN || (wish == Result.RETRYABLE && row.doubted);
        if (wish == Result.SUCCEEDED || (doubtful && reallyCarriedOut)) {
            carryOut(row, effect);
        }
        if (wish == Result.AWAITING_CALLBACK) {
            row.awaiting = true;
            return outcome(effect, wish, effect.attempt() > 1 && !row.isKeyed(), now);
        }
        return outcome(effect, wish, wish == Result.RETRYABLE && row.doubted, now);
    }

    /** Nothing is sent; the receiver is asked, and may not be able to tell. */
    private EffectOutcome probed(Row row, Effect effect, Result wish, boolean noAnswer, Instant now) {
        if (wish == Result.UNKNOWN) {
            return outcome(effect, Result.UNKNOWN, false, now);
        }
        if (wish == Result.RETRYABLE && noAnswer) {
            return outcome(effect, Result.RETRYABLE, true, now);
        }
        if (row.carriedOut) {
            return outcome(effect, Result.SUCCEEDED, false, now);
        }
        if (wish == Result.AWAITING_CALLBACK && row.awaiting) {
            return outcome(effect, Result.AWAITING_CALLBACK, false, now);
        }
        row.awaiting = false;
        row.refused |= wish == Result.FAILED || wish == Result.MALFORMED;
        return outcome(effect, row.isHopeless() ? Result.FAILED : Result.RETRYABLE, false, now);
    }

    private Row row(Effect effect) {
        return ledger.computeIfAbsent(new Key(effect.id(), effect.payload()), key -> new Row(effect));
    }

    private void carryOut(Row row, Effect effect) {
        if (!row.carriedOut) {
            row.carriedOut = true;
            receiver.accept(effect);
        }
    }

    private static EffectOutcome outcome(Effect effect, Result result, boolean inDoubt, Instant now) {
        Optional<Instant> deadline =
                result == Result.AWAITING_CALLBACK ? Optional.of(now.plusSeconds(300)) : Optional.empty();
        return new EffectOutcome(
                effect.id(),
                effect.attempt(),
                result,
                "simulated",
                Optional.empty(),
                Optional.empty(),
                deadline,
                now,
                effect.requestReceivedAt(),
                inDoubt);
    }

    /** Takes an outcome for the topic; {@code again} leaves it to be published once more. */
    EffectOutcome publish(int pick, boolean again) {
        int index = pick % unpublished.size();
        return again ? unpublished.get(index) : unpublished.remove(index);
    }

    private List<Row> rows(Predicate<Row> which) {
        return ledger.values().stream().filter(which).toList();
    }

    boolean awaitsCallback() {
        return !rows(row -> row.awaiting).isEmpty();
    }

    boolean hasToldByCallback() {
        return !rows(row -> row.told).isEmpty();
    }

    boolean hasUnknown() {
        return !rows(Row::isUnknown).isEmpty();
    }

    /** The receiver calls back. */
    void callback(int pick, boolean success, Instant now) {
        List<Row> rows = rows(known -> known.awaiting);
        Row row = rows.get(pick % rows.size());
        if (success && !row.isHopeless()) {
            carryOut(row, row.effect);
        }
        row.awaiting = false;
        row.refused |= !row.carriedOut && row.isKeyed();
        tell(row, now);
    }

    /** The receiver calls back with the same news as before, as another event. */
    void tellAgain(int pick, Instant now) {
        List<Row> rows = rows(row -> row.told);
        tell(rows.get(pick % rows.size()), now);
    }

    private void tell(Row row, Instant now) {
        row.told = true;
        unpublished.add(callback(row.effect, row.carriedOut, now));
    }

    private EffectOutcome callback(Effect effect, boolean carriedOut, Instant now) {
        return EffectOutcome.callback(
                effect.id(),
                carriedOut ? Result.SUCCEEDED : Result.FAILED,
                "simulated",
                Optional.empty(),
                "event-" + events++,
                now,
                effect.requestReceivedAt());
    }

    /** Somebody who can sign calls back about an effect that nobody has asked for. */
    void forge(EffectId id, Instant requestReceivedAt, Instant now) {
        unpublished.add(EffectOutcome.callback(
                id, Result.SUCCEEDED, "forged", Optional.empty(), "event-" + events++, now, requestReceivedAt));
    }

    /** The receiver is asked and knows. */
    void probe(int pick, Instant now) {
        List<Row> rows = rows(Row::isUnknown);
        Row row = rows.get(pick % rows.size());
        EffectOutcome before = row.settled.values().stream()
                .filter(outcome -> outcome.result() == Result.UNKNOWN)
                .findFirst()
                .orElseThrow();
        row.awaiting = false;
        row.refused |= !row.carriedOut;
        EffectOutcome after = Facts.with(before, before.attempt(), row.carriedOut ? Result.SUCCEEDED : Result.FAILED);
        row.settled.put(before.attempt(), after);
        unpublished.add(after);
    }

    /** Whether the receivers really carried it out. */
    boolean carriedOut(EffectId id) {
        return ledger.values().stream().anyMatch(row -> row.effect.id().equals(id) && row.carriedOut);
    }

    /** Another attempt cannot be carried out either. */
    boolean isHopeless(EffectId id) {
        return ledger.values().stream().anyMatch(row -> row.effect.id().equals(id) && row.isHopeless());
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        List<Object> all = new ArrayList<>(List.of(position, List.copyOf(unpublished)));
        ledger.forEach((key, row) -> all.add(List.of(
                key,
                Map.copyOf(row.settled),
                List.of(row.carriedOut, row.tombstoned, row.doubted, row.awaiting, row.refused, row.told))));
        return all;
    }
}
