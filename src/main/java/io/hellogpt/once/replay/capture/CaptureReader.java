package io.hellogpt.once.replay.capture;

import io.hellogpt.once.schema.SchemaFingerprints;
import java.io.Closeable;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * Reads a capture from beginning to end. Whatever is wrong with the file is one {@link UnusableCaptureException} that names the
 * file and says what it is instead. Not safe for use by several threads.
 */
public final class CaptureReader implements Closeable {
    private final Path file;
    private final DataFileReader<GenericRecord> reader;
    private final Manifest manifest;
    private long records;
    private boolean ended;

    private CaptureReader(Path file, DataFileReader<GenericRecord> reader, Manifest manifest) {
        this.file = file;
        this.reader = reader;
        this.manifest = manifest;
    }

    public static CaptureReader open(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new UnusableCaptureException("there is no file " + file);
        }
        try {
            return open(file, file.toFile());
        } catch (UnusableCaptureException unusable) {
            throw new UnusableCaptureException(file + " cannot be replayed: " + unusable.getMessage(), unusable);
        }
    }

    private static CaptureReader open(Path name, File file) {
        DataFileReader<GenericRecord> reader;
        try {
            reader = new DataFileReader<>(file, new GenericDatumReader<>(null, CaptureSchema.RECORD));
        } catch (EOFException cut) {
            throw truncated(cut);
        } catch (IOException | RuntimeException foreign) {
            throw new UnusableCaptureException(
                    "it is not a capture, but something else or a damaged file; `once capture` makes captures",
                    foreign);
        }
        byte[] manifest = reader.getMeta(Manifest.KEY);
        if (manifest == null) {
            throw new UnusableCaptureException("it is an Avro file, but not a capture: it has no " + Manifest.KEY);
        }
        return new CaptureReader(name, reader, readable(Manifest.parse(manifest)));
    }

    /** A later version that writes the same form of file may write other records into it. */
    private static Manifest readable(Manifest manifest) {
        manifest.schemas().forEach((type, fingerprint) -> {
            if (!SchemaFingerprints.isKnown(type, fingerprint)) {
                throw new UnusableCaptureException(
                        "it was made by version %s, whose %s this one does not know: replay it with that version or a later one"
                                .formatted(manifest.version(), type));
            }
        });
        return manifest;
    }

    public Manifest manifest() {
        return manifest;
    }

    /** The next record, empty at the end. */
    public Optional<CapturedRecord> next() {
        if (ended) {
            return Optional.empty();
        }
        CapturedRecord record;
        try {
            record = reader.hasNext() ? record(reader.next()) : null;
        } catch (AvroRuntimeException damaged) {
            throw named(damaged.getCause() instanceof EOFException ? truncated(damaged) : damaged(damaged));
        } catch (RuntimeException damaged) {
            throw named(damaged(damaged));
        }
        if (record == null) {
            throw named(truncated(null));
        }
        if (!record.topic().equals(CaptureSchema.END)) {
            records++;
            return Optional.of(record);
        }
        ended = true;
        if (record.offset() != records) {
            throw named(damaged(null));
        }
        return Optional.empty();
    }

    private UnusableCaptureException named(UnusableCaptureException unusable) {
        return new UnusableCaptureException(file + " cannot be replayed: " + unusable.getMessage(), unusable);
    }

    private UnusableCaptureException damaged(Throwable cause) {
        return new UnusableCaptureException(
                "it is damaged behind record " + records + "; copy or capture it again", cause);
    }

    private static UnusableCaptureException truncated(Throwable cause) {
        return new UnusableCaptureException("it is truncated; copy it again, or capture it again", cause);
    }

    private static CapturedRecord record(GenericRecord avro) {
        List<?> headers = (List<?>) avro.get(6);
        return new CapturedRecord(
                avro.get(0).toString(),
                (Integer) avro.get(1),
                (Long) avro.get(2),
                (Long) avro.get(3),
                bytes(avro.get(4)),
                bytes(avro.get(5)),
                headers.stream()
                        .map(GenericRecord.class::cast)
                        .map(each -> new CapturedRecord.Entry(each.get(0).toString(), bytes(each.get(1))))
                        .toList());
    }

    private static byte[] bytes(Object value) {
        if (value == null) {
            return null;
        }
        ByteBuffer buffer = ((ByteBuffer) value).duplicate();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
