package io.hellogpt.once.simulation;

import io.hellogpt.once.core.JournalRecord;
import java.util.List;

/** Two processes, one of which owns the task, and what can happen to them. */
final class Processes {
    private final World world;
    private final Invariants invariants;
    private final Transaction transaction;
    private final Jvm[] jvms = new Jvm[2];
    private int serial;
    private Task task;

    Processes(World world, Invariants invariants, Transaction transaction) {
        this.world = world;
        this.invariants = invariants;
        this.transaction = transaction;
        jvms[0] = newJvm(0);
        jvms[1] = newJvm(0);
    }

    void begin() {
        startTask(0);
    }

    private Jvm newJvm(long skewMillis) {
        return new Jvm("jvm-" + serial++, skewMillis);
    }

    List<Jvm> all() {
        return List.of(jvms);
    }

    Jvm jvm(int index) {
        return jvms[index];
    }

    Task task() {
        return task;
    }

    int owner() {
        return task.jvm() == jvms[0] ? 0 : 1;
    }

    Jvm other() {
        return jvms[1 - owner()];
    }

    private void startTask(int index) {
        task = new Task(world, jvms[index], "barrier-" + serial++);
        invariants.taskStarted();
        task.init();
    }

    /** The transaction is aborted; the task is closed and begins anew, here or in the other process. */
    void abort(boolean elsewhere, boolean handoverFails) {
        transaction.rollBack();
        handOver(task.jvm(), handoverFails);
        startTask(elsewhere ? 1 - owner() : owner());
    }

    /** The task moves to the other process in good order. */
    void migrate(boolean handoverFails) {
        transaction.commit();
        handOver(task.jvm(), handoverFails);
        startTask(1 - owner());
    }

    /** Written by a closing task; when that fails, the next owner cannot tell the calls from those of a dead process. */
    private void handOver(Jvm jvm, boolean fails) {
        List<JournalRecord.RunningCall> calls = jvm.unsettled();
        if (calls.isEmpty()) {
            return;
        }
        if (fails || jvm.isJournalDown()) {
            jvm.calls().forEach(call -> invariants.crashHit(call.call()));
        } else if (world.protocol().handsOver()) {
            world.calls().write(new JournalRecord.Handover(jvm.instance(), calls));
        }
    }

    /** A process dies and is started again; if it owned the task, the task begins in one of the two. */
    void crash(int index, boolean elsewhere, long skewMillis) {
        boolean owned = owner() == index;
        if (owned) {
            transaction.rollBack();
        }
        jvms[index].calls().forEach(call -> invariants.crashHit(call.call()));
        jvms[index] = newJvm(skewMillis);
        if (owned) {
            startTask(elsewhere ? 1 - index : index);
        }
    }

    /** The owner is cut off: the group gives its task away, and it hands nothing over until it wakes. */
    void stall() {
        transaction.rollBack();
        Jvm cutOff = task.jvm();
        cutOff.calls().forEach(call -> invariants.crashHit(call.call()));
        cutOff.stall();
        startTask(1 - owner());
    }

    /** A cut-off process is back, finds itself fenced and closes its task. */
    void wake() {
        other().wake();
        handOver(other(), false);
    }

    /** A process is stopped in good order: the task moves, the calls that still run are given up. */
    void shutDown(Jvm.Result givenUp, int index) {
        if (owner() == index) {
            migrate(false);
        }
        Jvm stopped = jvms[index];
        for (Jvm.Call call : stopped.calls()) {
            if (call.result().isEmpty()) {
                call.end(givenUp);
            }
            if (stopped.isJournalDown()) {
                invariants.crashHit(call.call());
            }
            world.calls().journal(stopped, call, true);
        }
        jvms[index] = newJvm(0);
    }

    /** The journal cannot be written from the owner's process, or can again; what waited is written in its order. */
    void toggleJournal() {
        Jvm jvm = task.jvm();
        if (jvm.isJournalDown()) {
            journalUp(jvm);
        } else {
            jvm.journalDown();
        }
    }

    void journalUp(Jvm jvm) {
        jvm.journalUp().forEach(record -> world.calls().write(record));
    }

    /** Written by the process itself, late while its journal is down. */
    void write(Jvm jvm, JournalRecord record) {
        if (jvm.isJournalDown()) {
            jvm.delay(record);
        } else {
            world.calls().write(record);
        }
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        return List.of(jvms[0].contents(), jvms[1].contents(), task.contents());
    }
}
