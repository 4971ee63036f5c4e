/**
 * The rig that breaks a whole system for minutes to hours and judges what is left: a cluster, two instances, two workers, a database, a
 * model and receivers that misbehave, every connection through a proxy, and faults drawn from a seed.
 *
 * <p>Lives here: the rig, its proxies, its traffic, its faults, and the report. The guarantees are judged by {@code ops.verify}, from
 * topics, ledger and the others' own logs.
 *
 * <p>Must not live here: anything the demo or the product needs.
 */
package io.hellogpt.once.embedded.chaos;
