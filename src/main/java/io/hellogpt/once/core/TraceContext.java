package io.hellogpt.once.core;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which trace something belongs to, as W3C Trace Context writes it in headers.
 *
 * @param traceparent version 00: trace id, the caller's span id and flags
 * @param tracestate what vendors add; handed on as it is
 */
public record TraceContext(String traceparent, Optional<String> tracestate) {
    /** The header, of records and of HTTP. */
    public static final String TRACEPARENT = "traceparent";
    /** The header that only means something beside {@link #TRACEPARENT}. */
    public static final String TRACESTATE = "tracestate";

    private static final int LENGTH = 55;
    private static final int MAX_STATE = 512;
    private static final int TRACE_ID = 3;
    private static final int SPAN_ID = 36;
    private static final int FLAGS = 53;
    private static final Pattern KNOWN = Pattern.compile("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
    private static final Pattern LATER =
            Pattern.compile("(?!00|ff)[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[ -~]*)?");
    private static final Pattern STATE = Pattern.compile("[ -~]+");

    /** @throws IllegalArgumentException when it is no trace context of version 00 */
    public TraceContext {
        Objects.requireNonNull(tracestate, "tracestate");
        if (!KNOWN.matcher(traceparent).matches() || hasZeros(traceparent)) {
            throw new IllegalArgumentException("not a traceparent");
        }
        if (tracestate.filter(state -> !isState(state)).isPresent()) {
            throw new IllegalArgumentException("not a tracestate");
        }
    }

    /**
     * Reads the two headers. What a later version adds is left out, as its specification asks; a tracestate that cannot be handed
     * on is dropped.
     *
     * @return empty when the traceparent is none: the trace starts anew
     */
    public static Optional<TraceContext> read(String traceparent, Optional<String> tracestate) {
        boolean later = LATER.matcher(traceparent).matches();
        String known = later ? "00" + traceparent.substring(2, LENGTH) : traceparent;
        return KNOWN.matcher(known).matches() && !hasZeros(known)
                ? Optional.of(new TraceContext(known, tracestate.filter(TraceContext::isState)))
                : Optional.empty();
    }

    /**
     * A trace that begins here.
     *
     * @param traceId 32 digits of lower-case hex, not all zero
     * @param spanId 16 digits of lower-case hex, not all zero
     */
    public static TraceContext of(String traceId, String spanId, boolean sampled) {
        return new TraceContext("00-" + traceId + "-" + spanId + (sampled ? "-01" : "-00"), Optional.empty());
    }

    /** 32 digits of lower-case hex. */
    public String traceId() {
        return traceparent.substring(TRACE_ID, TRACE_ID + 32);
    }

    /** 16 digits of lower-case hex. */
    public String spanId() {
        return traceparent.substring(SPAN_ID, SPAN_ID + 16);
    }

    /** Whether the caller records this trace. */
    public boolean sampled() {
        return (Integer.parseInt(traceparent.substring(FLAGS), 16) & 1) == 1;
    }

    /** The same trace, for what the span {@code spanId} calls. */
    public TraceContext from(String spanId) {
        return new TraceContext(
                traceparent.substring(0, SPAN_ID) + spanId + traceparent.substring(SPAN_ID + 16), tracestate);
    }

    private static boolean hasZeros(String traceparent) {
        return traceparent.startsWith("0".repeat(32), TRACE_ID) || traceparent.startsWith("0".repeat(16), SPAN_ID);
    }

    private static boolean isState(String state) {
        return state.length() <= MAX_STATE && STATE.matcher(state).matches();
    }
}
