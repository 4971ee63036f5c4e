package io.hellogpt.once.ops;

import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.RocksDBStore;

/**
 * Stores on disk that keep nothing of a transaction that is lost.
 *
 * <p>A transactional store (KIP-892) holds changes back until the transaction is committed. When that fails while a stream thread
 * stops, Streams 4.4.0 makes the stores of all its tasks keep theirs all the same ({@code TaskManager.tryCloseCleanActiveTasks}), with
 * the place in the changelog behind them: when the task comes back to this disk, what the brokers have aborted is part of its state.
 */
final class FencedStores implements Function<String, KeyValueBytesStoreSupplier> {
    private final LostTransactions transactions;

    FencedStores(LostTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public KeyValueBytesStoreSupplier apply(String name) {
        return new Supplier(name);
    }

    private final class Supplier implements KeyValueBytesStoreSupplier {
        private final String name;

        Supplier(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public KeyValueStore<Bytes, byte[]> get() {
            return new FencedStore(name, metricsScope());
        }

        @Override
        public String metricsScope() {
            return "rocksdb";
        }
    }

    private final class FencedStore extends RocksDBStore {
        FencedStore(String name, String metricsScope) {
            super(name, metricsScope);
        }

        @Override
        public synchronized void commit(Map<TopicPartition, Long> changelogOffsets) {
            if (transactions.isLost()) {
                throw new ProcessorStateException(name() + " does not keep what belongs to a transaction that is lost");
            }
            super.commit(changelogOffsets);
        }
    }
}
