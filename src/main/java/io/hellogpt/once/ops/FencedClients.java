package io.hellogpt.once.ops;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
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
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients of Streams, with producers that commit nothing without a fence and take nothing for committed that may not be.
 *
 * <p>A transaction is fenced by the offsets committed in it: the group coordinator takes them from a current member only (KIP-447).
 * Streams 4.4.0 commits none until a task has read something since it was started, and whoever has lost the task without knowing it
 * yet would write its state and its outputs over those of the new owner. The topology writes nothing before it has read; should it
 * ever, it is refused here.
 *
 * <p>The tasks of a stream thread share its transaction. When one of them fails and Streams goes on with the others, what the others
 * wrote may be gone while their offsets are still to be committed, or half of a step may be committed with them. So whatever goes wrong
 * with a transaction makes the thread lose all of its tasks, and restore each of them from what is committed.
 */
final class FencedClients implements KafkaClientSupplier {
    private final LostTransactions transactions;

    /** @param transactions is told which are lost, also for the stores */
    FencedClients(LostTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new FencedProducer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return consumer(config);
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

    /** For its stream thread only, as Streams uses it. */
    private final class FencedProducer extends KafkaProducer<byte[], byte[]> {
        private boolean wrote;
        /** Streams makes another producer when it has lost all tasks. */
        private boolean lost;

        FencedProducer(Map<String, Object> config) {
            super(config, new ByteArraySerializer(), new ByteArraySerializer());
            transactions.begin();
        }

        @Override
        public void beginTransaction() {
            wrote = false;
            transactions.lose();
            super.beginTransaction();
            transactions.begin();
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            wrote = true;
            return super.send(record, callback);
        }

        @Override
        public void sendOffsetsToTransaction(
                Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata member) {
            transactions.lose();
            if (lost) {
                throw new CommitFailedException("other tasks of the thread had a part in a transaction that failed");
            }
            if (wrote && offsets.isEmpty()) {
                throw new CommitFailedException("nothing was read that could fence what was written");
            }
            inTime(() -> super.sendOffsetsToTransaction(offsets, member));
        }

        @Override
        public void commitTransaction() {
            inTime(super::commitTransaction);
            transactions.begin();
        }

        /** Streams aborts for one task, while a rebalance keeps it from committing the others first, and later commits their offsets. */
        @Override
        public void abortTransaction() {
            lost |= wrote;
            super.abortTransaction();
            transactions.begin();
        }

        /** Streams asks in the middle of a task's step, and on a time-out commits the others, and with them what the step has written. */
        @Override
        public List<PartitionInfo> partitionsFor(String topic) {
            try {
                return super.partitionsFor(topic);
            } catch (TimeoutException e) {
                lost = true;
                throw e;
            }
        }

        /**
         * Whether a transaction is committed is not known when a step of it takes too long. Streams revives the tasks that have offsets
         * in it, and takes the others' changes for committed and keeps them in their stores.
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
    }
}
