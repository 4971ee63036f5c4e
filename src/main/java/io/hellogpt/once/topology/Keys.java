package io.hellogpt.once.topology;

import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Timer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;

/** The byte layout of record and store keys. It is stored: it never changes. */
final class Keys {
    private static final Timer.Kind[] KINDS = Timer.Kind.values();
    private static final int FIXED = 1 + Long.BYTES + Long.BYTES;
    /**
     * Begins the key of a request that waits in a lane. Far behind the kinds, which may become more; the byte of PENDING itself
     * stands in front of the keys of builds before version 0.1.0, which had no lanes.
     */
    private static final byte LANES = 64;

    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private Keys() {}

    static byte[] bytes(RequestId id) {
        return id.value().getBytes(StandardCharsets.UTF_8);
    }

    static Bytes of(RequestId id) {
        return Bytes.wrap(bytes(id));
    }

    /** Kind, due time and sequence big-endian, then the id, so that byte order is the order in which things are due. */
    static Bytes of(Timer timer) {
        if (timer.kind() == Timer.Kind.PENDING) {
            throw new IllegalArgumentException("the key of a timer of kind PENDING begins with a lane");
        }
        byte[] id = bytes(timer.id());
        return Bytes.wrap(ByteBuffer.allocate(FIXED + id.length)
                .put((byte) timer.kind().ordinal())
                .putLong(timer.due().toEpochMilli())
                .putLong(timer.sequence())
                .put(id)
                .array());
    }

    /**
     * Which of the queues of waiting requests a model's requests stand in: FNV-1a of its name, 64 bits. Two names in one lane
     * would wait for each other's limits, and nothing worse.
     */
    static long lane(String model) {
        long hash = FNV_BASIS;
        for (byte b : model.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        return hash;
    }

    /** A waiting request: the lane comes first, so that each model's requests can be read in order and by themselves. */
    static Bytes ofPending(long lane, Timer timer) {
        byte[] id = bytes(timer.id());
        return Bytes.wrap(ByteBuffer.allocate(FIXED + Long.BYTES + id.length)
                .put(LANES)
                .putLong(lane)
                .putLong(timer.due().toEpochMilli())
                .putLong(timer.sequence())
                .put(id)
                .array());
    }

    /** The first key of {@code lane} that is due at {@code due} or later. */
    static Bytes firstPending(long lane, Instant due) {
        return Bytes.wrap(ByteBuffer.allocate(1 + Long.BYTES + Long.BYTES)
                .put(LANES)
                .putLong(lane)
                .putLong(due.toEpochMilli())
                .array());
    }

    /** Behind every key of {@code lane} and before every key of the next one. */
    static Bytes lastPending(long lane) {
        return firstPending(lane, Instant.ofEpochMilli(Long.MAX_VALUE));
    }

    /** The least key greater than {@code key}. */
    static Bytes successor(Bytes key) {
        return Bytes.wrap(Arrays.copyOf(key.get(), key.get().length + 1));
    }

    static long laneOf(Bytes pendingKey) {
        return ByteBuffer.wrap(pendingKey.get()).getLong(1);
    }

    static Timer timer(Bytes key) {
        ByteBuffer buffer = ByteBuffer.wrap(key.get());
        byte first = buffer.get();
        if (first == LANES) {
            buffer.getLong();
        }
        Timer.Kind kind = first == LANES ? Timer.Kind.PENDING : KINDS[first];
        Instant due = Instant.ofEpochMilli(buffer.getLong());
        long sequence = buffer.getLong();
        byte[] id = new byte[buffer.remaining()];
        buffer.get(id);
        return new Timer(kind, due, sequence, new RequestId(new String(id, StandardCharsets.UTF_8)));
    }

    static Bytes first(Timer.Kind kind) {
        return Bytes.wrap(new byte[] {kind == Timer.Kind.PENDING ? LANES : (byte) kind.ordinal()});
    }

    /** Just behind every key of {@code kind}. */
    static Bytes behind(Timer.Kind kind) {
        return Bytes.wrap(new byte[] {(byte) (first(kind).get()[0] + 1)});
    }

    /** The first key of the requests that have waited since before version 0.1.0. */
    static Bytes firstWithoutLane() {
        return Bytes.wrap(new byte[] {(byte) Timer.Kind.PENDING.ordinal()});
    }

    /** Behind all of those. */
    static Bytes behindWithoutLane() {
        return Bytes.wrap(new byte[] {(byte) (Timer.Kind.PENDING.ordinal() + 1)});
    }
}
