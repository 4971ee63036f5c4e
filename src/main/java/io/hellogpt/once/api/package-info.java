/**
 * The HTTP side of an instance: health, metrics and the state of one request.
 *
 * <p>Lives here: routes and the questions they ask, as interfaces that {@code ops} answers.
 *
 * <p>Must not live here: protocol rules, access to Kafka or to stores; prompts, answers and payloads are never shown.
 */
package io.hellogpt.once.api;
