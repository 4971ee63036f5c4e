package io.hellogpt.once.embedded.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Requests as a producer writes them: JSON, keyed by their id, with a prompt of some twenty words. */
final class Load {
    private static final String PROMPT =
            "Read the attached purchase order, check it against the framework agreement, and draft the contract it calls for.";

    private Load() {}

    /** What a request asks for beyond its text. */
    record Kind(int answerTokens, Map<String, Object> more) {
        /** An answer of about 600 bytes of text. */
        static final Kind PLAIN = new Kind(100, Map.of());
    }

    /**
     * Writes requests and returns when the broker has them all.
     *
     * @param prefix of their ids; numbered from {@code first}
     * @param times how often each is sent
     */
    static void send(OnceConfig client, String prefix, int first, int count, int times, Kind kind) {
        Properties config = client.producer();
        config.put(ProducerConfig.LINGER_MS_CONFIG, 20);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, 256 * 1024);
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int number = first; number < first + count; number++) {
                for (int time = 0; time < times; time++) {
                    producer.send(
                            record(prefix + number, kind), (written, error) -> failure.compareAndSet(null, error));
                }
            }
        }
        if (failure.get() != null) {
            throw new IllegalStateException("the load could not be written", failure.get());
        }
    }

    static ProducerRecord<byte[], byte[]> record(String id, Kind kind) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("request_id", id);
        request.put("model", "simulated");
        request.put("input", PROMPT);
        request.putObject("parameters").put("max_tokens", kind.answerTokens());
        kind.more().forEach((name, value) -> request.putPOJO(name, value));
        return new ProducerRecord<>(
                Topics.REQUESTS,
                id.getBytes(StandardCharsets.UTF_8),
                request.toString().getBytes(StandardCharsets.UTF_8));
    }
}
