/**
 * The built-in decision policies. Those that need no configuration are found by {@link java.util.ServiceLoader}, like everybody
 * else's.
 *
 * <p>Must not live here: clocks, I/O, randomness; a policy is a pure function of the request and its snapshot.
 */
package io.hellogpt.once.topology.policy;
