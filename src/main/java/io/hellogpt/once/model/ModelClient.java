package io.hellogpt.once.model;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.ModelCall;

/**
 * Asks a language model once. Called on virtual threads, by many at a time; blocks until there is an answer.
 *
 * <p>A client never retries on its own: attempts are counted in the topology, where they are durable and where each is a line
 * of the audit log. It never waits past {@link ModelCall#deadline()}.
 *
 * <p>What went wrong is told by the {@link io.hellogpt.once.core.CallError.Kind} of the exception:
 *
 * <table>
 *   <caption>Error mapping</caption>
 *   <tr><th>seen</th><th>kind</th></tr>
 *   <tr><td>408, 409, 425, 429, 5xx, I/O, timeout, truncated or unreadable body, redirect</td><td>RETRYABLE, with the
 *       Retry-After the provider sent</td></tr>
 *   <tr><td>400, 404, 422 and other 4xx, a content refusal</td><td>REJECTED</td></tr>
 *   <tr><td>401, 402, 403, no readable key</td><td>UNAUTHORIZED: the account is at fault, not the request</td></tr>
 *   <tr><td>an answer over {@code snapshot.max.bytes}</td><td>TOO_LARGE; the rest of the body is not read</td></tr>
 * </table>
 */
public interface ModelClient extends AutoCloseable {
    /**
     * One attempt.
     *
     * @throws ModelCallException when there is no answer
     * @throws InterruptedException when the call was given up; the client has closed what it had open
     */
    Answer complete(ModelCall call) throws ModelCallException, InterruptedException;

    /** Frees connections. Calls still running fail. */
    @Override
    default void close() {}
}
