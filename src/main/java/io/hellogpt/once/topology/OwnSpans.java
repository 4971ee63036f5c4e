package io.hellogpt.once.topology;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.TraceContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Spans of our own below the sender's. Their ids follow from the request and what the span is about, so that the processor that
 * announces a span and the exporter that tells of it agree without a word, and what is told again after a crash is the same span.
 *
 * <p>A trace its sender does not record is handed on as it came. A request without a trace begins one, if it is among those that
 * are sampled.
 */
public final class OwnSpans implements Traces {
    private static final int TRACE_BYTES = 16;
    private static final int SPAN_BYTES = 8;

    private final double ratio;

    /** @param ratio which share of the requests without a trace begin one, 0 to 1 */
    public OwnSpans(double ratio) {
        this.ratio = ratio;
    }

    @Override
    public Optional<TraceContext> of(ModelCall call) {
        return below(call.id(), call.requestReceivedAt(), call.trace(), call(call.turn(), call.attempt()));
    }

    @Override
    public Optional<TraceContext> of(Effect effect) {
        return below(
                effect.id().requestId(),
                effect.requestReceivedAt(),
                effect.trace(),
                effect(effect.id(), effect.attempt()));
    }

    @Override
    public Optional<TraceContext> of(Identity request) {
        return below(request.id(), request.receivedAt(), request.trace(), request());
    }

    /** The id of a span of a request that is recorded, 16 digits of hex. */
    public static String spanId(Identity request, String span) {
        return spanId(request.id(), request.receivedAt(), span);
    }

    /** The span of a request's whole life, the parent of all others. */
    public static String request() {
        return "request";
    }

    /** The span of an attempt to get an answer. */
    public static String call(int turn, int attempt) {
        return "call " + turn + "." + attempt;
    }

    /** The span of an attempt of an effect. */
    public static String effect(EffectId id, int attempt) {
        return "effect " + id + " " + attempt;
    }

    private Optional<TraceContext> below(RequestId id, Instant receivedAt, Optional<TraceContext> sender, String span) {
        if (sender.isPresent() && !sender.get().sampled()) {
            return sender;
        }
        return sender.or(() -> begun(id, receivedAt)).map(trace -> trace.from(spanId(id, receivedAt, span)));
    }

    private Optional<TraceContext> begun(RequestId id, Instant receivedAt) {
        byte[] hash = hash(id, receivedAt, "trace");
        // As OpenTelemetry samples by ratio: by the trace id's last bytes, without their sign.
        long point = ByteBuffer.wrap(hash).getLong(TRACE_BYTES - Long.BYTES) & Long.MAX_VALUE;
        return ratio >= 1 || point < ratio * Long.MAX_VALUE
                ? Optional.of(TraceContext.of(
                        HexFormat.of().formatHex(hash, 0, TRACE_BYTES), spanId(id, receivedAt, request()), true))
                : Optional.empty();
    }

    private static String spanId(RequestId id, Instant receivedAt, String span) {
        return HexFormat.of().formatHex(hash(id, receivedAt, span), 0, SPAN_BYTES);
    }

    /** That the first bytes are all zero, which no id may be, is as likely as that two ids are the same. */
    private static byte[] hash(RequestId id, Instant receivedAt, String what) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            String text = id.value() + "\n" + receivedAt.toEpochMilli() + "\n" + what;
            return digest.digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
