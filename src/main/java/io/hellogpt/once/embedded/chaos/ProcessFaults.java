package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.ChildPart;
import io.hellogpt.once.embedded.ChildProcess;
import io.hellogpt.once.embedded.chaos.Rig.Member;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Signals to processes. */
final class ProcessFaults {
    private final Supervisor supervisor;
    private final FaultLog log;

    ProcessFaults(Supervisor supervisor, FaultLog log) {
        this.supervisor = supervisor;
        this.log = log;
    }

    /** All at once. */
    Fault kill(List<Member> members, Set<String> claims) {
        List<ChildPart> parts = members.stream().map(Member::part).toList();
        Fault.Action kill = () -> {
            parts.forEach(supervisor::keepDown);
            parts.forEach(ChildPart::kill);
        };
        return Fault.sure(
                names(members),
                claims,
                kill,
                () -> parts.forEach(supervisor::bringUp),
                () -> parts.forEach(ChildPart::awaitReady));
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

    /** All at once. */
    Fault pause(List<Member> members, Set<String> claims) {
        List<ChildPart> parts = members.stream().map(Member::part).toList();
        Fault.Action stop = () -> {
            // Not missed while they are silent.
            parts.forEach(supervisor::keepDown);
            parts.forEach(ChildPart::pause);
        };
        Fault.Action resume = () -> {
            parts.forEach(ChildPart::resume);
            parts.forEach(supervisor::leaveAlone);
        };
        return Fault.sure(names(members), claims, stop, resume, () -> parts.forEach(ChildPart::awaitReady));
    }

    private static String names(List<Member> members) {
        return members.stream().map(Member::name).collect(Collectors.joining(" and "));
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
