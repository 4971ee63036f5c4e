package io.hellogpt.once.topology;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A sorted map that counts the entries read of its ranges, and, like RocksDB before it compacts, goes through what was deleted on its
 * way to what was not.
 */
final class CountedStore implements KeyValueStore<Bytes, byte[]> {
    private final TreeMap<Bytes, byte[]> entries = new TreeMap<>();
    long read;

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        return new Counted(entries.subMap(from, true, to, true).entrySet().iterator());
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return new Counted(entries.entrySet().iterator());
    }

    @Override
    public void put(Bytes key, byte[] value) {
        entries.put(key, value);
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
        return entries.putIfAbsent(key, value);
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> more) {
        more.forEach(entry -> entries.put(entry.key, entry.value));
    }

    @Override
    public byte[] delete(Bytes key) {
        return entries.containsKey(key) ? entries.put(key, null) : null;
    }

    @Override
    public byte[] get(Bytes key) {
        return entries.get(key);
    }

    @Override
    public long approximateNumEntries() {
        return entries.size();
    }

    @Override
    public String name() {
        return "counted";
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {}

    @Override
    public void close() {}

    @Override
    public boolean persistent() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    private final class Counted implements KeyValueIterator<Bytes, byte[]> {
        private final Iterator<Map.Entry<Bytes, byte[]>> from;
        private Map.Entry<Bytes, byte[]> next;

        Counted(Iterator<Map.Entry<Bytes, byte[]>> from) {
            this.from = from;
            step();
        }

        private void step() {
            next = null;
            while (next == null && from.hasNext()) {
                read++;
                Map.Entry<Bytes, byte[]> entry = from.next();
                next = entry.getValue() == null ? null : entry;
            }
        }

        @Override
        public Bytes peekNextKey() {
            throw new UnsupportedOperationException("nobody looks ahead");
        }

        @Override
        public boolean hasNext() {
            return next != null;
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            KeyValue<Bytes, byte[]> entry = KeyValue.pair(next.getKey(), next.getValue());
            step();
            return entry;
        }

        @Override
        public void close() {}
    }
}
