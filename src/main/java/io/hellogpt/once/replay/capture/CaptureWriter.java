package io.hellogpt.once.replay.capture;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;

/** Writes a capture file under another name and gives it its own once it is whole. Not safe for use by several threads. */
public final class CaptureWriter implements Closeable {
    private static final int ZSTD_LEVEL = 3;
    private static final int SYNC_BYTES = 256 * 1024;

    private final Path file;
    private final Path unfinished;
    private final DataFileWriter<GenericRecord> writer;
    private long records;
    private boolean finished;

    public CaptureWriter(Path file, Manifest manifest) throws IOException {
        this.file = file;
        this.unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        this.writer = new DataFileWriter<>(new GenericDatumWriter<>(CaptureSchema.RECORD));
        writer.setCodec(CodecFactory.zstandardCodec(ZSTD_LEVEL));
        writer.setSyncInterval(SYNC_BYTES);
        writer.setMeta(Manifest.KEY, manifest.json().toString().getBytes(StandardCharsets.UTF_8));
        writer.create(CaptureSchema.RECORD, Files.newOutputStream(unfinished));
    }

    public void write(CapturedRecord record) throws IOException {
        writer.append(avro(record));
        records++;
    }

    /** Marks the end and gives the file its name. */
    public void finish() throws IOException {
        writer.append(avro(new CapturedRecord(CaptureSchema.END, 0, records, 0, null, null, List.of())));
        writer.close();
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        finished = true;
    }

    public long records() {
        return records;
    }

    @Override
    public void close() throws IOException {
        if (!finished) {
            writer.close();
            Files.deleteIfExists(unfinished);
        }
    }

    private static GenericRecord avro(CapturedRecord record) {
        GenericRecord avro = new GenericData.Record(CaptureSchema.RECORD);
        avro.put(0, record.topic());
        avro.put(1, record.partition());
        avro.put(2, record.offset());
        avro.put(3, record.timestamp());
        avro.put(4, bytes(record.key()));
        avro.put(5, bytes(record.value()));
        Schema entry = CaptureSchema.RECORD.getField("headers").schema().getElementType();
        avro.put(
                6,
                record.headers().stream()
                        .map(header -> {
                            GenericRecord each = new GenericData.Record(entry);
                            each.put(0, header.name());
                            each.put(1, bytes(header.value()));
                            return each;
                        })
                        .toList());
        return avro;
    }

    private static ByteBuffer bytes(byte[] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }
}
