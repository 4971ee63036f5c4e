package io.hellogpt.once.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.ops.RequestRules;
import io.hellogpt.once.ops.RequestSender;
import io.hellogpt.once.ops.RequestSender.Format;
import io.hellogpt.once.schema.Decoded;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.schema.RequestDecoder;
import io.hellogpt.once.topology.Router;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that do not agree on a partitioner, a key or an encoding send the same ids at the same time. */
class KcatIT {
    private static final int PARTITIONS = 6;
    private static final int REQUESTS = 40;
    private static final int SENDERS = 4;
    private static final List<String> IDS =
            IntStream.range(0, REQUESTS).mapToObj(i -> "kcat-%03d".formatted(i)).toList();

    @TempDir
    Path directory;

    /** A record on the topic of requests, and who sent it. */
    private record Sent(ConsumerRecord<byte[], byte[]> record, String id, String sender) {
        int partition() {
            return record.partition();
        }
    }

    @BeforeAll
    static void needKcat() {
        Kcat.assumeInstalled("KcatIT");
    }

    @Test
    void noIdTakesEffectTwiceWhoeverSendsIt() throws Exception {
        try (RunningOnce once = RunningOnce.start(directory, PARTITIONS)) {
            sendFromAllSidesAtOnce(once);

            List<Sent> sent = awaitIntake(once);
            assertThat(sent).hasSize(SENDERS * REQUESTS);
            assertEachClientUsedItsOwnPartitioner(sent);
            assertMisplacedRecordsTookTheDetour(once, sent);
            assertOneEndingPerIdAndTheRestDuplicates(once);
            assertThat(committedIdsAsKcatReadsThem(once)).containsExactlyInAnyOrderElementsOf(IDS);
        }
    }

    private void sendFromAllSidesAtOnce(RunningOnce once) throws Exception {
        Path keyed = write("keyed", IDS.stream().map(id -> id + "|" + json(id, "kcat-keyed")));
        Path unkeyed = write("unkeyed", IDS.stream().map(id -> json(id, "kcat-unkeyed")));
        Kcat.Running withKeys = Kcat.start(
                directory.resolve("keyed.out"),
                List.of("-P", "-b", once.address(), "-t", Topics.REQUESTS, "-K", "|", "-l", keyed.toString()));
        Kcat.Running withoutKeys = Kcat.start(
                directory.resolve("unkeyed.out"),
                List.of("-P", "-b", once.address(), "-t", Topics.REQUESTS, "-l", unkeyed.toString()));
        sendFromJava(once, Format.avro);
        sendFromJava(once, Format.json);
        withKeys.lines();
        withoutKeys.lines();
    }

    private static void sendFromJava(RunningOnce once, Format format) {
        List<ModelRequest> requests = RequestSender.parse(
                        once.config(),
                        IDS.stream().map(id -> json(id, "java-" + format)).toList())
                .requests();
        assertThat(RequestSender.send(once.config(), requests, format, count -> {}))
                .isEqualTo(new RequestSender.Sent(REQUESTS, List.of()));
    }

    private Path write(String name, Stream<String> lines) throws IOException {
        return Files.write(directory.resolve(name), lines.toList());
    }

    /** The same request, whoever sends it: metadata does not count. */
    private static String json(String id, String sender) {
        return """
                {"request_id":"%s","model":"simulated-1","input":"A lease for %s","policy":"commit-only","metadata":{"sender":"%s"}}""".formatted(id, id, sender);
    }

