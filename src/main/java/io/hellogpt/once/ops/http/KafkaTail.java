package io.hellogpt.once.ops.http;

import io.hellogpt.once.api.AuditLog;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** One reader that follows {@code lifecycle-events}. An event's id is the offset to go on from, of every partition in order. */
final class KafkaTail implements AuditLog.Tail {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final long[] positions;

    KafkaTail(KafkaConsumer<byte[], byte[]> consumer, int partitions, Optional<long[]> from) {
        this.consumer = consumer;
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(number -> new TopicPartition(Topics.LIFECYCLE_EVENTS, number))
                .toList();
        consumer.assign(all);
        if (from.isPresent()) {
            // Offsets that retention has deleted meanwhile become the first one still there.
            all.forEach(partition -> consumer.seek(partition, from.get()[partition.partition()]));
            this.positions = from.get();
        } else {
            consumer.seekToEnd(all);
            this.positions = all.stream().mapToLong(consumer::position).toArray();
        }
    }

    @Override
    public List<AuditLog.Event> next(Duration patience) {
        List<AuditLog.Event> events = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(patience)) {
            positions[record.partition()] = record.offset() + 1;
            String id = Arrays.stream(positions).mapToObj(Long::toString).collect(Collectors.joining("."));
            events.add(new AuditLog.Event(id, RecordJson.read(record.value())));
        }
        return events;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
