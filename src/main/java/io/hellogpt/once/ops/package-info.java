/**
 * Running it
 *
 * <p>Must not live here:  configuration, process lifecycle, topic set-up, health, meters, verification.:protocol rules, command-line parsing.
 */
package io.hellogpt.once.ops;
