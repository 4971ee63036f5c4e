/**
 * The protocol against an adversary, in virtual time and without Kafka.
 *
 * <p>{@link io.hellogpt.once.simulation.World} holds what is durable (topics, stores, ledger) and what dies with a process (calls,
 * the barrier, the backlog); {@link io.hellogpt.once.simulation.Adversary} picks the next step; {@link
 * io.hellogpt.once.simulation.Invariants} judge from the topics, the started calls and the receivers alone, never from the
 * protocol's own state. A run is its list of {@link io.hellogpt.once.simulation.Step}s, so that a failing one can be shrunk and
 * kept.
 */
package io.hellogpt.once.simulation;
