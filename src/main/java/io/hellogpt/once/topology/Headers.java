package io.hellogpt.once.topology;

import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.TraceContext;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The headers we read and write: a misplaced request's on {@code requests-rerouted}, so that its first position is not lost; the time
 * a result's request was received, by which results are ordered without being decoded; and the trace a record belongs to.
 */
public final class Headers {
    public static final String SOURCE_TOPIC = "once-source-topic";
    public static final String SOURCE_PARTITION = "once-source-partition";
    public static final String SOURCE_OFFSET = "once-source-offset";
    public static final String RECEIVED_AT = "once-received-at";

    private Headers() {}

    static void write(org.apache.kafka.common.header.Headers headers, SourcePosition source, Instant receivedAt) {
        put(headers, SOURCE_TOPIC, source.topic());
        put(headers, SOURCE_PARTITION, Integer.toString(source.partition()));
        put(headers, SOURCE_OFFSET, Long.toString(source.offset()));
        put(headers, RECEIVED_AT, Long.toString(receivedAt.toEpochMilli()));
    }

    /** Headers of what is about a request that was received then. */
    public static org.apache.kafka.common.header.Headers received(Instant at) {
        RecordHeaders headers = new RecordHeaders();
        put(headers, RECEIVED_AT, Long.toString(at.toEpochMilli()));
        return headers;
    }

    /** The trace a record belongs to, if its headers name one. */
    static Optional<TraceContext> trace(org.apache.kafka.common.header.Headers headers) {
        return text(headers, TraceContext.TRACEPARENT)
                .flatMap(parent -> TraceContext.read(parent, text(headers, TraceContext.TRACESTATE)));
    }

    /** Headers with the trace and nothing else. */
    static org.apache.kafka.common.header.Headers of(Optional<TraceContext> trace) {
        RecordHeaders headers = new RecordHeaders();
        trace.ifPresent(known -> {
            put(headers, TraceContext.TRACEPARENT, known.traceparent());
            known.tracestate().ifPresent(state -> put(headers, TraceContext.TRACESTATE, state));
        });
        return headers;
    }

    /** The position a rerouted record was first read at, or empty when it carries none that can be read. */
    static Optional<SourcePosition> source(org.apache.kafka.common.header.Headers headers) {
        Optional<String> topic = text(headers, SOURCE_TOPIC);
        Optional<Long> partition = number(headers, SOURCE_PARTITION);
        Optional<Long> offset = number(headers, SOURCE_OFFSET);
        return topic.isPresent() && partition.isPresent() && offset.isPresent()
                ? Optional.of(new SourcePosition(topic.get(), partition.get().intValue(), offset.get()))
                : Optional.empty();
    }

    static Optional<Instant> receivedAt(org.apache.kafka.common.header.Headers headers) {
        return number(headers, RECEIVED_AT).filter(millis -> millis >= 0).map(Instant::ofEpochMilli);
    }

    private static Optional<String> text(org.apache.kafka.common.header.Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null
                ? Optional.empty()
                : Optional.of(new String(header.value(), StandardCharsets.UTF_8));
    }

    private static Optional<Long> number(org.apache.kafka.common.header.Headers headers, String name) {
        return text(headers, name).filter(digits -> digits.matches("\\d{1,18}")).map(Long::valueOf);
    }

    private static void put(org.apache.kafka.common.header.Headers headers, String name, String value) {
        headers.remove(name);
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