    /** Waits until every record sent is accounted for. */
    private static List<Sent> awaitIntake(RunningOnce once) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(
                        () -> assertThat(once.read(Topics.COMMITTED_RESULTS).size()
                                        + once.read(Topics.DUPLICATE_REQUESTS).size()
                                        + once.read(Topics.FAILED_REQUESTS).size()
                                        + once.read(Topics.REJECTED_REQUESTS).size())
                                .isGreaterThanOrEqualTo(SENDERS * REQUESTS));
        RequestDecoder decoder = RequestRules.decoder(once.config());
        return once.read(Topics.REQUESTS).stream()
                .map(record -> switch (decoder.decode(record.value())) {
                    case Decoded.Request(ModelRequest request, var fingerprint) ->
                        new Sent(
                                record, request.id().value(), request.metadata().get("sender"));
                    case Decoded.Unreadable(var rejection) -> throw new AssertionError(rejection.detail());
                })
                .toList();
    }

    private static void assertEachClientUsedItsOwnPartitioner(List<Sent> sent) {
        assertPartitions(sent, "kcat-keyed", each -> crc32(each.id()));
        assertPartitions(sent, "java-avro", each -> home(each.id()));
        assertPartitions(sent, "java-json", each -> home(each.id()));
        assertThat(sent)
                .filteredOn(each -> each.sender().equals("kcat-unkeyed"))
                .hasSize(REQUESTS)
                .allSatisfy(each -> assertThat(each.record().key()).isNull());
    }

    private static void assertPartitions(List<Sent> sent, String sender, ToIntFunction<Sent> partitioner) {
        assertThat(sent)
                .filteredOn(each -> each.sender().equals(sender))
                .hasSize(REQUESTS)
                .allSatisfy(each -> assertThat(each.partition()).isEqualTo(partitioner.applyAsInt(each)));
    }

    private static void assertMisplacedRecordsTookTheDetour(RunningOnce once, List<Sent> sent) {
        List<String> misplaced = sent.stream()
                .filter(each -> each.partition() != home(each.id()))
                .map(each -> new String(each.record().value(), UTF_8))
                .toList();
        List<ConsumerRecord<byte[], byte[]>> rerouted = once.read(Topics.REQUESTS_REROUTED);

        assertThat(misplaced).isNotEmpty();
        assertThat(rerouted)
                .extracting(record -> new String(record.value(), UTF_8))
                .containsExactlyInAnyOrderElementsOf(misplaced);
        assertThat(rerouted)
                .allSatisfy(record -> assertThat(record.partition()).isEqualTo(home(new String(record.key(), UTF_8))));
    }

    private static void assertOneEndingPerIdAndTheRestDuplicates(RunningOnce once) {
        assertThat(ids(once, Topics.COMMITTED_RESULTS)).containsExactlyInAnyOrderElementsOf(IDS);
        assertThat(ids(once, Topics.SNAPSHOTS)).containsExactlyInAnyOrderElementsOf(IDS);
        assertThat(ids(once, Topics.DUPLICATE_REQUESTS))
                .containsExactlyInAnyOrderElementsOf(IDS.stream()
                        .flatMap(id -> Collections.nCopies(SENDERS - 1, id).stream())
                        .toList());
        assertThat(ids(once, Topics.FAILED_REQUESTS)).isEmpty();
        assertThat(ids(once, Topics.REJECTED_REQUESTS)).isEmpty();
    }

    private static List<String> ids(RunningOnce once, String topic) {
        return once.read(topic).stream()
                .map(record ->
                        RecordJson.read(record.value()).path("request_id").asText())
                .toList();
    }

    private List<String> committedIdsAsKcatReadsThem(RunningOnce once) throws Exception {
        return Kcat.start(
                        directory.resolve("results.out"),
                        List.of(
                                "-C",
                                "-e",
                                "-q",
                                "-b",
                                once.address(),
                                "-t",
                                Topics.COMMITTED_RESULTS,
                                "-X",
                                "isolation.level=read_committed",
                                "-f",
                                "%k\\n"))
                .lines();
    }

    private static int home(String id) {
        return Router.partitionOf(id.getBytes(UTF_8), PARTITIONS);
    }

    /** The default of librdkafka. */
    private static int crc32(String id) {
        CRC32 crc = new CRC32();
        crc.update(id.getBytes(UTF_8));
        return (int) (crc.getValue() % PARTITIONS);
    }
}
