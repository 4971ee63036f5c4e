/**
 * Capture files: what happened on the topics, in one Avro container file with a manifest, in an order in which it can be replayed
 * from beginning to end with little memory.
 *
 * <p>Must not live here: the replay itself.
 */
package io.hellogpt.once.replay.capture;
