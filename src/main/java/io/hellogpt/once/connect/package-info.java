/**
 * The Kafka Connect sink connector that carries effects out: one record is one attempt of one effect.
 *
 * <p>Lives here: the connector, its task, the pipeline from a polled batch to published outcomes. Its settings are in
 * {@code config}, the PostgreSQL ledger in {@code ledger}, calls to receivers in {@code http}.
 *
 * <p>Must not live here: anything of Kafka Streams, the topology or the application (it depends on {@code core} and
 * {@code schema} only, so that it runs on any Connect cluster); decisions to retry or to compensate, which are the
 * topology's.
 */
package io.hellogpt.once.connect;
