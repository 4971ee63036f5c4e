package io.hellogpt.once.ops.tracing;

import io.opentelemetry.sdk.trace.IdGenerator;

/** Gives the span that a thread begins next the ids it was told, in place of random ones. */
final class GivenIds implements IdGenerator {
    private final ThreadLocal<Ids> next = new ThreadLocal<>();

    private record Ids(String trace, String span) {}

    /** For the one span that this thread begins next. */
    void next(String traceId, String spanId) {
        next.set(new Ids(traceId, spanId));
    }

    @Override
    public String generateTraceId() {
        return next.get().trace();
    }

    @Override
    public String generateSpanId() {
        return next.get().span();
    }
}
