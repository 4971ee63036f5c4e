package io.hellogpt.once.embedded.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A kind of fault, and whom it hits.
 *
 * @param where the role of the part, or the roles at both ends of a way; empty where the kind says it already
 */
record FaultType(FaultKind kind, String where) {
    /** Who makes a call, who keeps its answer and who gives it. */
    private static final Set<String> CALLERS = Set.of(
            Role.BROKER.key(),
            Role.INSTANCE.key(),
            Role.MODEL.key(),
            FaultType.TWO_BROKERS,
            FaultType.ONE_AND_THE_OTHERS,
            "instance-broker",
            "broker-broker",
            "instance-model");

    /** Of three: nothing can be written any more until one is back. */
    static final String TWO_BROKERS = "two-brokers";

    /** One broker and all others at once. */
    static final String ONE_AND_THE_OTHERS = "broker-others";

    private static final List<String> PAIRS = List.of(
            "instance-broker",
            "worker-broker",
            "producer-broker",
            "broker-broker",
            "instance-model",
            "worker-database",
            "worker-receivers",
            "receivers-instance");

    String key() {
        return where.isEmpty() ? kind.key() : kind.key() + " " + where;
    }

    static FaultType of(FaultKind kind, Role role) {
        return new FaultType(kind, role.key());
    }

    /**
     * Whether a model call in flight may be made again because of it: its caller dies, or cannot be heard by the cluster, which is
     * the same for everybody else; or its answer gets lost. An orderly stop, an instance that comes or goes, and whatever befalls
     * workers, database and receivers are no excuse.
     */
    boolean mayRepeatCalls() {
        return switch (kind) {
            case KILLED, PAUSED, CUT, DELAYED, RESET -> CALLERS.contains(where);
            case TERMINATED -> CALLERS.contains(where) && !where.equals(Role.INSTANCE.key());
            case DISK_FULL, TRANSACTION_ABORTED, CLOCK_SKEWED -> true;
            case DATABASE_RESTARTED, STATE_LOST, INSTANCE_ADDED, MODEL_LOCKED_OUT -> false;
        };
    }

    /**
     * The longest it may last. What is in a receiver's or a worker's hands must not come to light after the settle time of a route,
     * which states how long that takes at most.
     */
    Duration longest() {
        return switch (kind) {
            case DATABASE_RESTARTED, TRANSACTION_ABORTED -> Duration.ofMillis(100);
            case PAUSED -> where.equals(Role.RECEIVERS.key()) ? Duration.ofSeconds(5) : Duration.ofSeconds(9);
            case RESET, STATE_LOST -> Duration.ofSeconds(4);
            case KILLED, TERMINATED, CUT, DELAYED, DISK_FULL, CLOCK_SKEWED, MODEL_LOCKED_OUT -> Duration.ofSeconds(9);
            case INSTANCE_ADDED -> Duration.ofSeconds(20);
        };
    }

    /** Every type there is. */
    static List<FaultType> all() {
        List<FaultType> all = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) {
            for (String where : places(kind)) {
                all.add(new FaultType(kind, where));
            }
        }
        return List.copyOf(all);
    }

    private static Stream<String> roles() {
        return Stream.of(Role.values()).map(Role::key);
    }

    private static List<String> places(FaultKind kind) {
        return switch (kind) {
            case KILLED, PAUSED ->
                Stream.concat(roles(), Stream.of(TWO_BROKERS)).toList();
            case TERMINATED -> roles().toList();
            case CUT ->
                Stream.concat(PAIRS.stream(), Stream.of(ONE_AND_THE_OTHERS)).toList();
            case DELAYED, RESET -> PAIRS;
            case DATABASE_RESTARTED,
                    STATE_LOST,
                    DISK_FULL,
                    TRANSACTION_ABORTED,
                    INSTANCE_ADDED,
                    CLOCK_SKEWED,
                    MODEL_LOCKED_OUT -> List.of("");
        };
    }
}
