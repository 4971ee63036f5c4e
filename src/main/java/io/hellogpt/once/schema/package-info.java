/**
 * The wire and store formats: Avro single-object encoding for everything the system writes, and the three encodings
 * {@code requests} accepts.
 *
 * <p>Lives here: the only code that sees the classes generated from {@code schemas/}; codecs between bytes and the types of
 * {@code core}; the canonical form behind fingerprints; the JSON view of every record.
 *
 * <p>Must not live here: decisions, Kafka Streams, clocks.
 */
package io.hellogpt.once.schema;
