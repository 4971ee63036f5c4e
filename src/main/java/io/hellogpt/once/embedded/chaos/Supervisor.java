package io.hellogpt.once.embedded.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.embedded.ChildPart;
import io.hellogpt.once.embedded.ConnectRest;
import io.hellogpt.once.embedded.EmbeddedConnectWorker;
import io.hellogpt.once.embedded.EmbeddedException;
import io.hellogpt.once.embedded.chaos.Rig.Member;
import io.hellogpt.once.ops.ExitCode;
import java.util.HashSet;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Starts again what ended without being told to, as systemd or Kubernetes would, and restarts tasks that have failed, as a person would.
 * Each time it has to is an incident. Safe for use by several threads.
 */
final class Supervisor implements AutoCloseable {
    private static final long ROUND_MILLIS = 500;
    private static final int ROUNDS_PER_TASK_CHECK = 8;

    private final Rig rig;
    private final FaultLog log;
    private final Set<ChildPart> down = new HashSet<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("chaos-supervisor").unstarted(this::run);
    private CompletableFuture<Void> taskCheck = CompletableFuture.completedFuture(null);
    private volatile boolean on = true;

    private Supervisor(Rig rig, FaultLog log) {
        this.rig = rig;
        this.log = log;
        down.add(rig.spare());
    }

    static Supervisor start(Rig rig, FaultLog log) {
        Supervisor supervisor = new Supervisor(rig, log);
        supervisor.thread.start();
        return supervisor;
    }

    /** It is meant to be down, or silent, from now on. */
    synchronized void keepDown(ChildPart part) {
        down.add(part);
    }

    /** Starts it, without waiting until it is ready; from now on it is meant to be up. */
    synchronized void bringUp(ChildPart part) {
        if (!part.isAlive()) {
            part.launch();
        }
        down.remove(part);
    }

    /** It runs, and is meant to from now on. */
    synchronized void leaveAlone(ChildPart part) {
        down.remove(part);
    }

    private void run() {
        try {
            for (int round = 0; on; round++) {
                TimeUnit.MILLISECONDS.sleep(ROUND_MILLIS);
                rig.members().forEach(this::revive);
                if (round % ROUNDS_PER_TASK_CHECK == 0 && taskCheck.isDone()) {
                    // A worker that is cut off may take long to answer.
                    taskCheck = Together.start(this::restartFailedTasks);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void revive(Member member) {
        if (on && !down.contains(member.part()) && !member.part().isAlive()) {
            int code = member.part().exitCode().orElseThrow();
            log.incident(
                    "%s ended by itself with code %d and is started again".formatted(member.name(), code),
                    callsBreakWith(member.role()),
                    gaveUp(member.role(), code));
            member.part().launch();
        }
    }

    /** Without a cluster an instance cannot start; what else ends it, it has to live with. */
    static boolean gaveUp(Role role, int exitCode) {
        return role == Role.INSTANCE && exitCode != ExitCode.UNREACHABLE.code();
    }

    private static boolean callsBreakWith(Role role) {
        return switch (role) {
            case BROKER, INSTANCE, MODEL -> true;
            case WORKER, DATABASE, RECEIVERS, PRODUCER -> false;
        };
    }

    private void restartFailedTasks() {
        for (EmbeddedConnectWorker worker : rig.workers()) {
            if (isUp(worker) && askForFailedTasks(worker.rest())) {
                return;
            }
        }
    }

    private synchronized boolean isUp(EmbeddedConnectWorker worker) {
        return worker.isAlive() && !down.contains(worker);
    }

    /** Whether the worker could be asked; the other one knows the same. */
    private boolean askForFailedTasks(ConnectRest rest) {
        try {
            JsonNode tasks = rest.status(Rig.CONNECTOR).orElseThrow().path("tasks");
            for (JsonNode task : tasks) {
                if (task.path("state").asText().equals("FAILED")) {
                    log.incident("a task of the connector had failed and is restarted: " + firstLine(task), false);
                    rest.restartFailed(Rig.CONNECTOR);
                    return true;
                }
            }
            return true;
        } catch (EmbeddedException | NoSuchElementException notNow) {
            return false;
        }
    }

    private static String firstLine(JsonNode task) {
        return task.path("trace").asText().lines().findFirst().orElse("no trace");
    }

    @Override
    public void close() {
        on = false;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
