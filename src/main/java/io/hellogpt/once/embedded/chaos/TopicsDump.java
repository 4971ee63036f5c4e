package io.hellogpt.once.embedded.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.TopicCatalogue;
import io.hellogpt.once.schema.CodecException;
import io.hellogpt.once.schema.RecordJson;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Every topic of a run as lines of JSON, one file each: the bytes as they are, and what they say where they can be read. */
final class TopicsDump {
    private static final ObjectMapper JSON = new ObjectMapper();

    private TopicsDump() {}

    /** @param dir is made */
    static void write(OnceConfig config, Path dir) throws IOException {
        Files.createDirectories(dir);
        try (CommittedReader reader = new CommittedReader(config.reader())) {
            for (TopicCatalogue.Topic topic : TopicCatalogue.standard().topics()) {
                try (BufferedWriter out = Files.newBufferedWriter(dir.resolve(topic.name() + ".jsonl"))) {
                    reader.readAll(reader.partitions(topic.name()), record -> write(record, out));
                }
            }
        }
    }

    private static void write(ConsumerRecord<byte[], byte[]> record, BufferedWriter out) {
        ObjectNode line = JSON.createObjectNode();
        line.put("partition", record.partition());
        line.put("offset", record.offset());
        line.put("timestamp", Instant.ofEpochMilli(record.timestamp()).toString());
        line.put("key", record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8));
        ObjectNode headers = line.putObject("headers");
        record.headers()
                .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        line.put(
                "value_base64",
                record.value() == null ? null : Base64.getEncoder().encodeToString(record.value()));
        try {
            line.set("value", RecordJson.read(record.value()));
        } catch (CodecException notOurs) {
            line.put("unreadable", notOurs.getMessage());
        }
        try {
            out.write(line + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
