package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * One answer of a model, as the gateway received it.
 *
 * @param body raw body, byte for byte
 * @param bodySha256 lower-case hex digest of {@code body}
 * @param parametersSent the JSON object of parameters that went to the provider
 * @param providerRequestId the provider's own id of the call, if it gave one
 */
public record Answer(
        byte[] body,
        String contentType,
        String bodySha256,
        String provider,
        String model,
        String parametersSent,
        Usage usage,
        Cost cost,
        Optional<String> providerRequestId,
        Instant startedAt,
        Instant finishedAt) {
    public Answer {
        Objects.requireNonNull(body, "body");
        Objects.requireNonNull(contentType, "contentType");
        Objects.requireNonNull(bodySha256, "bodySha256");
        Objects.requireNonNull(provider, "provider");
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(parametersSent, "parametersSent");
        Objects.requireNonNull(usage, "usage");
        Objects.requireNonNull(cost, "cost");
        Objects.requireNonNull(providerRequestId, "providerRequestId");
        Objects.requireNonNull(startedAt, "startedAt");
        Objects.requireNonNull(finishedAt, "finishedAt");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Answer that
                && bodySha256.equals(that.bodySha256)
                && providerRequestId.equals(that.providerRequestId)
                && startedAt.equals(that.startedAt)
                && finishedAt.equals(that.finishedAt);
    }

    @Override
    public int hashCode() {
        return Objects.hash(bodySha256, providerRequestId, startedAt, finishedAt);
    }

    /** Names the answer by digest only: answers do not belong in logs. */
    @Override
    public String toString() {
        return "Answer[" + model + ", " + body.length + " bytes, sha256=" + bodySha256 + "]";
    }
}
