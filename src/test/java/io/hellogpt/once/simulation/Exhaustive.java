package io.hellogpt.once.simulation;

import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.simulation.Topics.Input;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Runs a small world in every order of its steps, with at most {@link #FAULTS} faults. Worlds that are the same are gone on from
 * once; each that has nothing left to do must have kept everything. A world cannot be copied, so it is made again from its steps.
 */
final class Exhaustive {
    static final int FAULTS = 3;
    private static final int MOST_STATES = 400_000;

    private final Supplier<Protocol> protocol;
    private final Start start;
    private final List<Choice> choices = new ArrayList<>();
    private final Map<Key, Double> known = new HashMap<>();
    private long steps;

    Exhaustive(Supplier<Protocol> protocol, Start start, List<Choice> faults) {
        this.protocol = protocol;
        this.start = start;
        this.choices.addAll(PROGRESS);
        this.choices.addAll(faults);
    }

    /** A world by two hashes of all there is in it: 64 bits, where some hundred thousand worlds are told apart. */
    private record Key(int faults, int hash, int textHash) {
        static Key of(int faults, World world) {
            List<Object> contents = world.contents();
            return new Key(faults, contents.hashCode(), contents.toString().hashCode());
        }
    }

    /** What can happen next. */
    record Choice(String name, boolean fault, Predicate<World> possible, Consumer<World> made) {}

    /** What a world begins with. */
    record Start(Consumer<World> given) {
        static Start requests(Kind... kinds) {
            return new Start(world -> {
                for (int i = 0; i < kinds.length; i++) {
                    world.send(
                            new RequestId("r" + i), kinds[i] + "/0", false, Optional.of(world.now()), Optional.empty());
                }
            });
        }

        /** Two requests of one id in the same millisecond, one of them in the wrong partition. */
        static Start conflict() {
            return new Start(world -> {
                RequestId id = new RequestId("r0");
                world.send(id, Kind.PLAIN + "/0", true, Optional.of(world.now()), Optional.empty());
                world.send(id, Kind.PLAIN + "/1", false, Optional.of(world.now()), Optional.empty());
            });
        }
    }

    /** What came of it; the number of interleavings counts every path from the start to a world at rest or seen before. */
    record Searched(int states, double interleavings, long steps, Optional<Violation> violation, List<String> path) {
        @Override
        public String toString() {
            return "%d states, %.3g interleavings, %d steps%s"
                    .formatted(
                            states,
                            interleavings,
                            steps,
                            violation
                                    .map(v -> ", " + v.getMessage() + " by " + path)
                                    .orElse(""));
        }
    }

    private static final List<Choice> PROGRESS = List.of(
            step("read request", world -> world.hasUnread(Input.REQUESTS), world -> world.read(Input.REQUESTS)),
            step("read rerouted", world -> world.hasUnread(Input.REROUTED), world -> world.read(Input.REROUTED)),
            step("read journal", world -> world.hasUnread(Input.JOURNAL), world -> world.read(Input.JOURNAL)),
            step("read outcome", world -> world.hasUnread(Input.OUTCOMES), world -> world.read(Input.OUTCOMES)),
            step("read command", world -> world.hasUnread(Input.COMMANDS), world -> world.read(Input.COMMANDS)),
            step("commit", World::inTransaction, World::commit),
            step("pump", world -> world.isDue(Timer.Kind.PENDING), world -> world.fire(Timer.Kind.PENDING, 0)),
            step("answer the first", Moves::isCalling, world -> Moves.answer(world, 0)),
            step("answer the second", world -> Moves.calls(world, false).size() > 1, world -> Moves.answer(world, 32)),
            step(
                    "execute",
                    World::hasUnreadEffect,
                    world -> world.connector().execute(world.nextEffect(), Result.SUCCEEDED, true, world.now())),
            step(
                    "publish",
                    world -> world.connector().hasUnpublished(),
                    world -> world.topics().outcomes.add(world.connector().publish(0, false))),
            step(
                    "call back",
                    world -> world.connector().awaitsCallback(),
                    world -> world.connector().callback(0, true, world.now())));

    private static Choice step(String name, Predicate<World> possible, Consumer<World> made) {
        return new Choice(name, false, possible, made);
    }

    private static Choice fault(String name, Predicate<World> possible, Consumer<World> made) {
        return new Choice(name, true, possible, made);
    }

    static Choice abort() {
        return fault("abort", World::inTransaction, world -> world.processes().abort(false, false));
    }

    static Choice crash() {
        return fault(
                "crash",
                world -> true,
                world -> world.processes().crash(world.processes().owner(), true, 0));
    }

    static Choice migrate() {
        return fault("migrate", world -> true, world -> world.processes().migrate(false));
    }

    /** Cut off, and back at some time. */
    static Choice stall() {
        return fault("stall or wake", world -> true, world -> {
            if (Moves.other(world).isStalled()) {
                world.processes().wake();
            } else {
                world.processes().stall();
            }
        });
    }

    static Choice secondAnswer() {
        return fault("answer twice", Moves::isCalling, world -> Moves.answerTwice(world, 0));
    }

    static Choice failedEffect() {
        return fault(
                "effect fails",
                World::hasUnreadEffect,
                world -> world.connector()
                        .execute(
                                world.nextEffect(),
                                world.nextEffect().id().step() == 0 ? Result.SUCCEEDED : Result.FAILED,
                                false,
                                world.now()));
    }

    static Choice awaitedCallback() {
        return fault(
                "effect waits for its callback",
                world -> world.hasUnreadEffect() && world.nextEffect().id().step() > 0,
                world -> world.connector().execute(world.nextEffect(), Result.AWAITING_CALLBACK, false, world.now()));
    }

    static Choice outcomeAgain() {
        return fault(
                "outcome twice and late",
                world -> world.connector().hasUnpublished(),
                world -> world.topics().outcomes.add(world.connector().publish(0, true)));
    }

    static Choice cancel() {
        return fault(
                "cancel",
                world -> !world.stores().states().isEmpty(),
                world -> Moves.command(world, new RequestId("r0"), Verb.CANCEL, Optional.empty()));
    }

    Searched search() {
        List<Choice> path = new ArrayList<>();
        try {
            double interleavings = go(path, 0);
            return new Searched(known.size(), interleavings, steps, Optional.empty(), List.of());
        } catch (Found found) {
            return new Searched(known.size(), 0, steps, Optional.of(found.violation), found.path);
        }
    }

    private static final class Found extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Violation violation;
        private final transient List<String> path;

        Found(Violation violation, List<Choice> path) {
            super(violation);
            this.violation = violation;
            this.path = path.stream().map(Choice::name).toList();
        }
    }

    /** In how many ways it goes on from here. */
    private double go(List<Choice> path, int faults) {
        World world = replay(path);
        Key seen = Key.of(faults, world);
        Double before = known.get(seen);
        if (before != null) {
            return before;
        }
        if (known.size() >= MOST_STATES) {
            throw new IllegalStateException("more than " + MOST_STATES + " states: the world is not small");
        }
        double ways = 0;
        for (Choice choice : choices) {
            boolean allowed = !choice.fault() || faults < FAULTS;
            if (allowed && choice.possible().test(world)) {
                path.add(choice);
                ways += go(path, choice.fault() ? faults + 1 : faults);
                path.removeLast();
            }
        }
        if (ways == 0 || isQuiet(world)) {
            settle(path);
            ways += 1;
        }
        known.put(seen, ways);
        return ways;
    }

    private boolean isQuiet(World world) {
        return choices.stream()
                .filter(choice -> !choice.fault())
                .noneMatch(choice -> choice.possible().test(world));
    }

    private World replay(List<Choice> path) {
        try {
            World world = new World(protocol.get());
            start.given().accept(world);
            for (Choice choice : path) {
                steps++;
                choice.made().accept(world);
            }
            return world;
        } catch (RuntimeException broken) {
            throw new Found(violation(broken), path);
        }
    }

    /** Nothing goes on by itself any more: now everything must end. */
    private void settle(List<Choice> path) {
        World world = replay(path);
        try {
            new Settlement(world).run();
        } catch (RuntimeException broken) {
            throw new Found(violation(broken), path);
        }
    }

    private static Violation violation(RuntimeException broken) {
        return broken instanceof Violation known ? known : new Violation("THREW", broken.toString(), broken);
    }
}
