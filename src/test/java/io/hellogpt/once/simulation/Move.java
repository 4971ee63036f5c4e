package io.hellogpt.once.simulation;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.simulation.Topics.Input;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;

/** What can happen next. */
enum Move {
    /** A producer sends something new. */
    SEND(world -> world.topics().requests.size() < Limits.RECORDS && Limits.ids(world) < Limits.IDS, Moves::send),
    /** A producer sends the same again. */
    SEND_AGAIN(world -> Limits.maySend(world), (world, pick) -> Moves.sendAgain(world, pick, 0)),
    /** A producer uses an id for something else. */
    SEND_CONFLICT(world -> Limits.maySend(world), (world, pick) -> Moves.sendAgain(world, pick, 1)),

    READ_REQUEST(world -> world.hasUnread(Input.REQUESTS), (world, pick) -> Moves.read(world, Input.REQUESTS, pick)),
    READ_REROUTED(world -> world.hasUnread(Input.REROUTED), (world, pick) -> Moves.read(world, Input.REROUTED, pick)),
    READ_JOURNAL(world -> world.hasUnread(Input.JOURNAL), (world, pick) -> Moves.read(world, Input.JOURNAL, pick)),
    READ_OUTCOME(world -> world.hasUnread(Input.OUTCOMES), (world, pick) -> Moves.read(world, Input.OUTCOMES, pick)),
    READ_COMMAND(world -> world.hasUnread(Input.COMMANDS), (world, pick) -> Moves.read(world, Input.COMMANDS, pick)),
    /** An accepted request is read once more from the same offset, as after a reset of the group's offsets. */
    REREAD(world -> world.position(Input.REQUESTS) > 0, Moves::reread),

    COMMIT(World::inTransaction, (world, pick) -> world.commit()),
    /** The transaction is aborted, the task closed and opened again. */
    ABORT(
            World::inTransaction,
            (world, pick) ->
                    world.processes().abort(pick % 2 == 0 && !Moves.other(world).isStalled(), pick / 2 % 8 == 0)),
    CRASH_OWNER(
            world -> true,
            (world, pick) -> world.processes()
                    .crash(
                            world.processes().owner(),
                            pick % 2 == 0 && !Moves.other(world).isStalled(),
                            Moves.skew(pick))),
    CRASH_OTHER(
            world -> true,
            (world, pick) -> world.processes().crash(1 - world.processes().owner(), false, Moves.skew(pick))),
    /** Now and then the handover cannot be written. */
    MIGRATE(
            world -> !Moves.other(world).isStalled(),
            (world, pick) -> world.processes().migrate(pick % 8 == 0)),
    STALL(
            world -> !Moves.other(world).isStalled(),
            (world, pick) -> world.processes().stall()),
    WAKE(
            world -> Moves.other(world).isStalled(),
            (world, pick) -> world.processes().wake()),
    SHUT_DOWN(
            world -> !Moves.other(world).isStalled(),
            (world, pick) -> world.processes().shutDown(Moves.error(CallError.Kind.ABANDONED), pick % 2)),
    /** The journal cannot be written for a while. */
    JOURNAL_DOWN_OR_UP(world -> true, (world, pick) -> world.processes().toggleJournal()),

    ANSWER(Moves::isCalling, Moves::answer),
    /** Two answers for one call, each another. */
    ANSWER_TWICE(Moves::isCalling, Moves::answerTwice),
    FAIL_CALL(Moves::isCalling, Moves::fail),
    /** A call has its answer, but the journal cannot be written yet. */
    HOLD_ANSWER(Moves::isCalling, Moves::holdAnswer),
    /** A result is written, but the acknowledgement is lost. */
    JOURNAL_UNACKNOWLEDGED(Moves::isEnded, (world, pick) -> Moves.journalEnded(world, pick, false)),
    JOURNAL(Moves::isEnded, (world, pick) -> Moves.journalEnded(world, pick, true)),
    /** Dispatch is paused in the owner's process, or goes on. */
    PAUSE(
            world -> true,
            (world, pick) -> world.task().jvm().pause(!world.task().jvm().isPaused())),

