package io.hellogpt.once.topology;

import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Timer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.kafka.common.utils.Bytes;

/** The byte layout of record and store keys. It is stored: it never changes. */
final class Keys {
    private static final Timer.Kind[] KINDS = Timer.Kind.values();
    private static final int FIXED = 1 + Long.BYTES + Long.BYTES;

    private Keys() {}

    static byte[] bytes(RequestId id) {
        return id.value().getBytes(StandardCharsets.UTF_8);
    }

    static Bytes of(RequestId id) {
        return Bytes.wrap(bytes(id));
    }

    /** Kind, due time and sequence big-endian, then the id, so that byte order is the order in which things are due. */
    static Bytes of(Timer timer) {
        byte[] id = bytes(timer.id());
        return Bytes.wrap(ByteBuffer.allocate(FIXED + id.length)
                .put((byte) timer.kind().ordinal())
                .putLong(timer.due().toEpochMilli())
                .putLong(timer.sequence())
                .put(id)
                .array());
    }

    static Timer timer(Bytes key) {
        ByteBuffer buffer = ByteBuffer.wrap(key.get());
        Timer.Kind kind = KINDS[buffer.get()];
        Instant due = Instant.ofEpochMilli(buffer.getLong());
        long sequence = buffer.getLong();
        byte[] id = new byte[buffer.remaining()];
        buffer.get(id);
        return new Timer(kind, due, sequence, new RequestId(new String(id, StandardCharsets.UTF_8)));
    }

    static Bytes first(Timer.Kind kind) {
        return Bytes.wrap(new byte[] {(byte) kind.ordinal()});
    }

    /** Just behind every key of {@code kind} that is due at {@code time}. */
    static Bytes lastDue(Timer.Kind kind, Instant time) {
        return Bytes.wrap(ByteBuffer.allocate(1 + Long.BYTES)
                .put((byte) kind.ordinal())
                .putLong(time.toEpochMilli() + 1)
                .array());
    }
}
