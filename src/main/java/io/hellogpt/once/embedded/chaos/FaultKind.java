package io.hellogpt.once.embedded.chaos;

import java.util.Locale;

/** What can go wrong on purpose. */
enum FaultKind {
    /** SIGKILL; started again later. */
    KILLED,
    /** SIGTERM; started again later. */
    TERMINATED,
    /** SIGSTOP, then SIGCONT. */
    PAUSED,
    /** The database is stopped in order and started again at once. */
    DATABASE_RESTARTED,
    /** Nothing gets through between two parts. */
    CUT,
    /** Everything between two parts comes late. */
    DELAYED,
    /** The connections between two parts are reset, again and again. */
    RESET,
    /** An instance is stopped, its state directory deleted, and the instance started again. */
    STATE_LOST,
    /** The file system with an instance's state has no space left. */
    DISK_FULL,
    /** The open transactions are aborted from outside, by fencing their producers. */
    TRANSACTION_ABORTED,
    /** Another instance joins, and leaves later. */
    INSTANCE_ADDED,
    /** The clock of one instance is wrong. */
    CLOCK_SKEWED,
    /** The model refuses every key. */
    MODEL_LOCKED_OUT;

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
