/**
 * The effect ledger in PostgreSQL: which effect was started, with which bytes, and what became of it.
 *
 * <p>Lives here: migrations, the statements, and the pure rules that say what a row found in the ledger means.
 *
 * <p>Must not live here: calls to receivers; Kafka.
 */
package io.hellogpt.once.connect.ledger;
