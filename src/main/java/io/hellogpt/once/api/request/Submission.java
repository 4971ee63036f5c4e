package io.hellogpt.once.api.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.api.Problem;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.schema.Decoded;
import io.hellogpt.once.schema.RequestDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/** A request as a client sent it, by the same rules as on the topic. */
public record Submission(ModelRequest request, Fingerprint fingerprint) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public RequestId id() {
        return request.id();
    }

    /** The rules. */
    public record Reader(RequestDecoder decoder, Predicate<String> knownPolicy) {
        /**
         * Reads a body.
         *
         * @param key the request_id; the body need not repeat it
         * @throws io.hellogpt.once.api.ProblemException with what is wrong
         */
        public Submission read(byte[] body, String key) {
            return decode(withId(body, key));
        }

        /** Reads a body that names its request_id. */
        public Submission decode(byte[] body) {
            return switch (decoder.decode(body)) {
                case Decoded.Request(ModelRequest request, Fingerprint fingerprint) -> {
                    if (!knownPolicy.test(request.policy())) {
                        throw Problem.of(Problem.Kind.INVALID, "no policy is named '" + request.policy() + "'")
                                .asException();
                    }
                    yield new Submission(request, fingerprint);
                }
                case Decoded.Unreadable(Rejection rejection) ->
                    throw Refusals.of(rejection.reason(), rejection.detail()).asException();
            };
        }

        /** Written into the text, not the tree: numbers keep every digit and repeated names stay visible to the decoder. */
        private static byte[] withId(byte[] body, String key) {
            JsonNode tree = tree(body);
            if (tree.has("request_id")) {
                if (!tree.get("request_id").asText().equals(key)) {
                    throw Problem.of(
                                    Problem.Kind.INVALID,
                                    "the body's request_id is not the Idempotency-Key; leave it out, or send the same")
                            .asException();
                }
                return body;
            }
            String text = new String(body, StandardCharsets.UTF_8);
            int open = text.indexOf('{') + 1;
            String name = "\"request_id\":" + JSON.getNodeFactory().textNode(key) + (tree.isEmpty() ? "" : ",");
            return (text.substring(0, open) + name + text.substring(open)).getBytes(StandardCharsets.UTF_8);
        }

        private static JsonNode tree(byte[] body) {
            try {
                JsonNode tree = JSON.readTree(body);
                if (tree != null && tree.isObject()) {
                    return tree;
                }
            } catch (JsonProcessingException notJson) {
                // Not kept as the cause: the parser's message quotes the body.
                throw Problem.of(Problem.Kind.INVALID, "the body is not JSON").asException();
            } catch (IOException impossible) {
                throw new IllegalStateException("reading from memory failed", impossible);
            }
            throw Problem.of(Problem.Kind.INVALID, "the body is not a JSON object")
                    .asException();
        }
    }
}
