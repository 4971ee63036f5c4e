package io.hellogpt.once.replay.capture;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;

/** The schema of a capture's records. */
final class CaptureSchema {
    /** Topic of the end mark. */
    static final String END = "";

    static final Schema RECORD = load();

    private CaptureSchema() {}

    private static Schema load() {
        try (InputStream in = CaptureSchema.class.getResourceAsStream("/schemas/CapturedRecord.avsc")) {
            return new Schema.Parser().parse(in);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource schemas/CapturedRecord.avsc", e);
        }
    }
}
