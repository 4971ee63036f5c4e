package io.hellogpt.once.replay;

import io.hellogpt.once.replay.capture.CapturedRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.test.TestRecord;

/** A record a task wrote, then or now. */
public record Output(String topic, byte[] key, byte[] value, long timestamp, List<CapturedRecord.Entry> headers) {
    public Output {
        headers = List.copyOf(headers);
    }

    static Output of(String topic, TestRecord<byte[], byte[]> record) {
        return new Output(
                topic, record.key(), record.value(), record.timestamp(), CapturedRecord.entries(record.headers()));
    }

    /** The value of the header of that name, as text. */
    Optional<String> header(String name) {
        return headers.stream()
                .filter(entry -> entry.name().equals(name) && entry.value() != null)
                .findFirst()
                .map(entry -> new String(entry.value(), StandardCharsets.UTF_8));
    }

    static Output of(CapturedRecord record) {
        return new Output(record.topic(), record.key(), record.value(), record.timestamp(), record.headers());
    }
}
