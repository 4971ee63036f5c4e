package io.hellogpt.once.ops.tracing;

import io.hellogpt.once.topology.FactObserver;
import io.hellogpt.once.topology.OwnSpans;
import io.hellogpt.once.topology.Traces;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Duration;
import java.util.Map;

/** What an instance does about traces: hands on what it is told, and with a collector tells of its own part. */
public final class Tracing implements AutoCloseable {
    private static final int QUEUE = 16_384;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Traces traces;
    private final FactObserver observer;
    private final Runnable ending;

    private Tracing(Traces traces, FactObserver observer, Runnable ending) {
        this.traces = traces;
        this.observer = observer;
        this.ending = ending;
    }

    /** Without a collector: no spans, no threads, no memory. */
    public static Tracing off() {
        return new Tracing(Traces.PASSED_ON, FactObserver.NONE, () -> {});
    }

    /**
     * Sends spans to a collector, in the background. What it does not take in time is left out.
     *
     * @param endpoint takes OTLP over HTTP
     * @param ratio which share of the requests without a trace begin one, 0 to 1
     * @param outcomeTimeout {@code effect.outcome.timeout.ms}, by which it is reckoned when an attempt was issued
     * @param resource what is said of this process, by OpenTelemetry's names
     */
    public static Tracing to(String endpoint, double ratio, Duration outcomeTimeout, Map<String, String> resource) {
        OwnSpans traces = new OwnSpans(ratio);
        BatchSpanProcessor processor = BatchSpanProcessor.builder(OtlpHttpSpanExporter.builder()
                        .setEndpoint(endpoint)
                        .setTimeout(PATIENCE)
                        .build())
                .setMaxQueueSize(QUEUE)
                .build();
        Spans spans = new Spans(resource, processor);
        return new Tracing(traces, new RequestSpans(traces, spans, outcomeTimeout), spans::close);
    }

    public Traces traces() {
        return traces;
    }

    /** Sees what {@code meters} sees. */
    public FactObserver beside(FactObserver meters) {
        return observer == FactObserver.NONE ? meters : FactObserver.both(meters, observer);
    }

    /** Sends what is still to be sent, for a few seconds at most. */
    @Override
    public void close() {
        ending.run();
    }
}
