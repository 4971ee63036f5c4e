package io.hellogpt.once.simulation;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.EffectPlan;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.simulation.Topics.Input;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What each {@link Move} does to a world. */
final class Moves {
    /** One transaction in this many is left open for the next step to join. */
    private static final int LEFT_OPEN = 4;

    private static final CallError.Kind[] ERRORS = {
        CallError.Kind.RETRYABLE,
        CallError.Kind.RETRYABLE,
        CallError.Kind.RETRYABLE,
        CallError.Kind.UNAUTHORIZED,
        CallError.Kind.REJECTED,
        CallError.Kind.TOO_LARGE
    };
    private static final Result[] RESULTS = {
        Result.SUCCEEDED,
        Result.SUCCEEDED,
        Result.SUCCEEDED,
        Result.SUCCEEDED,
        Result.RETRYABLE,
        Result.RETRYABLE,
        Result.AWAITING_CALLBACK,
        Result.UNKNOWN,
        Result.FAILED,
        Result.MALFORMED
    };
    private static final Duration[] JUMPS = {
        Duration.ofMillis(1),
        Duration.ofMillis(200),
        Duration.ofSeconds(2),
        Duration.ofSeconds(30),
        Duration.ofSeconds(75)
    };

    private Moves() {}

    static Jvm other(World world) {
        return world.processes().other();
    }

    static long skew(int pick) {
        return switch (pick % 5) {
            case 0 -> -3_600_000;
            case 1 -> 3_600_000;
            default -> 0;
        };
    }

    static Sent sent(World world, int pick) {
        return world.topics().requests.get(pick % world.topics().requests.size());
    }

    static void send(World world, int pick) {
        RequestId id = new RequestId("r" + world.topics().requests.size());
        Optional<Instant> created = pick % 4 == 0 ? Optional.empty() : Optional.of(world.now());
        Optional<Instant> deadline =
                pick / 4 % 4 == 0 ? Optional.of(world.now().plusSeconds(10 + 50 * (pick / 16 % 4))) : Optional.empty();
        world.send(id, Kind.pick(pick / 64) + "/0", isMisplaced(pick), created, deadline);
    }

    private static boolean isMisplaced(int pick) {
        return pick / 1024 % 3 == 0;
    }

    static void sendAgain(World world, int pick, int variantOn) {
        Sent first = sent(world, pick);
        String content = first.fingerprint().hex();
        int slash = content.indexOf('/');
        int variant = Integer.parseInt(content.substring(slash + 1));
        world.send(
                first.id(),
                content.substring(0, slash + 1) + (variant + variantOn) % 2,
                isMisplaced(pick),
                first.request().createdAt(),
                first.request().deadline());
    }

    static void read(World world, Input input, int pick) {
        world.read(input);
        settleDown(world, pick);
    }

    static void fire(World world, Timer.Kind kind, int pick) {
        world.fire(kind, pick / LEFT_OPEN);
        settleDown(world, pick);
    }

    private static void settleDown(World world, int pick) {
        if (pick % LEFT_OPEN != 0) {
            world.commit();
        }
    }

    static void reread(World world, int pick) {
        Sent sent = world.topics().requests.get(pick / LEFT_OPEN % world.position(Input.REQUESTS));
        boolean original = world.stores()
                .state(sent.id())
                .filter(state -> state.identity().source().equals(sent.position()))
                .isPresent();
        if (original) {
            world.readOnceMore(sent);
            settleDown(world, pick);
        }
    }

    static Jvm.Result error(CallError.Kind kind) {
        return new Jvm.Result.Error(new CallError(kind, "simulated", Optional.empty()));
    }

    static Jvm.Result timeout() {
        return error(CallError.Kind.RETRYABLE);
    }

    /** A call and the process it runs in. */
    record Running(Jvm jvm, Jvm.Call call) {}

