package io.hellogpt.once.simulation;

import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.simulation.Exhaustive.Choice;
import io.hellogpt.once.simulation.Topics.Input;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Worlds of two requests, each the smallest that shows its faults. */
enum SmallWorld implements Exhaustive.Small {
    /** Two calls while the task is aborted, dies and moves. */
    CALLS_AND_PROCESSES(
            world -> sendPair(world),
            calls(),
            fault("abort", World::inTransaction, world -> world.processes().abort(false, false)),
            fault(
                    "crash",
                    world -> true,
                    world -> world.processes().crash(world.processes().owner(), true, 0)),
            fault("migrate", world -> true, world -> world.processes().migrate(false))),
    /** Two calls, one answered twice, while the owner is cut off and comes back. */
    CALLS_AND_A_ZOMBIE(
            world -> sendPair(world),
            calls(),
            fault("cut off, or back", world -> true, SmallWorld::stallOrWake),
            fault("answer twice", Moves::isCalling, world -> Moves.answerTwice(world, 0))),
    /** Two requests of one id, sent in the same millisecond, one of them in the wrong partition. */
    A_CONFLICT(
            world -> sendConflict(world),
            calls(),
            fault("abort", World::inTransaction, world -> world.processes().abort(false, false)),
            fault(
                    "crash",
                    world -> true,
                    world -> world.processes().crash(world.processes().owner(), true, 0))),
    /** Two requests' effects, one of which fails, is told of again, and is cancelled. */
    EFFECTS(
            world -> acknowledgePair(world),
            effects(),
            fault("effect fails", World::hasUnreadEffect, world -> execute(world, Result.FAILED)),
            fault("told again", SmallWorld::hasUnpublished, world -> publish(world, true)),
            fault("cancel", world -> world.topics().commands.size() < 2, SmallWorld::cancel)),
    /** Two requests' effects whose receiver calls back, before and after its response and again, while the task is aborted. */
    CALLBACKS(
            world -> acknowledgePair(world),
            effects(),
            fault(
                    "effect awaits its callback",
                    world -> world.hasUnreadEffect() && world.nextEffect().id().step() > 0,
                    world -> execute(world, Result.AWAITING_CALLBACK)),
            fault("told again", SmallWorld::hasUnpublished, world -> publish(world, true)),
            fault("abort", World::inTransaction, world -> world.processes().abort(false, false)));

    /** What one transaction holds at most. */
    private static final int INPUTS = 2;

    private final Consumer<World> begin;
    private final List<Choice> choices = new ArrayList<>();

    SmallWorld(Consumer<World> begin, List<Choice> progress, Choice... faults) {
        this.begin = begin;
        this.choices.addAll(progress);
        this.choices.addAll(List.of(faults));
    }

    @Override
    public void begin(World world) {
        begin.accept(world);
    }

    @Override
    public List<Choice> choices() {
        return choices;
    }

    private static List<Choice> calls() {
        return List.of(
                read(Input.REQUESTS),
                read(Input.REROUTED),
                read(Input.JOURNAL),
                step("commit", World::inTransaction, World::commit),
                step("pump", SmallWorld::mayPump, world -> world.fire(Timer.Kind.PENDING, 0)),
                step("answer the first", Moves::isCalling, world -> Moves.answer(world, 0)),
                step(
                        "answer the second",
                        world -> Moves.calls(world, false).size() > 1,
                        world -> Moves.answer(world, 32)));
    }

    private static boolean mayPump(World world) {
        return world.isDue(Timer.Kind.PENDING)
                && world.task().isOpen()
                && world.task().jvm().hasSlot()
                && world.inputsInTransaction() < INPUTS;
    }

    private static List<Choice> effects() {
        return List.of(
                read(Input.OUTCOMES),
                read(Input.COMMANDS),
                read(Input.JOURNAL),
                step("commit", World::inTransaction, World::commit),
                step("execute", World::hasUnreadEffect, world -> execute(world, Result.SUCCEEDED)),
                step("publish", SmallWorld::hasUnpublished, world -> publish(world, false)),
                step(
                        "call back",
                        world -> world.connector().awaitsCallback(),
                        world -> world.connector().callback(0, true, world.now())));
    }

    private static Choice read(Input input) {
        return step(
                "read " + input,
                world -> world.hasUnread(input) && world.inputsInTransaction() < INPUTS,
                world -> world.read(input));
    }

    private static Choice step(String name, Predicate<World> possible, Consumer<World> made) {
        return new Choice(name, false, possible, made);
    }

    private static Choice fault(String name, Predicate<World> possible, Consumer<World> made) {
        return new Choice(name, true, possible, made);
    }

    private static void sendPair(World world) {
        send(world, "r0", Kind.PLAIN + "/0", false);
        send(world, "r1", Kind.PLAIN + "/0", false);
    }

    private static void sendConflict(World world) {
        send(world, "r0", Kind.PLAIN + "/0", true);
        send(world, "r0", Kind.PLAIN + "/1", false);
    }

    private static void send(World world, String id, String content, boolean misplaced) {
        world.send(new RequestId(id), content, misplaced, Optional.of(world.now()), Optional.empty());
    }

    /** Both are decided, and their answers billed. */
    private static void acknowledgePair(World world) {
        send(world, "r0", Kind.SINGLE + "/0", false);
        send(world, "r1", Kind.SINGLE + "/0", false);
        world.read(Input.JOURNAL);
        world.read(Input.REQUESTS);
        world.read(Input.REQUESTS);
        world.commit();
        while (Moves.isCalling(world)) {
            Moves.answer(world, 0);
        }
        world.read(Input.JOURNAL);
        world.read(Input.JOURNAL);
        world.commit();
    }

    private static void stallOrWake(World world) {
        if (Moves.other(world).isStalled()) {
            world.processes().wake();
        } else {
            world.processes().stall();
        }
    }

    private static boolean hasUnpublished(World world) {
        return world.connector().hasUnpublished();
    }

    private static void publish(World world, boolean again) {
        world.topics().outcomes.add(world.connector().publish(0, again));
    }

    private static void execute(World world, Result wish) {
        boolean billing = world.nextEffect().id().step() == 0;
        world.connector().execute(world.nextEffect(), billing ? Result.SUCCEEDED : wish, false, world.now());
    }

    private static void cancel(World world) {
        Moves.command(world, new RequestId("r0"), Verb.CANCEL, Optional.empty());
    }
}
