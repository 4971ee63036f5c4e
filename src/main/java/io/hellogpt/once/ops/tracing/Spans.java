package io.hellogpt.once.ops.tracing;

import io.hellogpt.once.core.TraceContext;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Writes spans that are over, with ids that are known beforehand. Safe for use by several threads; never waits but to close. */
final class Spans implements AutoCloseable {
    private static final long LAST_EXPORT_SECONDS = 5;
    private static final TextMapGetter<TraceContext> HEADERS = (trace, name) -> name.equals(TraceContext.TRACEPARENT)
            ? trace.traceparent()
            : trace.tracestate().orElse(null);

    private final GivenIds ids = new GivenIds();
    private final SdkTracerProvider provider;

    /** @param resource what is said of this process with every span */
    Spans(Map<String, String> resource, SpanProcessor processor) {
        var attributes = Attributes.builder();
        resource.forEach((name, value) -> attributes.put(AttributeKey.stringKey(name), value));
        this.provider = SdkTracerProvider.builder()
                .setIdGenerator(ids)
                .setResource(Resource.create(attributes.build()))
                .addSpanProcessor(processor)
                .build();
    }

    /**
     * One span.
     *
     * @param id 16 digits of hex
     * @param error why what it tells of did not succeed
     */
    record Told(
            String id, String name, SpanKind kind, Instant from, Instant to, Attributes about, Optional<String> error) {
        Told {
            // Two clocks may be involved; a span that ends before it begins is none.
            to = to.isBefore(from) ? from : to;
        }
    }

    /** Writes a span below another one. */
    void below(TraceContext parent, Told span) {
        write(W3CTraceContextPropagator.getInstance().extract(Context.root(), parent, HEADERS), parent.traceId(), span);
    }

    /** Writes the first span of a trace. */
    void first(String traceId, Told span) {
        write(Context.root(), traceId, span);
    }

    private void write(Context parent, String traceId, Told span) {
        ids.next(traceId, span.id());
        SpanBuilder builder = provider.get("io.hellogpt.once")
                .spanBuilder(span.name())
                .setParent(parent)
                .setSpanKind(span.kind())
                .setStartTimestamp(span.from())
                .setAllAttributes(span.about());
        Span begun = builder.startSpan();
        span.error().ifPresent(why -> begun.setStatus(StatusCode.ERROR, why));
        begun.end(span.to());
    }

    /** Sends what is still to be sent, or gives it up after a few seconds. */
    @Override
    public void close() {
        provider.shutdown().join(LAST_EXPORT_SECONDS, TimeUnit.SECONDS);
    }
}
