package io.hellogpt.once.ops;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/**
 * One bounded block cache and write buffer manager for all stores of the process, and bloom filters, since nearly every dedup
 * look-up misses. Streams creates one instance per store; what they share is made once, with the first store's limits, and
 * lives as long as the process.
 */
public final class BoundedRocksDb implements RocksDBConfigSetter {
    private static final int BLOOM_BITS_PER_KEY = 10;
    private static final int BLOCK_BYTES = 16 * 1024;
    private static final int MEMTABLES = 3;
    private static final long MANIFEST_BYTES = 64 * 1024L;
    private static final double HIGH_PRIORITY_SHARE = 0.3;

    private static Cache cache;
    private static WriteBufferManager writeBuffers;

    private BloomFilter bloom;

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        share(bytes(configs, Settings.ROCKSDB_BLOCK_CACHE_BYTES), bytes(configs, Settings.ROCKSDB_WRITE_BUFFER_BYTES));
        bloom = new BloomFilter(BLOOM_BITS_PER_KEY, false);
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(cache);
        table.setBlockSize(BLOCK_BYTES);
        table.setFilterPolicy(bloom);
        // Without these two, indexes and filters grow with the number of ids and stand outside the limit.
        table.setCacheIndexAndFilterBlocks(true);
        table.setCacheIndexAndFilterBlocksWithHighPriority(true);
        table.setPinTopLevelIndexAndFilter(true);
        options.setWriteBufferManager(writeBuffers);
        // RocksDB reserves this much of the disk for a file of some hundred bytes, 4 MiB by default, and there are four
        // stores for each partition.
        options.setManifestPreallocationSize(MANIFEST_BYTES);
        options.setMaxWriteBufferNumber(MEMTABLES);
        options.setTableFormatConfig(table);
    }

    @Override
    public void close(String storeName, Options options) {
        bloom.close();
    }

    private static synchronized void share(long cacheBytes, long bufferBytes) {
        if (cache == null) {
            cache = new LRUCache(cacheBytes, -1, false, HIGH_PRIORITY_SHARE);
            writeBuffers = new WriteBufferManager(bufferBytes, cache);
        }
    }

    private static long bytes(Map<String, Object> configs, String name) {
        Object value = configs.get(name);
        Object limit = value == null ? Settings.DEFINITION.configKeys().get(name).defaultValue : value;
        return Long.parseLong(limit.toString());
    }
}
