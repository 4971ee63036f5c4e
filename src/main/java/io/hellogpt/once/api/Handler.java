package io.hellogpt.once.api;

/** Does what one endpoint is for. Runs on a virtual thread and may block. */
@FunctionalInterface
public interface Handler {
    /**
     * Answers.
     *
     * @throws ProblemException to answer with a problem
     */
    void handle(Exchange exchange) throws InterruptedException;
}
