/**
 * What all receivers have in common: the interface the pipeline calls, what a result means by the class of its route, payloads held
 * to their schema, alerts.
 *
 * <p>Must not live here: a protocol; those are in {@code http} and {@code mail}.
 */
package io.hellogpt.once.connect.receiver;
