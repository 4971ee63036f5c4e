package io.hellogpt.once.connect.receiver;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.connect.config.PayloadSchema;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.Verdict;
import java.io.IOException;
import java.util.Optional;

/** Lets through only payloads the route has declared: small enough, and matching its schema. */
public final class GatedReceiver implements EffectReceiver {
    /** Jackson's bounds on depth and numbers stand; the length of a text is bounded by the route's own limit. */
    private static final ObjectMapper JSON = json();

    private final Route.Remote route;
    private final EffectReceiver behind;

    public GatedReceiver(Route.Remote route, EffectReceiver behind) {
        this.route = route;
        this.behind = behind;
    }

    private static ObjectMapper json() {
        ObjectMapper json = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        json.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(Integer.MAX_VALUE)
                        .build());
        return json;
    }

    @Override
    public Verdict execute(Claim.Execute claim) throws InterruptedException {
        Optional<String> objection = objection(claim.body());
        return objection.isPresent()
                ? new Verdicts(route.recovery(), claim.inDoubt()).refused(objection.get() + "; nothing was sent")
                : behind.execute(claim);
    }

    private Optional<String> objection(byte[] body) {
        int limit = route.limits().requestBytes();
        if (body.length > limit) {
            return Optional.of("payload of " + body.length + " bytes is over the route's limit of " + limit);
        }
        return route.schema().flatMap(schema -> mismatch(schema, body));
    }

    private static Optional<String> mismatch(PayloadSchema schema, byte[] body) {
        try {
            JsonNode payload = JSON.readTree(body);
            return payload.isMissingNode()
                    ? Optional.of("payload is empty, and the route has a schema")
                    : schema.mismatch(payload).map(place -> "payload does not match the route's schema: " + place);
        } catch (IOException e) {
            return Optional.of("payload is not JSON, and the route has a schema");
        }
    }

    @Override
    public void close() {
        behind.close();
    }
}
