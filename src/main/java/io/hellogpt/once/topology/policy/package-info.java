/**
 * The built-in decision policies, found by {@link java.util.ServiceLoader} like everybody else's.
 *
 * <p>Must not live here: clocks, I/O, randomness; a policy is a pure function of the request and its snapshot.
 */
package io.hellogpt.once.topology.policy;
