package io.hellogpt.once.topology.policy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.Snapshot;
import java.util.Objects;
import java.util.Optional;

/**
 * Bills every snapshot: one row of what the answer cost, whatever is decided about it.
 *
 * @param route the connector's billing route
 */
public record Billing(String route) implements BillingPolicy {
    public Billing {
        Objects.requireNonNull(route, "route");
    }

    @Override
    public Optional<PlannedEffect> bill(Snapshot snapshot) {
        Answer answer = snapshot.answer();
        String payload = JsonNodeFactory.instance
                .objectNode()
                .put("request_id", snapshot.id().value())
                .put("turn", snapshot.turn())
                .put("snapshot_sha256", snapshot.sha256())
                .put("provider", answer.provider())
                .put("model", answer.model())
                .put("input_tokens", answer.usage().inputTokens())
                .put("output_tokens", answer.usage().outputTokens())
                .put("cost_nanos", answer.cost().nanos())
                .put("currency", answer.cost().currency())
                .put("price_table", answer.cost().priceTable())
                .toString();
        return Optional.of(new PlannedEffect("billing", route, 0, payload, Optional.empty(), false));
    }
}
