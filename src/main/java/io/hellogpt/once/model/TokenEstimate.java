package io.hellogpt.once.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.core.ModelRequest;
import java.nio.charset.StandardCharsets;

/**
 * How many tokens a call may use: those of the prompt, guessed from its length, and as many as the answer may have. Providers count
 * the same way while a call runs; what it has used in the end is corrected then.
 *
 * @param assumedOutput for a request that does not limit its answer
 */
record TokenEstimate(long assumedOutput) {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** A usual rule of thumb for English text; others take more, which the correction finds out. */
    private static final int BYTES_PER_TOKEN = 4;

    long of(ModelRequest request) {
        long bytes = bytes(request.messages()) + bytes(request.parameters());
        return bytes / BYTES_PER_TOKEN + output(request.parameters());
    }

    private long output(String parameters) {
        try {
            JsonNode sent = JSON.readTree(parameters);
            JsonNode limit =
                    sent.has("max_completion_tokens") ? sent.get("max_completion_tokens") : sent.path("max_tokens");
            long answers = sent.path("n").canConvertToInt()
                    ? Math.max(1, sent.path("n").intValue())
                    : 1;
            return limit.canConvertToInt() && limit.intValue() > 0
                    ? answers * limit.intValue()
                    : answers * assumedOutput;
        } catch (JsonProcessingException notJson) {
            // The client says so to the request; here it is only a guess.
            return assumedOutput;
        }
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
