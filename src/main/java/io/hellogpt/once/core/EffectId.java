package io.hellogpt.once.core;

import java.util.Objects;

/**
 * Deterministic identity of an effect: {@code <request_id>:<turn>.<step>}, with {@code :undo} for its compensation. Never
 * random, never from the model, which mints new ids each time it is asked.
 *
 * @param turn 0; reserved for runs of several model turns
 * @param step position in the decision; step 0 is billing
 */
public record EffectId(RequestId requestId, int turn, int step, boolean undo) {
    private static final String UNDO = ":undo";

    public EffectId {
        Objects.requireNonNull(requestId, "requestId");
    }

    /**
     * Reads an id back from its text.
     *
     * @throws IllegalArgumentException when the text is not an effect_id
     */
    public static EffectId parse(String text) {
        boolean undo = text.endsWith(UNDO);
        String forward = undo ? text.substring(0, text.length() - UNDO.length()) : text;
        int colon = forward.lastIndexOf(':');
        int dot = forward.lastIndexOf('.');
        if (colon < 1 || dot < colon) {
            throw new IllegalArgumentException("not an effect_id: " + text);
        }
        return new EffectId(
                new RequestId(forward.substring(0, colon)),
                Integer.parseInt(forward.substring(colon + 1, dot)),
                Integer.parseInt(forward.substring(dot + 1)),
                undo);
    }

    /** The effect this id's compensation undoes, or itself. */
    public EffectId forward() {
        return new EffectId(requestId, turn, step, false);
    }

    /** The id of the compensation of this effect. */
    public EffectId compensation() {
        return new EffectId(requestId, turn, step, true);
    }

    @Override
    public String toString() {
        return requestId + ":" + turn + "." + step + (undo ? UNDO : "");
    }
}
