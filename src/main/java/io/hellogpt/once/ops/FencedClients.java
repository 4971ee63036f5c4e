package io.hellogpt.once.ops;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients of Streams, with producers that let no transaction be committed for an instance which the group has given up.
 *
 * <p>A transaction is fenced by the offsets committed in it: the group coordinator takes them from a current member only (KIP-447).
 * Streams 4.4.0 commits none until a task has read something since it was started. When a timer fires before that, whoever has lost
 * the task without knowing it yet writes its state and its outputs over those of the new owner. So a transaction without offsets
 * commits here once more one that is committed already, and one whose end is not known counts as lost. For the classic group protocol.
 */
final class FencedClients implements KafkaClientSupplier {
    private static final String CONSUMER = "-consumer";
    private static final String PRODUCER = "-producer";

    /** By stream thread. */
    private final Map<String, Consumer<byte[], byte[]>> consumers = new ConcurrentHashMap<>();

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new FencedProducer(config, thread(config, PRODUCER));
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        Consumer<byte[], byte[]> consumer = consumer(config);
        consumers.put(thread(config, CONSUMER), consumer);
        return consumer;
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    private static Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** The clients of a stream thread carry its name. */
    private static String thread(Map<String, Object> config, String kind) {
        String client = String.valueOf(config.get(CommonClientConfigs.CLIENT_ID_CONFIG));
        if (!client.endsWith(kind)) {
            throw new IllegalStateException("a client of a stream thread is named " + client + ", without " + kind);
        }
        return client.substring(0, client.length() - kind.length());
    }

    /** For its stream thread only, as Streams uses it. */
    private final class FencedProducer extends KafkaProducer<byte[], byte[]> {
        private final String thread;
        private boolean wrote;

        FencedProducer(Map<String, Object> config, String thread) {
            super(config, new ByteArraySerializer(), new ByteArraySerializer());
            this.thread = thread;
        }

        @Override
        public void beginTransaction() {
            wrote = false;
            super.beginTransaction();
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            wrote = true;
            return super.send(record, callback);
        }

        @Override
        public void sendOffsetsToTransaction(
                Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata member) {
            inTime(() -> super.sendOffsetsToTransaction(
                    offsets.isEmpty() && wrote ? oneAlreadyCommitted() : offsets, member));
        }

        @Override
        public void commitTransaction() {
            inTime(super::commitTransaction);
        }

        /**
         * Whether a transaction is committed is not known when a step of it takes too long. Streams revives the tasks that have offsets
         * in it, and takes the others' changes for committed and keeps them in their stores. So it is told that it has lost them
         * all: then it restores each from what is committed.
         */
        private static void inTime(Runnable step) {
            try {
                step.run();
            } catch (TimeoutException unknown) {
                CommitFailedException lost =
                        new CommitFailedException("it is not known whether it is committed: " + unknown.getMessage());
                lost.initCause(unknown);
                throw lost;
            }
        }

        /** Right behind a commit the group may still say what stood before, or nothing: then that is read again. */
        private Map<TopicPartition, OffsetAndMetadata> oneAlreadyCommitted() {
            Consumer<byte[], byte[]> consumer = Objects.requireNonNull(consumers.get(thread), thread);
            Set<TopicPartition> assigned = consumer.assignment();
            if (assigned.isEmpty()) {
                throw new CommitFailedException("no partition is assigned to " + thread + " any more");
            }
            return consumer.committed(assigned).entrySet().stream()
                    .filter(known -> known.getValue() != null)
                    .findAny()
                    .map(known -> Map.of(known.getKey(), known.getValue()))
                    .orElseGet(() -> firstOf(consumer, assigned.iterator().next()));
        }

        /** A group that has committed nothing yet, or was made to forget it, begins there. */
        private static Map<TopicPartition, OffsetAndMetadata> firstOf(
                Consumer<byte[], byte[]> consumer, TopicPartition partition) {
            long first = consumer.beginningOffsets(Set.of(partition)).get(partition);
            return Map.of(partition, new OffsetAndMetadata(first));
        }
    }
}
