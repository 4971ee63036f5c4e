package io.hellogpt.once.api.callback;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.api.Problem;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * What a callback says.
 *
 * @param receivedAt when the effect's request was received, which tells one request from another that had its id before; empty when the
 *     body does not say
 * @param result SUCCEEDED or FAILED; empty when it says nothing of the end
 */
record CallbackBody(Optional<Instant> receivedAt, Optional<Result> result, Optional<String> reference, String detail) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST = 300;

    /** @throws io.hellogpt.once.api.ProblemException when it is not understood, or is about another effect */
    static CallbackBody read(byte[] body, CallbackRoute route, EffectId effect) {
        JsonNode tree = tree(body);
        route.about().effectId().ifPresent(pointer -> requireSame(tree, pointer, effect));
        return new CallbackBody(
                route.about().receivedAt().flatMap(pointer -> time(tree, pointer)),
                result(tree, route),
                text(tree, route.reference()),
                text(tree, route.detail()).orElse("told by the receiver"));
    }

    private static JsonNode tree(byte[] body) {
        try {
            JsonNode tree = JSON.readTree(body);
            if (tree != null && tree.isObject()) {
                return tree;
            }
        } catch (IOException notJson) {
            throw invalid("the body is not JSON");
        }
        throw invalid("the body is not a JSON object");
    }

    private static void requireSame(JsonNode tree, JsonPointer pointer, EffectId effect) {
        if (!tree.at(pointer).asText().equals(effect.toString())) {
            throw invalid("the body must name, at " + pointer
                    + ", the effect that the path names: the signature covers the body and not the path");
        }
    }

    private static Optional<Instant> time(JsonNode tree, JsonPointer pointer) {
        JsonNode said = tree.at(pointer);
        if (said.isMissingNode() || said.isNull()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(said.asText()));
        } catch (DateTimeParseException noTime) {
            throw invalid("what the body says at " + pointer
                    + " must be the request's received_at as GET /v1/requests/{id} shows it, or be left out");
        }
    }

    private static Optional<Result> result(JsonNode tree, CallbackRoute route) {
        String word = tree.at(route.result()).asText();
        if (route.words().succeeded().contains(word)) {
            return Optional.of(Result.SUCCEEDED);
        }
        if (route.words().failed().contains(word)) {
            return Optional.of(Result.FAILED);
        }
        if (route.words().ignored().contains(word)) {
            return Optional.empty();
        }
        throw invalid("the body must say at " + route.result() + " one of "
                + route.words().succeeded() + " or " + route.words().failed());
    }

    /** Goes into the audit log: no control characters, and not at any length. */
    private static Optional<String> text(JsonNode tree, JsonPointer pointer) {
        String text = tree.at(pointer).asText("").replaceAll("\\p{Cntrl}", " ").strip();
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(text.length() > LONGEST ? text.substring(0, LONGEST) : text);
    }

    private static RuntimeException invalid(String detail) {
        return Problem.of(Problem.Kind.INVALID, detail + "; nothing was changed")
                .asException();
    }
}
