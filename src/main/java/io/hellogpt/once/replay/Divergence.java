package io.hellogpt.once.replay;

import java.time.Instant;

/**
 * One difference between what was recorded and what the replay wrote.
 *
 * @param requestId the request, or the position of the record it is about
 * @param topic the output's topic
 * @param at when the recorded step was taken that wrote it, or should have
 * @param field a JSON pointer into the record, or {@code (record)} when one side has none
 * @param recorded as JSON, {@code (nothing)} when there is none
 * @param replayed as JSON, {@code (nothing)} when there is none
 */
public record Divergence(String requestId, String topic, Instant at, String field, String recorded, String replayed) {
    static final String RECORD = "(record)";
    static final String NOTHING = "(nothing)";
}
