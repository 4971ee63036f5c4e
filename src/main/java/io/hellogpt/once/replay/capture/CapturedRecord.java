package io.hellogpt.once.replay.capture;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * One record of a topic, as it stood there.
 *
 * @param timestamp milliseconds since the epoch
 * @param key may be null
 * @param value may be null
 */
public record CapturedRecord(
        String topic, int partition, long offset, long timestamp, byte[] key, byte[] value, List<Entry> headers) {
    public CapturedRecord {
        Objects.requireNonNull(topic, "topic");
        headers = List.copyOf(headers);
    }

    /** One header. */
    public record Entry(String name, byte[] value) {}

    public static CapturedRecord of(ConsumerRecord<byte[], byte[]> record) {
        return new CapturedRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.key(),
                record.value(),
                entries(record.headers()));
    }

    public static List<Entry> entries(Headers headers) {
        return java.util.stream.StreamSupport.stream(headers.spliterator(), false)
                .map(header -> new Entry(header.key(), header.value()))
                .toList();
    }

    public Headers kafkaHeaders() {
        RecordHeaders all = new RecordHeaders();
        headers.forEach(entry -> all.add(new RecordHeader(entry.name(), entry.value())));
        return all;
    }

    /** The value of the last header of that name, as text. */
    public Optional<String> header(String name) {
        return headers.stream()
                .filter(entry -> entry.name().equals(name) && entry.value() != null)
                .reduce((first, second) -> second)
                .map(entry -> new String(entry.value(), StandardCharsets.UTF_8));
    }

    public Optional<String> keyText() {
        return Optional.ofNullable(key).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    public CapturedRecord with(List<Entry> others) {
        return new CapturedRecord(topic, partition, offset, timestamp, key, value, others);
    }

    /** The same place and time, with another content. */
    public CapturedRecord with(byte[] otherKey, byte[] otherValue, List<Entry> otherHeaders) {
        return new CapturedRecord(topic, partition, offset, timestamp, otherKey, otherValue, otherHeaders);
    }

    /** Where it stood, e.g. {@code requests-3@17}. */
    public String position() {
        return topic + "-" + partition + "@" + offset;
    }
}
