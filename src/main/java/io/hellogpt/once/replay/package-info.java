/**
 * Replay: takes the steps of a capture again, through the same topology in a TopologyTestDriver, and compares every output.
 *
 * <p>{@link io.hellogpt.once.replay.Replay} reads the capture; one {@link io.hellogpt.once.replay.ReplayTask} per partition takes
 * the steps; {@link io.hellogpt.once.replay.Comparison} sets what it writes against what is recorded. Time, order and slots come
 * from the recorded steps, answers and outcomes from the recorded journal. Nothing is sent anywhere.
 */
package io.hellogpt.once.replay;
