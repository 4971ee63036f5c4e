package io.hellogpt.once.connect;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.RequestId;
import java.time.Duration;
import java.time.Instant;

/** Effects as the topology issues them. */
public final class Effects {
    public static final Instant RECEIVED = Instant.parse("2026-01-02T03:04:05.678Z");

    private Effects() {}

    public static Effect of(String requestId, int step, String route, int attempt) {
        return of(
                new EffectId(new RequestId(requestId), 0, step, false),
                route,
                attempt,
                "{\"for\":\"" + requestId + "\"}");
    }

    public static Effect of(EffectId id, String route, int attempt, String payload) {
        return new Effect(id, "an-effect", 0, route, attempt, payload, RECEIVED.plusSeconds(1), RECEIVED);
    }

    public static Effect undoOf(Effect forward, String route) {
        return of(forward.id().compensation(), route, 1, forward.payload());
    }

    public static Effect billing(String requestId, String route) {
        String payload = """
                {"request_id":"%s","turn":0,"snapshot_sha256":"ab","provider":"p","model":"m","input_tokens":3,
                "output_tokens":4,"cost_nanos":1500,"currency":"USD","price_table":"v1"}""".formatted(requestId);
        return of(new EffectId(new RequestId(requestId), 0, 0, false), route, 1, payload);
    }

    /** The same effect of a request whose id was accepted again after its retention. */
    public static Effect inSecondLife(Effect effect, String payload) {
        return new Effect(
                effect.id(),
                effect.name(),
                effect.stage(),
                effect.route(),
                1,
                payload,
                effect.issuedAt().plus(Duration.ofDays(8)),
                effect.requestReceivedAt().plus(Duration.ofDays(8)));
    }

    public static Effect again(Effect effect, int attempt) {
        return of(effect.id(), effect.route(), attempt, effect.payload());
    }

    /** An attempt that only asks what became of the effect. */
    public static Effect probe(Effect effect, int attempt) {
        return new Effect(
                effect.id(),
                effect.name(),
                effect.stage(),
                effect.route(),
                attempt,
                effect.payload(),
                effect.issuedAt(),
                effect.requestReceivedAt(),
                true);
    }
}
