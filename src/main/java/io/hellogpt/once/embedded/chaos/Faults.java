package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.OnceInstance;
import io.hellogpt.once.embedded.chaos.FaultSequence.Draw;
import io.hellogpt.once.embedded.chaos.Rig.Member;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Makes a fault out of a draw: finds something it can hit at this moment. */
final class Faults {
    /** Of three brokers one may be away: with two, nothing can be written, which is an outage and not a fault. */
    private static final String A_BROKER = "a broker";

    private final Rig rig;
    private final ProcessFaults processes;
    private final NetworkFaults networks;
    private final WorldFaults world;

    Faults(Rig rig, ChaosSettings settings, Supervisor supervisor, FaultLog log) {
        this.rig = rig;
        this.processes = new ProcessFaults(supervisor, log);
        this.networks = new NetworkFaults();
        this.world = new WorldFaults(rig, settings, supervisor);
    }

    /** Which types this machine allows, and why not the others. */
    static List<FaultType> available(Rig rig) {
        return FaultType.all().stream()
                .filter(type -> type.kind() != FaultKind.DISK_FULL || rig.disk().isPresent())
                .filter(type ->
                        type.kind() != FaultKind.CLOCK_SKEWED || rig.clock().isPresent())
                .toList();
    }

    /** For each kind this machine does not allow, what it lacks. */
    static List<String> unavailable(Rig rig) {
        return List.of(
                        rig.disk().map(there -> "").orElse("disk_full: a tmpfs cannot be mounted here"),
                        rig.clock().map(there -> "").orElse("clock_skewed: libfaketime is not installed here"))
                .stream()
                .filter(why -> !why.isEmpty())
                .toList();
    }

    /**
     * The fault itself.
     *
     * @param taken what other faults are touching
     * @return empty when there is nothing to hit at this moment
     */
    Optional<Fault> make(Draw draw, Set<String> taken) {
        Predicate<Fault> free = fault -> fault.claims().stream().noneMatch(taken::contains);
        List<Fault> candidates = candidates(draw).stream().filter(free).toList();
        return candidates.isEmpty() ? Optional.empty() : Optional.of(candidates.get(draw.dice() % candidates.size()));
    }

    private List<Fault> candidates(Draw draw) {
        FaultType type = draw.type();
        return switch (type.kind()) {
            case KILLED ->
                members(type).map(each -> processes.kill(each, claims(each))).toList();
            case TERMINATED ->
                members(type)
                        .map(each -> processes.terminate(each, claims(each)))
                        .toList();
            case PAUSED ->
                members(type).map(each -> processes.pause(each, claims(each))).toList();
            case DATABASE_RESTARTED ->
                rig.members().stream()
                        .filter(each -> each.role() == Role.DATABASE)
                        .map(each -> processes.restart(each, claims(each)))
                        .toList();
            case CUT -> links(type).map(networks::cut).toList();
            case DELAYED ->
                links(type).map(link -> networks.delay(link, draw.dice())).toList();
            case RESET -> links(type).map(networks::reset).toList();
            case STATE_LOST -> rig.regulars().stream().map(world::loseState).toList();
            case DISK_FULL -> world.fillDisk().stream().toList();
            case TRANSACTION_ABORTED -> List.of(world.abortTransactions());
            case INSTANCE_ADDED -> List.of(world.addInstance());
            case CLOCK_SKEWED -> world.skewClock(draw.dice()).stream().toList();
            case MODEL_LOCKED_OUT -> List.of(world.lockOut());
        };
    }

    private Stream<Member> members(FaultType type) {
        return rig.members().stream()
                .filter(each -> each.role().key().equals(type.where()))
                .filter(each -> !(each.part() instanceof OnceInstance instance && instance == rig.spare()))
                .filter(each -> each.part().isAlive());
    }

    private Stream<Network.Link> links(FaultType type) {
        return rig.network().links().stream().filter(link -> link.pair().equals(type.where()));
    }

    private static Set<String> claims(Member member) {
        return member.role() == Role.BROKER ? Set.of(member.name(), A_BROKER) : Set.of(member.name());
    }
}
