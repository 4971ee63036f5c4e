package io.hellogpt.once.replay;

import io.hellogpt.once.ops.ProductVersion;
import io.hellogpt.once.replay.capture.CaptureWriter;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.replay.capture.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/** Captures of live worlds. */
public final class Captures {
    private Captures() {}

    /** Everything that stands on the topics, in an order in which it can be replayed. */
    public static List<CapturedRecord> live(long seed, int partitions, int steps, Path dir) throws IOException {
        return live(seed, partitions, steps, dir, Stores::persistentKeyValueStore);
    }

    /** The same of a world that keeps nothing on disk, for tests that are about something else. */
    public static List<CapturedRecord> liveInMemory(long seed, int partitions, int steps, Path dir) throws IOException {
        return live(seed, partitions, steps, dir, Stores::inMemoryKeyValueStore);
    }

    private static List<CapturedRecord> live(
            long seed, int partitions, int steps, Path dir, Function<String, KeyValueBytesStoreSupplier> stores)
            throws IOException {
        List<CapturedRecord> records = new ArrayList<>();
        Path state = Files.createTempDirectory(dir, "world");
        try (LiveWorld world = new LiveWorld(seed, partitions, state, records::add, stores)) {
            world.steps(steps);
            world.drain();
        }
        return records;
    }

    public static Manifest manifest(int partitions, Manifest.Selection selection) {
        return new Manifest(
                Manifest.FORMAT,
                ProductVersion.get(),
                selection,
                0,
                false,
                partitions,
                List.of(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>());
    }

    public static Path write(Path file, List<CapturedRecord> records, int partitions) throws IOException {
        try (CaptureWriter writer = new CaptureWriter(file, manifest(partitions, Manifest.Selection.EVERYTHING))) {
            for (CapturedRecord record : records) {
                writer.write(record);
            }
            writer.finish();
        }
        return file;
    }
}