    static List<Running> calls(World world, boolean ended) {
        List<Running> calls = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Jvm jvm = world.jvm(i);
            for (Jvm.Call call : jvm.calls()) {
                if (call.result().isPresent() == ended) {
                    calls.add(new Running(jvm, call));
                }
            }
        }
        return calls;
    }

    static boolean isCalling(World world) {
        return !calls(world, false).isEmpty();
    }

    static boolean isEnded(World world) {
        return !calls(world, true).isEmpty();
    }

    private static Running pick(World world, boolean ended, int pick) {
        List<Running> calls = calls(world, ended);
        return calls.get(pick % calls.size());
    }

    static void answer(World world, int pick) {
        Running running = pick(world, false, pick / 32);
        String text = (pick % 32 == 1 ? "large-" : "answer-") + running.call().name();
        running.call().end(new Jvm.Result.Body(text));
        world.calls().journal(running.jvm(), running.call(), true);
    }

    static void answerTwice(World world, int pick) {
        Running running = pick(world, false, pick);
        running.call().end(new Jvm.Result.Body("answer-" + running.call().name()));
        world.calls().journal(running.jvm(), running.call(), false);
        running.call().end(new Jvm.Result.Body("another-" + running.call().name()));
        world.calls().journal(running.jvm(), running.call(), true);
    }

    static void fail(World world, int pick) {
        Running running = pick(world, false, pick / ERRORS.length);
        running.call().end(error(ERRORS[pick % ERRORS.length]));
        world.calls().journal(running.jvm(), running.call(), true);
    }

    static void holdAnswer(World world, int pick) {
        Running running = pick(world, false, pick);
        running.call().end(new Jvm.Result.Body("answer-" + running.call().name()));
    }

    static void journalEnded(World world, int pick, boolean acknowledged) {
        Running running = pick(world, true, pick);
        world.calls().journal(running.jvm(), running.call(), acknowledged);
    }

    static void advance(World world, int pick) {
        int choice = pick % (JUMPS.length + 2);
        Duration jump = choice < JUMPS.length
                ? JUMPS[choice]
                : world.stores()
                        .nextWallClock()
                        .map(due -> Duration.between(
                                world.moment(world.task().jvm()).now(), due))
                        .filter(gap -> !gap.isNegative())
                        .orElse(Duration.ofMillis(1));
        world.advance(jump, timeout());
    }

    /** Some hours on, or to the very moment in which a request that was sent leaves the dedup window. */
    static void advanceFar(World world, int pick) {
        Duration some = Duration.ofMinutes(20 + 60 * (pick % 3));
        Optional<Duration> toTheEdge = world.topics().requests.isEmpty() || pick / 3 % 2 == 0
                ? Optional.empty()
                : sent(world, pick / 6)
                        .request()
                        .createdAt()
                        .map(created -> Duration.between(world.now(), created.plus(Protocol.SETTINGS.dedupRetention())))
                        .filter(left -> !left.isNegative());
        world.advance(toTheEdge.orElse(some), timeout());
    }

    static void execute(World world, int pick) {
        Effect effect = world.nextEffect();
        Result wish = RESULTS[pick % RESULTS.length];
        boolean local = effect.id().step() == EffectPlan.BILLING;
        if (local && (wish == Result.UNKNOWN || wish == Result.AWAITING_CALLBACK)) {
            wish = Result.SUCCEEDED;
        }
        world.connector().execute(effect, wish, pick / RESULTS.length % 2 == 0, world.now());
    }

    static void forge(World world, int pick) {
        List<RequestState> states = world.stores().states();
        RequestState state = states.get(pick / 16 % states.size());
        boolean otherLife = pick % 2 == 0;
        EffectId id = new EffectId(state.id(), 0, otherLife ? pick % 4 : 9, pick % 8 > 3);
        Instant receivedAt = state.identity().receivedAt();
        world.connector().forge(id, otherLife ? receivedAt.minusSeconds(1) : receivedAt, world.now());
    }

    static void command(World world, int pick) {
        List<RequestState> states = world.stores().states();
        RequestState state = states.get(pick % states.size());
        Verb[] verbs = Verb.values();
        Verb verb = verbs[pick / 8 % verbs.length];
        Optional<EffectId> effect = switch (verb) {
            case RESOLVE_SUCCEEDED, RESOLVE_FAILED, SKIP -> stuck(state, pick / 64);
            case RETRY, CANCEL, APPROVE, REJECT -> Optional.empty();
        };
        command(world, state.id(), verb, effect);
    }

    static void command(World world, RequestId id, Verb verb, Optional<EffectId> effect) {
        world.topics()
                .commands
                .add(new OperatorCommand(
                        "command-" + world.topics().commands.size(),
                        id,
                        verb,
                        effect,
                        "operator",
                        "simulated",
                        world.now()));
    }

    /** An effect a person can do something about, or any. */
    private static Optional<EffectId> stuck(RequestState state, int pick) {
        if (!(state instanceof RequestState.Open open)) {
            return Optional.empty();
        }
        List<EffectId> candidates = new ArrayList<>();
        for (EffectStep step : open.plan().steps()) {
            EffectId id = new EffectId(state.id(), 0, step.step(), false);
            if (isStuck(step.forward())) {
                candidates.add(id);
            }
            step.undo().filter(Moves::isStuck).ifPresent(undo -> candidates.add(id.compensation()));
        }
        return candidates.isEmpty()
                ? Optional.of(new EffectId(state.id(), 0, pick % 4, pick % 8 == 0))
                : Optional.of(candidates.get(pick % candidates.size()));
    }

    private static boolean isStuck(Progress progress) {
        return progress.status() == Progress.Status.UNKNOWN || progress.status() == Progress.Status.FAILED;
    }
}
