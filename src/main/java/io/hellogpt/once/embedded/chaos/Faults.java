package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.OnceInstance;
import io.hellogpt.once.embedded.chaos.FaultSequence.Draw;
import io.hellogpt.once.embedded.chaos.Rig.Member;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes a fault out of a draw: finds something it can hit at this moment. */
final class Faults {
    /** While one broker is dead another one may be silent: then nothing can be written for a while, and nothing may be lost. */
    private static final String DEAD_BROKER = "a dead broker";

    private static final String SILENT_BROKER = "a silent broker";
    private static final Set<String> BETWEEN_BROKERS = Set.of("broker-broker", FaultType.ONE_AND_THE_OTHERS);

    private final Rig rig;
    private final Optional<KcatProducer> kcat;
    private final ProcessFaults processes;
    private final NetworkFaults networks;
    private final WorldFaults world;

    Faults(Rig rig, Optional<KcatProducer> kcat, ChaosSettings settings, Supervisor supervisor, FaultLog log) {
        this.rig = rig;
        this.kcat = kcat;
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
                .filter(type -> !type.where().equals(Role.PRODUCER.key()) || KcatProducer.isInstalled())
                .filter(type -> !BETWEEN_BROKERS.contains(type.where()) || rig.brokersAreApart())
                .toList();
    }

    /** For each kind this machine does not allow, what it lacks. */
    static List<String> unavailable(Rig rig) {
        return List.of(
                        rig.disk().map(there -> "").orElse("disk_full: a tmpfs cannot be mounted here"),
                        rig.clock().map(there -> "").orElse("clock_skewed: libfaketime is not installed here"),
                        KcatProducer.isInstalled()
                                ? ""
                                : "librdkafka producer: kcat is not installed here (apt install kcat)",
                        rig.brokersAreApart() ? "" : "faults between brokers: 127.0.0.11 cannot be listened at here")
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
                type.where().equals(Role.PRODUCER.key())
                        ? kcat.map(world::kill).stream().toList()
                        : victims(type)
                                .map(each -> processes.kill(each, claims(each, DEAD_BROKER)))
                                .toList();
            case TERMINATED ->
                type.where().equals(Role.PRODUCER.key())
                        ? kcat.map(world::terminate).stream().toList()
                        : members(type)
                                .map(each ->
                                        processes.terminate(each, claims(List.of(each), DEAD_BROKER, SILENT_BROKER)))
                                .toList();
            case PAUSED ->
                type.where().equals(Role.PRODUCER.key())
                        ? kcat.map(world::pause).stream().toList()
                        : victims(type)
                                .map(each -> processes.pause(each, claims(each, SILENT_BROKER)))
                                .toList();
            case DATABASE_RESTARTED ->
                rig.members().stream()
                        .filter(each -> each.role() == Role.DATABASE)
                        .map(each -> processes.restart(each, Set.of(each.name())))
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

    /** One, or two brokers at once. */
    private Stream<List<Member>> victims(FaultType type) {
        if (!type.where().equals(FaultType.TWO_BROKERS)) {
            return members(type).map(List::of);
        }
        List<Member> brokers = members(FaultType.of(type.kind(), Role.BROKER)).toList();
        return brokers.stream()
                .map(spared -> brokers.stream().filter(each -> each != spared).toList())
                .filter(both -> both.size() == 2);
    }

    private Stream<Link> links(FaultType type) {
        if (type.where().equals(FaultType.ONE_AND_THE_OTHERS)) {
            return rig.members().stream()
                    .filter(each -> each.role() == Role.BROKER)
                    .map(each -> rig.network().around(new Network.Party(Role.BROKER, each.name())));
        }
        return rig.network().links().stream().filter(link -> link.pair().equals(type.where()));
    }

    /** @param broker what only one fault of brokers may do at a time; two of them leave no other any choice */
    private static Set<String> claims(List<Member> members, String... broker) {
        Stream<String> alone = members.getFirst().role() != Role.BROKER
                ? Stream.empty()
                : members.size() == 1 ? Stream.of(broker) : Stream.of(DEAD_BROKER, SILENT_BROKER);
        return Stream.concat(members.stream().map(Member::name), alone).collect(Collectors.toSet());
    }
}
