/**
 * Running it: configuration, topic set-up, process lifecycle, health, and the verifier that decides from evidence alone whether
 * the guarantees held.
 *
 * <p>Lives here: {@link io.hellogpt.once.ops.Settings}, the one declaration of every setting;
 * {@link io.hellogpt.once.ops.TopicCatalogue}, the one declaration of every topic; {@link io.hellogpt.once.ops.OnceRunner}, the
 * one owner of the process; {@code ops.verify}, one checker per guarantee.
 *
 * <p>Must not live here: protocol rules (they are in {@code core}), command-line parsing (it is in {@code cli}).
 */
package io.hellogpt.once.ops;
