/**
 * The Kafka Connect sink connector that carries effects out
 *
 * <p>Must not live here:  configuration, task, ledger, executors, outcome publisher.:anything of Kafka Streams, the topology or the application; it depends on {@code core} and {@code schema} only, so that it runs on any Connect cluster; retry and compensation decisions.
 */
package io.hellogpt.once.connect;
