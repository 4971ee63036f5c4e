package io.hellogpt.once.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.embedded.EmbeddedBroker;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.replay.Captures;
import io.hellogpt.once.replay.Replay;
import io.hellogpt.once.replay.ReplayListener;
import io.hellogpt.once.replay.ReplayOptions;
import io.hellogpt.once.replay.ReplayReport;
import io.hellogpt.once.replay.capture.Capture;
import io.hellogpt.once.replay.capture.CaptureReader;
import io.hellogpt.once.replay.capture.CaptureRequest;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.replay.capture.Manifest;
import io.hellogpt.once.topology.Topics;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code once capture} from the topics of a real broker, on which a chaotic world has left what it did. */
class CaptureCommandIT {
    private static final int PARTITIONS = 2;
    /** So many of the last steps stand in a transaction that is open when the first capture begins. */
    private static final int OPEN = 60;

    @TempDir
    static Path shared;

    private static EmbeddedBroker broker;
    private static WorldTopics topics;
    private static List<CapturedRecord> world;
    private static Run beforeAnythingWasRecorded;
    private static ReplayReport ofEverything;

    @TempDir
    Path dir;

    private record Run(int exitCode, String out, String err) {}

    @BeforeAll
    static void aWorldOnItsTopics() throws Exception {
        broker = EmbeddedBroker.create(shared);
        broker.start();
        topics = new WorldTopics(broker.address(), PARTITIONS);
        topics.create();
        beforeAnythingWasRecorded = once(
                "capture",
                "-b",
                broker.address(),
                "--out",
                shared.resolve("none.avro").toString());
        world = Captures.liveInMemory(71, PARTITIONS, 400, shared);
        List<CapturedRecord> steps = of(Topics.TASK_STEPS);
        topics.send(world.stream()
                .filter(record -> !record.topic().equals(Topics.TASK_STEPS))
                .toList());
        ofEverything = capturedWithAnOpenTransaction(steps);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void whereNothingWasRecordedOneLineSaysWhatToDo() {
        assertThat(beforeAnythingWasRecorded.exitCode()).isEqualTo(2);
        assertThat(beforeAnythingWasRecorded.err().lines())
                .singleElement()
                .asString()
                .contains("no step was recorded in the span", "replay.recording=true on the instances");
        assertThat(shared.resolve("none.avro")).doesNotExist();
    }

    /** As an instance leaves one that is killed: until it times out it hides everything behind it. */
    @Test
    void whatStandsBehindAnOpenTransactionIsInTheFile() {
        assertThat(ofEverything.steps()).isEqualTo(of(Topics.TASK_STEPS).size());
        assertThat(ofEverything.requests())
                .isEqualTo(acceptedBetween(Instant.MIN, Instant.MAX).size());
        assertThat(ofEverything.divergences()).isEmpty();
    }

    @Test
    void aSpanHoldsTheWholeLivesThatBeginInIt() throws Exception {
        List<CapturedRecord> steps = of(Topics.TASK_STEPS);
        Instant from = Instant.ofEpochMilli(steps.get(steps.size() / 3).timestamp());
        Instant to = Instant.ofEpochMilli(steps.get(steps.size() * 4 / 5).timestamp());
        Path file = dir.resolve("span.avro");

        Run run = once(
                "capture",
                "-b",
                broker.address(),
                "--from",
                from.toString(),
                "--to",
                to.toString(),
                "--out",
                file.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        ReplayReport report = replay(file);

        assertThat(run.out()).contains("the whole lives that began in the span", "requests are left out");
        assertThat(report.divergences()).isEmpty();
        assertThat(read(file).stream().filter(record -> record.topic().equals(Topics.TASK_STEPS)))
                .isNotEmpty()
                .allSatisfy(step -> assertThat(Instant.ofEpochMilli(step.timestamp()))
                        .isAfterOrEqualTo(from)
                        .isBefore(to));
        assertThat(report.requests()).isEqualTo(acceptedBetween(from, to).size());
    }

    @Test
    void theRequestsAskedForAreInTheFileAndNoOthers() throws Exception {
        List<String> ids =
                acceptedBetween(Instant.MIN, Instant.MAX).stream().limit(5).toList();
        Path list = Files.write(dir.resolve("ids.txt"), ids);
        Path file = dir.resolve("ids.avro");

        Run run = once("capture", "-b", broker.address(), "--ids", "@" + list, "--out", file.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        ReplayReport report = replay(file);

        assertThat(run.out()).contains("the requests asked for");
        assertThat(report.requests()).isEqualTo(ids.size());
        assertThat(report.divergences()).isEmpty();
        assertThat(read(file).stream()
                        .filter(record -> record.topic().equals(Topics.LIFECYCLE_EVENTS))
                        .map(record -> record.keyText().orElseThrow()))
                .containsAll(ids)
                .isSubsetOf(ids);
    }

    /** Killed while it read: what it had begun to write is not whole. */
    @Test
    void aCaptureThatWasKilledGoesOnWhereItWas() throws Exception {
        OnceConfig config = config();
        CaptureRequest all = request(dir.resolve("killed.avro"));
        assertThatThrownBy(() -> new Capture(config, all, CaptureCommandIT::dieHalfway).run())
                .hasMessage("killed");
        try (Stream<Path> spools = Files.list(all.workDirectory())) {
            for (Path spool :
                    spools.filter(path -> path.toString().endsWith(".spool")).toList()) {
                byte[] whole = Files.readAllBytes(spool);
                Files.write(spool, Arrays.copyOf(whole, Math.max(0, whole.length - 3)));
            }
        }
        List<Long> progress = new ArrayList<>();

        Run another = once(
                "capture",
                "-b",
                broker.address(),
                "--to",
                "2026-03-01T12:00:01Z",
                "--out",
                all.out().toString());
        new Capture(config, all, (done, total) -> progress.add(done)).run();

        assertThat(another.exitCode()).isEqualTo(2);
        assertThat(another.err().lines()).singleElement().asString().contains("an interrupted capture of another span");
        assertThat(progress.getFirst())
                .as("what was read before is not read again")
                .isPositive();
        assertThat(progress.getLast()).isGreaterThanOrEqualTo(world.size());
        assertThat(replay(all.out()).steps()).isEqualTo(of(Topics.TASK_STEPS).size());
        assertThat(all.workDirectory()).doesNotExist();
    }

    private static void dieHalfway(long done, long all) {
        // The steps alone are known at first; the whole is known when everything is planned.
        if (all >= world.size() && done > all / 2) {
            throw new IllegalStateException("killed");
        }
    }

    private static ReplayReport capturedWithAnOpenTransaction(List<CapturedRecord> steps) throws Exception {
        topics.send(steps.subList(0, steps.size() - OPEN));
        Path file = shared.resolve("everything.avro");
        try (KafkaProducer<byte[], byte[]> killed = topics.producer(Map.of("transactional.id", "killed"))) {
            killed.initTransactions();
            killed.beginTransaction();
            steps.subList(steps.size() - OPEN, steps.size()).forEach(step -> killed.send(WorldTopics.record(step)));
            killed.flush();
            boolean[] over = {false};
            Manifest manifest = new Capture(config(), request(file), (done, all) -> {
                        if (!over[0]) {
                            killed.commitTransaction();
                            over[0] = true;
                        }
                    })
                    .run();
            assertThat(manifest.selection()).isEqualTo(Manifest.Selection.EVERYTHING);
        }
        return replay(file);
    }

    private static Set<String> acceptedBetween(Instant from, Instant to) {
        Set<String> ids = new TreeSet<>();
        for (CapturedRecord event : of(Topics.LIFECYCLE_EVENTS)) {
            Instant at = Instant.ofEpochMilli(event.timestamp());
            boolean first = io.hellogpt.once.schema.RecordJson.read(event.value())
                    .path("from")
                    .isNull();
            if (first && !at.isBefore(from) && at.isBefore(to)) {
                ids.add(event.keyText().orElseThrow());
            }
        }
        return ids;
    }

    private static List<CapturedRecord> of(String topic) {
        return world.stream().filter(record -> record.topic().equals(topic)).toList();
    }

    private static OnceConfig config() {
        return OnceConfig.of(Map.of("bootstrap.servers", broker.address()));
    }

    private static CaptureRequest request(Path file) {
        return new CaptureRequest(Optional.empty(), Optional.empty(), Set.of(), file);
    }

    private static ReplayReport replay(Path file) {
        return Replay.of(file, ReplayOptions.AS_RECORDED, ReplayListener.NONE);
    }

    private static List<CapturedRecord> read(Path file) throws Exception {
        List<CapturedRecord> records = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(file)) {
            for (Optional<CapturedRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
                records.add(next.get());
            }
        }
        return records;
    }

    private static Run once(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Once.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return new Run(line.execute(arguments), out.toString(), err.toString());
    }
}
