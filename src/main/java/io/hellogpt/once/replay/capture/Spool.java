package io.hellogpt.once.replay.capture;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * What was read of one partition so far, in a file that can be gone on with after an interruption: what was not written whole is
 * cut off. Not safe for use by several threads.
 */
final class Spool implements Closeable {
    private final String topic;
    private final int partition;
    private final Path file;
    private long nextOffset;
    private DataOutputStream out;

    Spool(Path directory, String topic, int partition, long first) throws IOException {
        this.topic = topic;
        this.partition = partition;
        this.file = directory.resolve(topic + "-" + partition + ".spool");
        this.nextOffset = first;
        recover();
    }

    /** The offset of the next record it needs. */
    long nextOffset() {
        return nextOffset;
    }

    private void recover() throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        long whole = 0;
        try (DataInputStream in = open()) {
            while (true) {
                int length = in.readInt();
                byte[] frame = in.readNBytes(length);
                if (frame.length < length) {
                    break;
                }
                nextOffset = parse(frame).offset() + 1;
                whole += Integer.BYTES + length;
            }
        } catch (EOFException end) {
            // The last frame that was begun is not whole, or there is none.
        }
        try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
            cut.setLength(whole);
        }
    }

    void append(CapturedRecord record) throws IOException {
        if (out == null) {
            out = new DataOutputStream(new BufferedOutputStream(
                    Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND), 1 << 16));
        }
        java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream(256);
        DataOutputStream frame = new DataOutputStream(bytes);
        frame.writeLong(record.offset());
        frame.writeLong(record.timestamp());
        write(frame, record.key());
        write(frame, record.value());
        frame.writeInt(record.headers().size());
        for (CapturedRecord.Entry header : record.headers()) {
            write(frame, header.name().getBytes(StandardCharsets.UTF_8));
            write(frame, header.value());
        }
        out.writeInt(bytes.size());
        bytes.writeTo(out);
        nextOffset = record.offset() + 1;
    }

    void flush() throws IOException {
        if (out != null) {
            out.flush();
        }
    }

    /** Everything in it, in order. */
    Records records() {
        try {
            flush();
            return new Records();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private DataInputStream open() throws IOException {
        return new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16));
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes == null ? -1 : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length < 0 ? null : in.readNBytes(length);
    }

    private CapturedRecord parse(byte[] frame) throws IOException {
        DataInputStream in = new DataInputStream(new java.io.ByteArrayInputStream(frame));
        long offset = in.readLong();
        long timestamp = in.readLong();
        byte[] key = bytes(in);
        byte[] value = bytes(in);
        List<CapturedRecord.Entry> headers = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            headers.add(new CapturedRecord.Entry(new String(bytes(in), StandardCharsets.UTF_8), bytes(in)));
        }
        return new CapturedRecord(topic, partition, offset, timestamp, key, value, headers);
    }

    @Override
    public void close() throws IOException {
        if (out != null) {
            out.close();
        }
    }

    /** The records of a spool; the next one can be looked at before it is taken. */
    final class Records implements Iterator<CapturedRecord>, Closeable {
        private final DataInputStream in;
        private CapturedRecord head;

        private Records() throws IOException {
            in = Files.exists(file) ? open() : new DataInputStream(java.io.InputStream.nullInputStream());
            advance();
        }

        private void advance() throws IOException {
            try {
                head = parse(in.readNBytes(in.readInt()));
            } catch (EOFException end) {
                head = null;
            }
        }

        @Override
        public boolean hasNext() {
            return head != null;
        }

        CapturedRecord peek() {
            return head;
        }

        @Override
        public CapturedRecord next() {
            if (head == null) {
                throw new NoSuchElementException();
            }
            CapturedRecord taken = head;
            try {
                advance();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + file, e);
            }
            return taken;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
