package io.hellogpt.once.simulation;

import static io.hellogpt.once.simulation.Violation.unless;

import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.simulation.Topics.Input;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The faults stop, everything answers, people do their work: now every request must end, and be forgotten. */
final class Settlement {
    private static final int ENOUGH = 5_000;
    private static final List<Timer.Kind> KINDS = List.of(Timer.Kind.values());

    private final World world;
    private final int limit;
    private int steps;

    Settlement(World world) {
        this(world, ENOUGH);
    }

    /** @param limit after so many steps it does not come to rest any more */
    Settlement(World world, int limit) {
        this.world = world;
        this.limit = limit;
    }

    /** Runs to the end and checks it; says in how many steps. */
    int run() {
        settle();
        world.invariants().atRest(world.topics().requests.size());
        world.advance(Protocol.SETTINGS.dedupRetention().plusDays(1), Moves.timeout());
        RequestId last = new RequestId("last");
        world.send(last, Kind.PLAIN + "/0", false, Optional.of(world.now()), Optional.empty());
        settle();
        world.invariants().atRest(world.topics().requests.size());
        unless(
                world.stores().states().stream().map(RequestState::id).toList().equals(List.of(last)),
                "BOUNDED",
                "requests-by-id",
                "more is left than the last request");
        unless(
                world.stores().all(Timer.Kind.STASH).isEmpty(),
                "BOUNDED",
                "early-responses",
                "a stash is left after its time");
        return steps;
    }

    /** Goes on until nothing more happens. */
    void settle() {
        world.jvm(0).pause(false);
        world.jvm(1).pause(false);
        world.processes().all().forEach(world.processes()::journalUp);
        if (Moves.other(world).isStalled()) {
            world.processes().wake();
        }
        world.protocol().policy().fix();
        while (goOn()) {
            steps++;
            unless(
                    steps < limit,
                    "G1",
                    "settlement",
                    "does not come to rest: " + world.stores().states());
        }
    }

    private boolean goOn() {
        return commit() || read() || finishCalls() || carryOut() || fire() || askPeople() || waitForTimer();
    }

    private boolean commit() {
        if (world.inTransaction()) {
            world.commit();
            return true;
        }
        return false;
    }

    private boolean read() {
        for (Input input : Input.values()) {
            if (world.hasUnread(input)) {
                world.read(input);
                return true;
            }
        }
        return false;
    }

    private boolean finishCalls() {
        for (boolean ended : new boolean[] {true, false}) {
            for (Moves.Running running : Moves.calls(world, ended)) {
                if (!ended) {
                    running.call()
                            .end(new Jvm.Result.Body("answer-" + running.call().name()));
                }
                world.calls().journal(running.jvm(), running.call(), true);
                return true;
            }
        }
        return false;
    }

    private boolean carryOut() {
        Connector connector = world.connector();
        if (world.hasUnreadEffect()) {
            connector.execute(world.nextEffect(), Result.SUCCEEDED, true, world.now());
        } else if (connector.awaitsCallback()) {
            connector.callback(0, true, world.now());
        } else if (connector.hasUnknown()) {
            connector.probe(0, world.now());
        } else if (connector.hasUnpublished()) {
            world.topics().outcomes.add(connector.publish(0, false));
        } else {
            return false;
        }
        return true;
    }

    private boolean fire() {
        for (Timer.Kind kind : KINDS) {
            if (world.isDue(kind)) {
                world.fire(kind, 0);
                return true;
            }
        }
        return false;
    }

    private boolean askPeople() {
        for (RequestState state : world.stores().states()) {
            if (state instanceof Held held) {
                decide(held);
                return true;
            }
        }
        return false;
    }

    private void decide(Held held) {
        switch (held.hold().reason()) {
            case APPROVAL ->
                Moves.command(world, held.id(), isLate(held) ? Verb.REJECT : Verb.APPROVE, Optional.empty());
            case POLICY_ERROR, PROCESSING_ERROR -> Moves.command(world, held.id(), Verb.RETRY, Optional.empty());
            case EFFECT_UNKNOWN, EFFECT_FAILED, BILLING_FAILED, COMPENSATION_STUCK -> decideOnEffects(held);
        }
    }

    private void decideOnEffects(Held held) {
        Connector connector = world.connector();
        Optional<EffectId> unknown =
                effects(held, Progress.Status.UNKNOWN).stream().findFirst();
        Optional<EffectId> hopeless = effects(held, Progress.Status.FAILED).stream()
                .filter(id -> id.undo() || held.hold().failure().isEmpty())
                .filter(connector::isHopeless)
                .findFirst();
        if (unknown.isPresent()) {
            boolean carriedOut = connector.carriedOut(unknown.get());
            Moves.command(world, held.id(), carriedOut ? Verb.RESOLVE_SUCCEEDED : Verb.RESOLVE_FAILED, unknown);
        } else if (hopeless.isPresent()) {
            Moves.command(world, held.id(), Verb.SKIP, hopeless);
        } else {
            Moves.command(world, held.id(), Verb.RETRY, Optional.empty());
        }
    }

    /** Past its deadline a held request can only be rejected. */
    private boolean isLate(Held held) {
        return held.identity()
                .deadline()
                .filter(deadline ->
                        !deadline.isAfter(world.moment(world.task().jvm()).now()))
                .isPresent();
    }

    private static List<EffectId> effects(Held held, Progress.Status status) {
        List<EffectId> effects = new ArrayList<>();
        for (EffectStep step : held.plan().steps()) {
            EffectId id = new EffectId(held.id(), 0, step.step(), false);
            if (step.forward().status() == status) {
                effects.add(id);
            }
            if (step.undo().filter(undo -> undo.status() == status).isPresent()) {
                effects.add(id.compensation());
            }
        }
        return effects;
    }

    private boolean waitForTimer() {
        Optional<Duration> gap = world.stores()
                .nextWallClock()
                .map(due -> Duration.between(world.moment(world.task().jvm()).now(), due));
        gap.ifPresent(wait -> world.advance(wait.isNegative() ? Duration.ZERO : wait, Moves.timeout()));
        return gap.isPresent();
    }
}
