package io.hellogpt.once.core;

/**
 * Tokens as the provider counted them.
 *
 * @param inputTokens tokens of the prompt, 0 when the provider does not say
 * @param outputTokens tokens of the answer, 0 when the provider does not say
 */
public record Usage(long inputTokens, long outputTokens) {
    public static final Usage NONE = new Usage(0, 0);
}
