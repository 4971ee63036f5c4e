package io.hellogpt.once.embedded;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/**
 * One line of the log of calls. What the model's owner would bill by, and so what calls are counted from.
 *
 * @param requestId from {@code X-Client-Request-Id}, empty when there was none
 * @param attempt from {@code Idempotency-Key}, 0 when there was none
 * @param status sent, 0 when none was
 * @param bodySha256 of the answer, when there was a whole one
 */
public record SimulatedModelCall(
        Instant time,
        String requestId,
        int attempt,
        int status,
        Optional<SimulatedModelFault> fault,
        Optional<String> bodySha256,
        long inputTokens,
        long outputTokens) {
    private static final ObjectMapper JSON = new ObjectMapper();

    String toJson() {
        ObjectNode line = JSON.createObjectNode();
        line.put("time", time.toString());
        line.put("request_id", requestId);
        line.put("attempt", attempt);
        line.put("status", status);
        line.put("fault", fault.map(SimulatedModelFault::key).orElse(null));
        line.put("body_sha256", bodySha256.orElse(null));
        line.put("input_tokens", inputTokens);
        line.put("output_tokens", outputTokens);
        return line.toString();
    }
}
