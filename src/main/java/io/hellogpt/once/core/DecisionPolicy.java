package io.hellogpt.once.core;

/**
 * Decides from the request and its snapshot alone. Implementations are found by {@link java.util.ServiceLoader}.
 *
 * <p>Contract: pure. No clock, no I/O, no randomness, no shared state; the same request and snapshot give the same decision on
 * every machine and in every replay. Called from several stream threads. A policy that throws holds the request, since its
 * answer is paid for: a person fixes the policy and retries.
 */
public interface DecisionPolicy {
    /** The name requests refer to it by. */
    String name();

    Decision decide(ModelRequest request, Snapshot snapshot);
}
