package io.hellogpt.once.simulation;

import java.util.Set;
import java.util.function.Supplier;

/** Breakages of what the processors, the gateway and Kafka keep around the stage functions. */
enum WorldMutation implements Mutation {
    DROP_THE_BARRIER(
            () -> new Protocol() {
                @Override
                boolean awaitsBarrier() {
                    return false;
                }
            },
            "G4"),
    DISPATCH_NEW_REQUESTS_BEFORE_THE_BARRIER(
            () -> new Protocol() {
                @Override
                boolean newRequestsAwaitBarrier() {
                    return false;
                }
            },
            "G4"),
    FIRE_CALL_DEADLINES_BEFORE_THE_BARRIER(
            () -> new Protocol() {
                @Override
                boolean callDeadlinesAwaitBarrier() {
                    return false;
                }
            },
            "G4"),
    FORGET_THE_HANDOVER(
            () -> new Protocol() {
                @Override
                boolean handsOver() {
                    return false;
                }
            },
            "G4"),
    KEEP_STORE_WRITES_OF_AN_ABORTED_TRANSACTION(
            () -> new Protocol() {
                @Override
                boolean abortUndoesStores() {
                    return false;
                }
            },
            "G1",
            "G2",
            "G3",
            "G5",
            "EXPIRY"),
    KEEP_OFFSETS_OF_AN_ABORTED_TRANSACTION(
            () -> new Protocol() {
                @Override
                boolean abortUndoesOffsets() {
                    return false;
                }
            },
            "G1",
            "G4",
            "G5"),
    WRITE_THE_JOURNAL_IN_THE_TRANSACTION(
            () -> new Protocol() {
                @Override
                boolean journalOutlivesAbort() {
                    return false;
                }
            },
            "G2",
            "G4"),
    READ_UNCOMMITTED_EFFECTS(
            () -> new Protocol() {
                @Override
                boolean effectsAreReadCommitted() {
                    return false;
                }
            },
            "G1",
            "G3"),
    DROP_WHAT_IS_IN_THE_WRONG_PARTITION(
            () -> new Protocol() {
                @Override
                boolean reroutes() {
                    return false;
                }
            },
            "G5"),
    LOSE_TIMERS(
            () -> new Protocol() {
                @Override
                boolean writesTimers() {
                    return false;
                }
            },
            "TIMERS"),
    LEAK_TIMERS(
            () -> new Protocol() {
                @Override
                boolean deletesTimers() {
                    return false;
                }
            },
            "BOUNDED");

    private final Supplier<Protocol> broken;
    private final Set<String> caughtBy;

    WorldMutation(Supplier<Protocol> broken, String... caughtBy) {
        this.broken = broken;
        this.caughtBy = Set.of(caughtBy);
    }

    @Override
    public Protocol broken() {
        return broken.get();
    }

    @Override
    public Set<String> caughtBy() {
        return caughtBy;
    }
}
