package io.hellogpt.once.topology;

import io.hellogpt.once.core.SourcePosition;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** The headers a misplaced request carries on {@code requests-rerouted}, so that its first position is not lost. */
public final class Headers {
    public static final String SOURCE_TOPIC = "once-source-topic";
    public static final String SOURCE_PARTITION = "once-source-partition";
    public static final String SOURCE_OFFSET = "once-source-offset";
    public static final String RECEIVED_AT = "once-received-at";

    private static final List<String> TRACE = List.of("traceparent", "tracestate");
    private static final int MAX_TRACE_BYTES = 512;

    private Headers() {}

    static void write(org.apache.kafka.common.header.Headers headers, SourcePosition source, Instant receivedAt) {
        put(headers, SOURCE_TOPIC, source.topic());
        put(headers, SOURCE_PARTITION, Integer.toString(source.partition()));
        put(headers, SOURCE_OFFSET, Long.toString(source.offset()));
        put(headers, RECEIVED_AT, Long.toString(receivedAt.toEpochMilli()));
    }

    /** The trace context (W3C) of a record, and none of its other headers: they could make the copy larger than a topic takes. */
    static org.apache.kafka.common.header.Headers traceOf(org.apache.kafka.common.header.Headers headers) {
        RecordHeaders trace = new RecordHeaders();
        for (String name : TRACE) {
            Header header = headers.lastHeader(name);
            if (header != null && header.value() != null && header.value().length <= MAX_TRACE_BYTES) {
                trace.add(header);
            }
        }
        return trace;
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
