package io.hellogpt.once.ops;

/** Of which stream threads the transaction is lost: what their tasks have changed in it must not be kept. Used by those threads. */
final class LostTransactions {
    private final ThreadLocal<Boolean> lost = ThreadLocal.withInitial(() -> false);

    /** The calling thread's transaction is not committed, or not known to be. */
    void lose() {
        lost.set(true);
    }

    /** What the calling thread changes from now on belongs to another transaction. */
    void begin() {
        lost.set(false);
    }

    boolean isLost() {
        return lost.get();
    }
}
