package io.hellogpt.once.ops;

/** Every way the command ends. Scripts and supervisors may rely on the numbers: they never change. */
public enum ExitCode {
    /** Done; for {@code run}: stopped as asked, calls drained. */
    OK(0),
    /** {@code verify}: a guarantee is violated. */
    VIOLATED(1),
    /** {@code verify}: nothing is violated, but evidence is missing. */
    INCOMPLETE(2),
    /** The cluster, or another server, cannot be reached or refuses. */
    UNREACHABLE(3),
    /** The configuration cannot be used. */
    CONFIGURATION(4),
    /** Topics are missing or set up differently. */
    TOPICS(5),
    /** The stream died: a fatal error, or too many threads died within an hour. A supervisor may start it again. */
    STREAMS_FAILED(6),
    /** Stopped as asked, but model calls were still running when the drain timeout passed; they will be repeated. */
    STOP_TIMED_OUT(7),
    /** Some of the input was refused. */
    BAD_INPUT(8),
    /** What was asked for does not exist. */
    NOT_FOUND(9),
    /** The command line cannot be understood. */
    USAGE(64),
    /** An error nobody foresaw. */
    INTERNAL(70);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
