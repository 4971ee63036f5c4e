/**
 * The protocol in pure Java: identities, states, the stage functions, decisions, effects, retry arithmetic and what each
 * timer means.
 *
 * <p>Lives here: everything that decides. Each stage function reads a {@link io.hellogpt.once.core.StoreView} and a
 * {@link io.hellogpt.once.core.Moment} and returns {@link io.hellogpt.once.core.Fact}s; it writes nothing.
 *
 * <p>Must not live here: Kafka, Avro, JSON, I/O, clocks, environment, randomness. The package depends on {@code java.lang},
 * {@code java.util}, {@code java.time} and itself, so that a simulation can run it millions of times a minute and a replay
 * gives the same answer every time.
 */
package io.hellogpt.once.core;
