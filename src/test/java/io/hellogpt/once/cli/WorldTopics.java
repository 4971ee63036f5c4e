package io.hellogpt.once.cli;

import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.topology.Topics;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The topics of a real broker, to which a recorded world is written as it stood. */
final class WorldTopics {
    private final String brokers;
    private final int partitions;

    WorldTopics(String brokers, int partitions) {
        this.brokers = brokers;
        this.partitions = partitions;
    }

    void create() throws Exception {
        List<NewTopic> topics = Stream.of(Topics.INPUTS, Topics.OUTPUTS, List.of(Topics.TASK_STEPS))
                .flatMap(List::stream)
                .distinct()
                // The world is older than a broker would keep it.
                .map(name -> new NewTopic(name, partitions, (short) 1).configs(Map.of("retention.ms", "-1")))
                .toList();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            admin.createTopics(topics).all().get();
        }
    }

    /** At the offsets it had: where a record of the world was never read, something else stands. */
    void send(List<CapturedRecord> records) {
        Map<String, Long> next = new HashMap<>();
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            records.stream()
                    .sorted(Comparator.comparingLong(CapturedRecord::offset))
                    .forEach(record -> {
                        String partition = record.topic() + "-" + record.partition();
                        for (long at = next.getOrDefault(partition, 0L); at < record.offset(); at++) {
                            producer.send(new ProducerRecord<>(
                                    record.topic(), record.partition(), record.timestamp(), null, new byte[0]));
                        }
                        producer.send(record(record));
                        next.put(partition, record.offset() + 1);
                    });
        }
    }

    static ProducerRecord<byte[], byte[]> record(CapturedRecord record) {
        return new ProducerRecord<>(
                record.topic(),
                record.partition(),
                record.timestamp(),
                record.key(),
                record.value(),
                record.kafkaHeaders());
    }

    KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap.servers", brokers);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }
}
