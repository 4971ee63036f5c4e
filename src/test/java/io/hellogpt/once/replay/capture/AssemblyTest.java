package io.hellogpt.once.replay.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.replay.Captures;
import io.hellogpt.once.replay.Replay;
import io.hellogpt.once.replay.ReplayListener;
import io.hellogpt.once.replay.ReplayOptions;
import io.hellogpt.once.replay.ReplayReport;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands on the topics becomes a file that replays equal: all of it, a span, some requests. */
class AssemblyTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(longs = {51, 52, 53})
    void everythingReplaysEqual(long seed) throws Exception {
        Manifest manifest = assemble(Captures.live(seed, 3, 400, dir), Set.of());

        ReplayReport report = replay();

        assertThat(manifest.selection()).isEqualTo(Manifest.Selection.EVERYTHING);
        assertThat(report.divergences()).isEmpty();
        assertThat(report.requests()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {54, 55, 56})
    void theWholeLivesOfASpanReplayEqualWithoutTheRest(long seed) throws Exception {
        List<CapturedRecord> all = Captures.live(seed, 3, 400, dir);
        Manifest manifest = assemble(secondHalf(all), Set.of());

        ReplayReport report = replay();

        assertThat(manifest.selection()).isEqualTo(Manifest.Selection.WHOLE_LIVES);
        assertThat(manifest.leftOut()).isPositive();
        assertThat(report.requests()).isPositive();
        assertThat(report.divergences()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {57, 58, 59})
    void someRequestsReplayEqualWithoutTheOthers(long seed) throws Exception {
        List<CapturedRecord> all = Captures.live(seed, 3, 400, dir);
        Set<String> ids = all.stream()
                .filter(record -> record.topic().equals(Topics.COMMITTED_RESULTS)
                        || record.topic().equals(Topics.FAILED_REQUESTS))
                .map(record -> record.keyText().orElseThrow())
                .limit(9)
                .collect(Collectors.toCollection(TreeSet::new));
        Manifest manifest = assemble(all, ids);

        ReplayReport report = replay();

        assertThat(manifest.selection()).isEqualTo(Manifest.Selection.IDS);
        assertThat(report.divergences()).isEmpty();
        assertThat(report.requests()).as("%s left out", manifest.leftOut()).isEqualTo(ids.size() - manifest.leftOut());
    }

    @ParameterizedTest
    @ValueSource(longs = {60})
    void whatWasNotWrittenWholeIsReadAgain(long seed) throws Exception {
        List<CapturedRecord> some = Captures.live(seed, 1, 60, dir).stream()
                .filter(record -> record.topic().equals(Topics.REQUESTS))
                .toList();
        Path spools = Files.createDirectory(dir.resolve("spools"));
        try (Spool spool = new Spool(spools, Topics.REQUESTS, 0, 0)) {
            for (CapturedRecord record : some) {
                spool.append(record);
            }
        }
        Path file = spools.resolve("requests-0.spool");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 3));

        try (Spool again = new Spool(spools, Topics.REQUESTS, 0, 0)) {
            assertThat(again.nextOffset()).isEqualTo(some.get(some.size() - 1).offset());
            again.append(some.get(some.size() - 1));
        }

        assertThat(Files.readAllBytes(file)).isEqualTo(whole);
    }

    private Manifest assemble(List<CapturedRecord> records, Set<String> ids) throws IOException {
        Path spoolDir = Files.createTempDirectory(dir, "spools");
        Map<TopicPartition, Spool> spools = new HashMap<>();
        Map<TopicPartition, Long> ends = new HashMap<>();
        Map<TopicPartition, Long> firsts = new HashMap<>();
        List<CapturedRecord> inOrder = new ArrayList<>(records);
        inOrder.sort(Comparator.comparingLong(CapturedRecord::offset));
        for (CapturedRecord record : inOrder) {
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            if (!spools.containsKey(partition)) {
                spools.put(partition, new Spool(spoolDir, record.topic(), record.partition(), record.offset()));
                firsts.put(partition, record.offset());
            }
            spools.get(partition).append(record);
            ends.put(partition, record.offset() + 1);
        }
        List<Manifest.Range> ranges = firsts.keySet().stream()
                .map(each -> new Manifest.Range(each.topic(), each.partition(), firsts.get(each), ends.get(each)))
                .toList();
        CaptureRequest request =
                new CaptureRequest(Optional.<Instant>empty(), Optional.empty(), ids, dir.resolve("assembled.avro"));
        return new Assembly(OnceConfig.of(Map.of()), request, spools, ranges).write(3);
    }

    private ReplayReport replay() {
        return Replay.of(dir.resolve("assembled.avro"), ReplayOptions.AS_RECORDED, ReplayListener.NONE);
    }

    /** Steps of the second half, the records they read, and outputs from then on. */
    private static List<CapturedRecord> secondHalf(List<CapturedRecord> all) {
        int cut = all.size() / 2;
        while (!Topics.INPUTS.contains(all.get(cut).topic())) {
            cut++;
        }
        return all.subList(cut, all.size());
    }
}
