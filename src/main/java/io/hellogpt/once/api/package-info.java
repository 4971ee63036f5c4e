/**
 * The HTTP side of an instance: the server and what all endpoints share: who asks, limits, problems, and the questions that are asked of
 * the rest of the instance, as interfaces that {@code ops} answers. The endpoints themselves live in the packages below.
 *
 * <p>Must not live here: protocol rules, access to Kafka or to stores. Prompts, answers and payloads are shown to nobody who has not the
 * role for it or has sent the very same request, and never stand in a log.
 */
package io.hellogpt.once.api;
