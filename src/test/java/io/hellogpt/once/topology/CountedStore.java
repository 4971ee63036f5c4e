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

/** A sorted map that counts the entries read of its ranges. */
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
        return entries.remove(key);
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

        Counted(Iterator<Map.Entry<Bytes, byte[]>> from) {
            this.from = from;
        }

        @Override
        public Bytes peekNextKey() {
            throw new UnsupportedOperationException("nobody looks ahead");
        }

        @Override
        public boolean hasNext() {
            return from.hasNext();
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            read++;
            Map.Entry<Bytes, byte[]> entry = from.next();
            return KeyValue.pair(entry.getKey(), entry.getValue());
        }

        @Override
        public void close() {}
    }
}
