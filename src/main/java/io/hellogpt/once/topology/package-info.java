/**
 * The Kafka Streams topology: {@link io.hellogpt.once.topology.OnceTopology} reads like the diagram, one processor per stage.
 *
 * <p>Lives here: every name of a topic, store and node; the processors, which load, call {@code core}, write and forward; the
 * applier, the only code that writes stores; the interface the gateway implements.
 *
 * <p>Must not live here: protocol rules (they are in {@code core}), clocks other than the task's own, environment, randomness,
 * I/O.
 */
package io.hellogpt.once.topology;
