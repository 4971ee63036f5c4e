/**
 * Decides from evidence alone whether the seven guarantees held: what stands in the topics, in the ledger, in the receivers'
 * and in the model's own logs.
 *
 * <p>Lives here: {@link io.hellogpt.once.ops.verify.Evidence} and where it is loaded from; one checker per guarantee;
 * {@link io.hellogpt.once.ops.verify.Verifier}, which runs them all.
 *
 * <p>Must not live here: anything that asks the system under test, its counters or its stores. A checker that believes what it
 * checks is worth nothing.
 */
package io.hellogpt.once.ops.verify;
