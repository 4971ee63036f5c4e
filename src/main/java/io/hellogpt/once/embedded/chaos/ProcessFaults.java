package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.ChildPart;
import io.hellogpt.once.embedded.ChildProcess;
import io.hellogpt.once.embedded.chaos.Rig.Member;
import java.util.Optional;
import java.util.Set;

/** Signals to processes. */
final class ProcessFaults {
    private final Supervisor supervisor;
    private final FaultLog log;

    ProcessFaults(Supervisor supervisor, FaultLog log) {
        this.supervisor = supervisor;
        this.log = log;
    }

    Fault kill(Member member, Set<String> claims) {
        ChildPart part = member.part();
        Fault.Action kill = () -> {
            supervisor.keepDown(part);
            part.kill();
        };
        return Fault.sure(member.name(), claims, kill, () -> supervisor.bringUp(part), part::awaitReady);
    }

    Fault terminate(Member member, Set<String> claims) {
        ChildPart part = member.part();
        Fault.Action terminate = () -> {
            supervisor.keepDown(part);
            part.child().ifPresent(ChildProcess::terminate);
        };
        Fault.Action start = () -> {
            end(part);
            supervisor.bringUp(part);
        };
        return Fault.sure(member.name(), claims, terminate, start, part::awaitReady);
    }

    Fault pause(Member member, Set<String> claims) {
        ChildPart part = member.part();
        Fault.Action stop = () -> {
            // Not missed while it is silent.
            supervisor.keepDown(part);
            part.pause();
        };
        Fault.Action resume = () -> {
            part.resume();
            supervisor.leaveAlone(part);
        };
        return Fault.sure(member.name(), claims, stop, resume, part::awaitReady);
    }

    /** Stopped in order, and started again at once. */
    Fault restart(Member member, Set<String> claims) {
        ChildPart part = member.part();
        Fault.Action stop = () -> {
            supervisor.keepDown(part);
            part.stop();
        };
        return Fault.sure(member.name(), claims, stop, () -> supervisor.bringUp(part), part::awaitReady);
    }

    /** Waits for an orderly end; one that does not come is a finding, and a kill. */
    private void end(ChildPart part) {
        Optional<ChildProcess> ending = part.child();
        if (ending.isPresent() && !ending.get().awaitExit(Rig.stopTimeout())) {
            log.incident(
                    part.name() + " had not ended " + Rig.stopTimeout().toSeconds() + " s after SIGTERM and was killed",
                    true);
        }
        // The database's server is a process of its own, which this takes down in either case.
        part.kill();
    }
}
