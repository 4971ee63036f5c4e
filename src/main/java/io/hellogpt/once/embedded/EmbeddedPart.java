package io.hellogpt.once.embedded;

/** One part of the stack that can be stopped or killed and started again on the same data and the same address. */
public interface EmbeddedPart extends AutoCloseable {
    /** How logs, errors and people call it. */
    String name();

    /** Where it answers, as a client needs it. */
    String address();

    /**
     * Starts it and waits until it is ready.
     *
     * @throws EmbeddedException if it does not get ready
     */
    void start();

    /** Ends it in an orderly way; nothing happens if it is not running. */
    void stop();

    /** Ends it with SIGKILL; nothing happens if it is not running. */
    void kill();

    boolean isAlive();

    @Override
    default void close() {
        stop();
    }
}