    PUMP(world -> world.isDue(Timer.Kind.PENDING), (world, pick) -> Moves.fire(world, Timer.Kind.PENDING, pick)),
    CALL_DEADLINE(
            world -> world.isDue(Timer.Kind.CALL_DEADLINE),
            (world, pick) -> Moves.fire(world, Timer.Kind.CALL_DEADLINE, pick)),
    EFFECT_TIMER(world -> world.isDue(Timer.Kind.EFFECT), (world, pick) -> Moves.fire(world, Timer.Kind.EFFECT, pick)),
    REQUEST_DEADLINE(
            world -> world.isDue(Timer.Kind.REQUEST_DEADLINE),
            (world, pick) -> Moves.fire(world, Timer.Kind.REQUEST_DEADLINE, pick)),
    HOLD_TIMER(world -> world.isDue(Timer.Kind.HOLD), (world, pick) -> Moves.fire(world, Timer.Kind.HOLD, pick)),
    EXPIRE(world -> world.isDue(Timer.Kind.EXPIRY), (world, pick) -> Moves.fire(world, Timer.Kind.EXPIRY, pick)),
    EXPIRE_STASH(world -> world.isDue(Timer.Kind.STASH), (world, pick) -> Moves.fire(world, Timer.Kind.STASH, pick)),
    ADVANCE(world -> true, Moves::advance),
    ADVANCE_FAR(world -> true, Moves::advanceFar),

    EXECUTE(World::hasUnreadEffect, Moves::execute),
    PUBLISH(
            world -> world.connector().hasUnpublished(),
            (world, pick) -> world.topics().outcomes.add(world.connector().publish(pick / 4, pick % 4 == 0))),
    CALLBACK(
            world -> world.connector().awaitsCallback(),
            (world, pick) -> world.connector().callback(pick / 4, pick % 4 != 0, world.now())),
    /** The receiver says the same once more, as another event. */
    CALLBACK_AGAIN(
            world -> world.connector().hasToldByCallback(),
            (world, pick) -> world.connector().tellAgain(pick, world.now())),
    /** A callback for an effect that was never issued, or of another request of the id. */
    FORGED_CALLBACK(world -> !world.stores().states().isEmpty(), Moves::forge),
    PROBE(
            world -> world.connector().hasUnknown(),
            (world, pick) -> world.connector().probe(pick, world.now())),

    COMMAND(world -> Limits.mayCommand(world) && !world.stores().states().isEmpty(), Moves::command),
    COMMAND_AGAIN(
            world -> Limits.mayCommand(world) && !world.topics().commands.isEmpty(),
            (world, pick) -> world.topics()
                    .commands
                    .add(world.topics()
                            .commands
                            .get(pick % world.topics().commands.size()))),
    FIX_POLICY(
            world -> !world.protocol().policy().isFixed(),
            (world, pick) -> world.protocol().policy().fix());

    private final Predicate<World> possible;
    private final ObjIntConsumer<World> made;

    Move(Predicate<World> possible, ObjIntConsumer<World> made) {
        this.possible = possible;
        this.made = made;
    }

    boolean isPossible(World world) {
        return possible.test(world);
    }

    void make(World world, int pick) {
        made.accept(world, pick);
    }

    /** How much there is in one world. */
    private static final class Limits {
        static final int IDS = 5;
        static final int RECORDS = 16;
        static final int COMMANDS = 24;

        static boolean maySend(World world) {
            int size = world.topics().requests.size();
            return size > 0 && size < RECORDS;
        }

        static boolean mayCommand(World world) {
            return world.topics().commands.size() < COMMANDS;
        }

        static long ids(World world) {
            return world.topics().requests.stream().map(Sent::id).distinct().count();
        }
    }
}
