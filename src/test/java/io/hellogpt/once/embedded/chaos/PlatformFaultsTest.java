package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hellogpt.once.ops.BoundedRocksDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** What only some machines allow. */
class PlatformFaultsTest {
    @TempDir
    Path dir;

    @Test
    void aSmallDiskIsFullUntilItIsFreed() throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.mount(dir.resolve("disk"), 16);
        assumeTrue(mounted.isPresent(), "a tmpfs cannot be mounted here");
        try (SmallDisk disk = mounted.orElseThrow()) {
            Path file = disk.path().resolve("file");
            assertThat(disk.isFull()).isFalse();

            disk.fill();
            assertThat(disk.isFull()).isTrue();
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> Files.write(file, new byte[1 << 20]))
                    .isInstanceOf(IOException.class);

            disk.free();
            Files.write(file, new byte[1 << 20]);
            assertThat(disk.isFull()).isFalse();
        }
        assertThat(dir.resolve("disk").resolve("file")).doesNotExist();
    }

    /** Four stores for each partition, whatever they hold: what one takes beforehand, every instance takes many times. */
    @Test
    void anEmptyStoreTakesHardlyAnythingOfADisk() throws Exception {
        Optional<SmallDisk> mounted = SmallDisk.mount(dir.resolve("disk"), 16);
        assumeTrue(mounted.isPresent(), "a tmpfs cannot be mounted here");
        BoundedRocksDb bounds = new BoundedRocksDb();
        try (SmallDisk disk = mounted.orElseThrow();
                Options options = new Options().setCreateIfMissing(true)) {
            options.setTableFormatConfig(new BlockBasedTableConfig());
            bounds.setConfig("store", options, Map.of());
            long before = disk.path().toFile().getUsableSpace();
            try (RocksDB store =
                    RocksDB.open(options, disk.path().resolve("store").toString())) {
                assertThat(store.getLatestSequenceNumber()).isZero();
                assertThat(before - disk.path().toFile().getUsableSpace()).isLessThan(1 << 20);
            }
            bounds.close("store", options);
        }
    }

    @Test
    void aClockCanBeSetAheadAndRightAgain() throws Exception {
        Optional<SkewedClock> installed = SkewedClock.in(dir);
        assumeTrue(installed.isPresent(), "libfaketime is not installed here");
        SkewedClock clock = installed.orElseThrow();

        assertThat(ahead(clock)).isBetween(-30L, 30L);
        clock.set(Duration.ofHours(1));
        assertThat(ahead(clock)).isBetween(3_500L, 3_700L);
        clock.set(Duration.ofHours(-1));
        assertThat(ahead(clock)).isBetween(-3_700L, -3_500L);
        clock.set(Duration.ZERO);
        assertThat(ahead(clock)).isBetween(-30L, 30L);
    }

    /** By how many seconds a process with this clock is ahead. */
    private static long ahead(SkewedClock clock) throws Exception {
        ProcessBuilder date = new ProcessBuilder("date", "+%s");
        date.environment().putAll(clock.environment());
        Process process = date.start();
        String shown = new String(process.getInputStream().readAllBytes()).strip();
        process.waitFor();
        return Long.parseLong(shown) - System.currentTimeMillis() / 1_000;
    }
}
