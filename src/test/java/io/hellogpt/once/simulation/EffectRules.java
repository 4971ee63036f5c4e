package io.hellogpt.once.simulation;

import static io.hellogpt.once.simulation.Violation.unless;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Fact;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** G3 and G7: what may be issued when, what may be carried out, and what must have been at the end. */
final class EffectRules {
    private static final String G3 = "G3";
    private static final String G7 = "G7";

    private static final int ATTEMPTS = 3;

    private final Set<Receipt> receipts = new HashSet<>();

    private record Receipt(Object request, String name, boolean undo, String payload) {}

    /** A record on {@code effects}. */
    void issued(Life life, Effect effect) {
        unless(life.isOpen(), G3, effect.id(), "issued after the ending");
        unless(life.snapshot.isPresent(), G3, effect.id(), "issued without a snapshot");
        unless(
                effect.payload().equals(life.snapshot.get().sha256()),
                "G2",
                effect.id(),
                "made from another answer than the snapshot");
        unless(effect.id().turn() == 0, G3, effect.id(), "not an id of this decision");
        if (effect.id().step() == 0) {
            unless(!effect.id().undo() && effect.route().equals("ledger"), G7, effect.id(), "is not billing");
        } else {
            planned(life, effect);
        }
        attempt(life.step(effect.id()), effect);
    }

    private static void planned(Life life, Effect effect) {
        Kind kind = life.kind();
        int number = effect.id().step();
        unless(number <= kind.effects().size(), G3, effect.id(), "is not in the decision");
        Kind.Expected expected = kind.effects().get(number - 1);
        unless(
                effect.name().equals(expected.name()) && effect.stage() == expected.stage(),
                G3,
                effect.id(),
                "differs from the decision");
        unless(kind.verdict() != Kind.Verdict.HOLD || life.approved, G3, effect.id(), "issued without approval");
        boolean isFirst = !life.step(effect.id()).isIssued();
        if (effect.id().undo()) {
            unless(effect.route().equals("undo-" + expected.name()), G3, effect.id(), "is not its compensation");
            if (isFirst) {
                firstUndo(life, expected, effect);
            }
        } else {
            unless(effect.route().equals("route"), G3, effect.id(), "goes to another route");
            boolean again = effect.attempt() == life.step(effect.id()).attempt;
            unless(again || !life.isGoingBack(), G3, effect.id(), "issued although the request goes back");
            if (isFirst) {
                firstForward(life, expected, effect);
            }
        }
    }

    private static void firstForward(Life life, Kind.Expected expected, Effect effect) {
        for (Kind.Expected other : life.kind().effects()) {
            unless(
                    other.stage() >= expected.stage()
                            || life.step(other.step(), false).isPassed(),
                    G3,
                    effect.id(),
                    "issued before " + other.name() + " of an earlier stage succeeded");
        }
    }

    private static void firstUndo(Life life, Kind.Expected expected, Effect effect) {
        unless(life.step(expected.step(), false).isPassed(), G3, effect.id(), "undoes what was not carried out");
        unless(!life.anyForwardOut(), G3, effect.id(), "undoes while an effect is out");
        unless(!life.otherUndoUnfinished(expected.step()), G3, effect.id(), "undoes two at a time");
        for (Kind.Expected other : life.kind().effects()) {
            Life.Step forward = life.step(other.step(), false);
            unless(
                    !other.pivot() || !forward.succeeded || forward.settledByPerson,
                    G3,
                    effect.id(),
                    "undoes past the pivot");
            boolean mustGoFirst = other.undoable() && other.step() > expected.step() && forward.succeeded;
            unless(
                    !mustGoFirst
                            || forward.settledByPerson
                            || life.step(other.step(), true).isPassed(),
                    G3,
                    effect.id(),
                    "undone before the later " + other.name());
        }
    }

    private static void attempt(Life.Step step, Effect effect) {
        boolean same = step.isIssued() && effect.attempt() == step.attempt;
        boolean next = effect.attempt() == step.attempt + 1;
        unless(same || next, G3, effect.id(), "attempt " + effect.attempt() + " after " + step.attempt);
        unless(!step.isPassed(), G3, effect.id(), "issued again although it is settled");
        if (next) {
            unless(
                    effect.probe() ? mayBeProbed(step) : mayBeSent(step),
                    G3,
                    effect.id(),
                    "attempt " + effect.attempt() + " although the last is not known to have failed");
            unless(
                    effect.attempt() - step.roundStart <= ATTEMPTS + 1,
                    G3,
                    effect.id(),
                    "attempt " + effect.attempt() + " since " + step.roundStart);
            step.attempt = effect.attempt();
            step.last = Optional.empty();
            step.retryAllowed = false;
            step.probe = effect.probe();
        } else {
            unless(!effect.probe() && !step.probe, G3, effect.id(), "a probe is issued again");
        }
    }

    private static boolean mayBeSent(Life.Step step) {
        boolean failed = step.last.filter(result -> result == Result.RETRYABLE).isPresent();
        return !step.isIssued() || step.retryAllowed || (failed && !(step.probe && step.inDoubt));
    }

    /** Only what a callback was awaited for is asked about, and asked again while the answer leaves it in doubt. */
    private static boolean mayBeProbed(Life.Step step) {
        return step.last
                .map(result -> result == Result.AWAITING_CALLBACK
                        || (result == Result.RETRYABLE && step.probe && step.inDoubt))
                .orElse(false);
    }

    /** A receiver carried it out. */
    void carriedOut(Life life, Effect effect) {
        Receipt receipt =
                new Receipt(effect.id().requestId(), effect.name(), effect.id().undo(), effect.payload());
        unless(receipts.add(receipt), effect.id().step() == 0 ? G7 : G3, effect.id(), "carried out twice");
        Life.Step step = life.step(effect.id());
        unless(
                life.isOpen() || step.settledByPerson || life.step(effect.id().step(), false).settledByPerson,
                G3,
                effect.id(),
                "carried out after the ending");
        step.carriedOut = true;
    }

    /** The terminal record. */
    void ended(Life life, Fact terminal) {
        if (life.snapshot.isEmpty()) {
            return;
        }
        Kind.Verdict verdict = life.kind().verdict();
        boolean allowed = verdict != Kind.Verdict.REFUSE
                && verdict != Kind.Verdict.OVERSIZE
                && (verdict != Kind.Verdict.HOLD || life.approved);
        unless(allowed || terminal instanceof Fact.Fail, "G2", terminal, "committed against the decision");
        Life.Step billing = life.billing();
        unless(billing.carriedOut || billing.settledByPerson, G7, terminal, "ended without being billed");
        for (Kind.Expected expected : life.kind().effects()) {
            Life.Step forward = life.step(expected.step(), false);
            Life.Step undo = life.step(expected.step(), true);
            if (terminal instanceof Fact.Commit) {
                boolean done = (forward.succeeded && forward.carriedOut && !undo.isIssued()) || forward.settledByPerson;
                unless(done, G3, terminal, "committed without " + expected.name());
            } else if (!forward.settledByPerson && !undo.settledByPerson) {
                unless(!expected.pivot() || !forward.carriedOut, G3, terminal, "failed past the pivot");
                unless(
                        !expected.undoable() || forward.carriedOut == undo.carriedOut,
                        G3,
                        terminal,
                        "failed without undoing " + expected.name());
                unless(!forward.isOut(), G3, terminal, "failed while " + expected.name() + " is out");
            }
        }
    }
}
