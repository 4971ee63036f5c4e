package io.hellogpt.once.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.Compensation;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * {@code contract}: a model has reviewed a contract, and this decides what is done about it.
 *
 * <p>The model is asked to answer with {@code {"verdict": "sign", "amount": 1200, "red_flags": []}}. What it says is an opinion; what
 * may be done without a person is written here. A contract is filed, then signed, then announced: filing can be taken back,
 * signing cannot, so it is the pivot, and a mail that fails after it is sent again instead of undoing anything.
 */
public final class ContractPolicy implements DecisionPolicy {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long LARGEST_WITHOUT_A_PERSON = 10_000;

    @Override
    public String name() {
        return "contract";
    }

    @Override
    public Decision decide(ModelRequest request, Snapshot snapshot) {
        JsonNode review = review(snapshot);
        if (!review.path("red_flags").isEmpty()) {
            return new Decision.Refuse(
                    "%d red flags".formatted(review.path("red_flags").size()));
        }
        if (!review.path("verdict").asText().equals("sign")
                || !review.path("amount").canConvertToLong()) {
            return new Decision.Refuse("the review does not say to sign, or not for what amount");
        }
        long amount = review.path("amount").longValue();
        return amount > LARGEST_WITHOUT_A_PERSON
                ? new Decision.Hold(
                        "%d is more than may be signed without a person".formatted(amount), effects(request))
                : new Decision.Proceed("reviewed, %d".formatted(amount), effects(request));
    }

    /** Built from the request, which a person wrote, and not from the answer. */
    private static List<PlannedEffect> effects(ModelRequest request) {
        ObjectNode contract =
                JSON.createObjectNode().put("contract", request.id().value());
        Compensation unfile = new Compensation(
                "archive", contract.deepCopy().put("action", "remove").toString());
        return List.of(
                new PlannedEffect("file", "archive", 0, contract.toString(), Optional.of(unfile), false),
                new PlannedEffect("sign", "signatures", 1, contract.toString(), Optional.empty(), true),
                new PlannedEffect("mail", "mail", 2, contract.toString(), Optional.empty(), false));
    }

    /** An answer that is no review throws, and the request is held: somebody must look at it. */
    private static JsonNode review(Snapshot snapshot) {
        try {
            JsonNode answer = JSON.readTree(snapshot.answer().body());
            return JSON.readTree(answer.at("/choices/0/message/content").asText());
        } catch (IOException noReview) {
            throw new UncheckedIOException("the answer is not the JSON that was asked for", noReview);
        }
    }
}
