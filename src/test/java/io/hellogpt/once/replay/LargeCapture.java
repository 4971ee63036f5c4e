package io.hellogpt.once.replay;

import io.hellogpt.once.replay.capture.CaptureWriter;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.replay.capture.Manifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.streams.state.Stores;

/** Writes a large capture of a chaotic live world, to measure a replay with: {@code LargeCapture FILE STEPS}. */
final class LargeCapture {
    private LargeCapture() {}

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        Path state = Files.createTempDirectory("world");
        try (CaptureWriter writer = new CaptureWriter(file, Captures.manifest(4, Manifest.Selection.EVERYTHING));
                LiveWorld world =
                        new LiveWorld(1, 4, state, record -> write(writer, record), Stores::inMemoryKeyValueStore)) {
            world.slots = 200;
            world.longestPause = 2;
            world.steps(Integer.parseInt(arguments[1]));
            world.drain();
            writer.finish();
            System.out.printf("%,d requests, %,d records%n", world.ids().size(), writer.records());
        }
        Directories.delete(state);
    }

    private static void write(CaptureWriter writer, CapturedRecord record) {
        try {
            writer.write(record);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
