package io.hellogpt.once.api;

/** Ends the handling of a client's request with a {@link Problem}. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    // No stack trace: whoever wants to can cause thousands of these a second.
    ProblemException(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
