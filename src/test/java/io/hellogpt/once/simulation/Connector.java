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

/**
 * The sink connector with its ledger, and the receivers behind it. Each effect_id is carried out at most once; what the connector
 * reports of it may be late, repeated and out of order.
 */
final class Connector {
    private final Consumer<Effect> receiver;
    private final Map<Key, Row> ledger = new LinkedHashMap<>();
    private final List<EffectOutcome> unpublished = new ArrayList<>();
    private int position;

    private record Key(EffectId id, String payload) {}

    private static final class Row {
        private final Effect effect;
        private final Map<Integer, EffectOutcome> settled = new LinkedHashMap<>();
        private boolean carriedOut;
        private boolean tombstoned;
        /** The reset came after the bytes had left: nobody knows. */
        private boolean doubted;

        Row(Effect effect) {
            this.effect = effect;
        }

        Optional<EffectOutcome> open(Result result) {
            return settled.values().stream()
                    .filter(outcome -> outcome.result() == result)
                    .findFirst();
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
            row(new Effect(
                            effect.id().forward(),
                            effect.name(),
                            effect.stage(),
                            effect.route(),
                            effect.attempt(),
                            effect.payload(),
                            effect.issuedAt(),
                            effect.requestReceivedAt()))
                    .tombstoned = true;
        }
        EffectOutcome outcome = row.settled.computeIfAbsent(effect.attempt(), attempt -> {
            if (row.carriedOut && wish != Result.RETRYABLE) {
                return outcome(effect, Result.SUCCEEDED, false, now);
            }
            if (row.tombstoned && !row.carriedOut) {
                return outcome(effect, Result.FAILED, false, now);
            }
            row.doubted |= reallyCarriedOut && effect.id().step() != EffectPlan.BILLING;
            boolean doubtful = wish == Result.UNKNOWN || (wish == Result.RETRYABLE && row.doubted);
            if (wish == Result.SUCCEEDED || (doubtful && reallyCarriedOut)) {
                carryOut(row, effect);
            }
            return outcome(effect, wish, wish == Result.RETRYABLE && row.doubted, now);
        });
        unpublished.add(outcome);
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

    private List<Row> rowsWith(Result result) {
        return ledger.values().stream()
                .filter(row -> row.open(result).isPresent())
                .toList();
    }

    boolean awaitsCallback() {
        return !rowsWith(Result.AWAITING_CALLBACK).isEmpty();
    }

    boolean hasUnknown() {
        return !rowsWith(Result.UNKNOWN).isEmpty();
    }

    /** The receiver calls back. */
    void callback(int pick, boolean success, Instant now) {
        List<Row> rows = rowsWith(Result.AWAITING_CALLBACK);
        Row row = rows.get(pick % rows.size());
        boolean carried = row.carriedOut || (success && !row.tombstoned);
        if (carried) {
            carryOut(row, row.effect);
        }
        settle(row, Result.AWAITING_CALLBACK, carried, now);
    }

    /** The receiver is asked and knows. */
    void probe(int pick, Instant now) {
        List<Row> rows = rowsWith(Result.UNKNOWN);
        Row row = rows.get(pick % rows.size());
        settle(row, Result.UNKNOWN, row.carriedOut, now);
    }

    private void settle(Row row, Result open, boolean carried, Instant now) {
        EffectOutcome before = row.open(open).orElseThrow();
        EffectOutcome after = new EffectOutcome(
                before.effectId(),
                before.attempt(),
                carried ? Result.SUCCEEDED : Result.FAILED,
                "settled",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                now,
                before.requestReceivedAt(),
                false);
        row.settled.put(before.attempt(), after);
        unpublished.add(after);
    }

    /** Whether the receivers really carried it out. */
    boolean carriedOut(EffectId id) {
        return ledger.values().stream().anyMatch(row -> row.effect.id().equals(id) && row.carriedOut);
    }

    /** Nothing about this request is under way here. */
    boolean isQuiet(io.hellogpt.once.core.RequestId id) {
        return unpublished.stream()
                        .noneMatch(outcome -> outcome.effectId().requestId().equals(id))
                && rowsWith(Result.AWAITING_CALLBACK).stream()
                        .noneMatch(row -> row.effect.id().requestId().equals(id))
                && rowsWith(Result.UNKNOWN).stream()
                        .noneMatch(row -> row.effect.id().requestId().equals(id));
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        List<Object> all = new ArrayList<>(List.of(position, List.copyOf(unpublished)));
        ledger.forEach((key, row) ->
                all.add(List.of(key, Map.copyOf(row.settled), row.carriedOut, row.tombstoned, row.doubted)));
        return all;
    }
}
