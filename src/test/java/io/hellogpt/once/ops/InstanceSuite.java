package io.hellogpt.once.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.api.RequestLookup;
import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.EffectPlan;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.docker.MonitoringFiles;
import io.hellogpt.once.ops.CommandSender.Answer;
import io.hellogpt.once.ops.verify.Evidence;
import io.hellogpt.once.ops.verify.KafkaEvidence;
import io.hellogpt.once.ops.verify.Reconciler;
import io.hellogpt.once.ops.verify.Report;
import io.hellogpt.once.ops.verify.Verdict;
import io.hellogpt.once.ops.verify.Verifier;
import io.hellogpt.once.topology.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one instance does on a broker: refuses to start without topics, takes requests to their end, tells about them, drains and
 * stops. The same suite runs on every broker there is.
 */
abstract class InstanceSuite {
    private static final int REQUESTS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path directory;

    /** Where the broker is. */
    abstract String brokers();

    @Test
    void anInstanceTakesRequestsToTheirEndAndStopsAsAsked() throws Exception {
        OnceConfig config = config(brokers());

        assertThatThrownBy(() -> OnceRunner.start(config))
                .isInstanceOf(TopicsNotReady.class)
                .hasMessageContaining("requests: does not exist; run `once topics create`");
        try (TopicAdmin topics = new TopicAdmin(config.admin(), TopicCatalogue.standard())) {
            assertThat(topics.create(3, 1)).hasSize(13);
            assertThat(topics.create(3, 1)).isEmpty();
            assertThat(topics.check()).isEmpty();
        }

        OnceRunner runner = OnceRunner.start(config);
        try {
            send(config);
            awaitEndings(config);
            assertThat(get(runner, "/health/ready").statusCode()).isEqualTo(200);
            assertThat(get(runner, "/v1/requests/contract-1").body())
                    .contains("\"status\":\"COMMITTED\"")
                    .doesNotContain("\"request\":");
            assertThat(get(runner, "/v1/requests/nobody").statusCode()).isEqualTo(404);
            MonitoringFiles.assertEveryMetricExists(get(runner, "/metrics").body());
            assertThat(get(runner, "/metrics").body())
                    .contains("once_gateway_slots", "once_requests_total", "once_open{");
        } finally {
            assertThat(runner.stop()).isEqualTo(ExitCode.OK);
        }
        assertThat(runner.state()).isEqualTo(OnceRunner.State.STOPPED);
        assertThat(runner.awaitEnd()).isEqualTo(ExitCode.OK);
        assertThat(RequestStory.read(config, "contract-1").tell(Instant.now()))
                .first()
                .asString()
                .startsWith("contract-1: COMMITTED since");
        verify(config);
        assertReconciliationSeesWhatIsLost(config);
    }

    @Test
    void anOperatorHearsWhatBecameOfACommand() throws Exception {
        OnceConfig config = config(brokers());
        try (TopicAdmin topics = new TopicAdmin(config.admin(), TopicCatalogue.standard())) {
            topics.create(3, 1);
        }
        OnceRunner runner = OnceRunner.start(config);
        try (CommandSender operator = new CommandSender(config)) {
            // No connector runs here: the first one waits for its effect until someone says otherwise.
            sendOne(config, "lease-1", "\"policy\":\"declared\",\"effects\":[{\"name\":\"sign\",\"route\":\"sign\"}]");
            sendOne(config, "lease-2", "\"policy\":\"commit-only\"");
            awaitState(runner, "lease-2", "COMMITTED");

            awaitState(runner, "lease-1", "ACKNOWLEDGED");
            assertThat(operator.sendAndHear(command("lease-1", Verb.CANCEL), PATIENCE))
                    .get()
                    .isInstanceOfSatisfying(
                            Answer.Applied.class,
                            applied -> assertThat(applied.detail()).contains("no longer wanted"));
            assertThat(operator.sendAndHear(command("lease-2", Verb.CANCEL), PATIENCE))
                    .get()
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(refused.detail()).contains("has ended as COMMITTED"));
            assertThat(operator.sendAndHear(command("lease-3", Verb.CANCEL), PATIENCE))
                    .get()
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(refused.detail()).contains("no such request is known"));
        } finally {
            assertThat(runner.stop()).isEqualTo(ExitCode.OK);
        }
    }

    private static void sendOne(OnceConfig config, String id, String rest) {
        RequestSender.Parsed parsed = RequestSender.parse(
                config, List.of("{\"request_id\":\"%s\",\"model\":\"m\",\"input\":\"write\",%s}".formatted(id, rest)));
        assertThat(RequestSender.send(config, parsed.requests(), RequestSender.Format.avro, count -> {})
                        .acknowledged())
                .isEqualTo(1);
    }

    private static void awaitState(OnceRunner runner, String id, String state) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(get(runner, "/v1/requests/" + id).body()).contains("\"status\":\"" + state + "\""));
    }

    private static OperatorCommand command(String id, Verb verb) {
        return new OperatorCommand(
                "command-" + id,
                new RequestId(id),
                verb,
                Optional.empty(),
                "ada",
                "no longer wanted",
                Instant.parse("2026-01-01T00:00:00Z"));
    }

    private static RequestLookup.Found committed(RequestId id) {
        Identity identity = new Identity(
                id,
                new Fingerprint("0"),
                new SourcePosition(Topics.REQUESTS, 0, 0),
                Instant.EPOCH,
                Optional.empty(),
                List.of());
        return new RequestLookup.Known(
                new Committed(identity, "0", "committed", EffectPlan.NONE, Instant.EPOCH, Instant.EPOCH),
                Optional.empty());
    }

    /** Endings vanish from their topic: the second look says so, the first one alone does not. */
    private static void assertReconciliationSeesWhatIsLost(OnceConfig config) throws Exception {
        Clock later = Clock.offset(
                Clock.systemUTC(), config.duration(Settings.RECONCILE_GRACE).plusSeconds(1));
        Function<RequestId, RequestLookup.Found> committed = InstanceSuite::committed;
        MeterRegistry meters = new SimpleMeterRegistry();
        try (Admin admin = Admin.create(config.admin());
                ReconciliationJob job = new ReconciliationJob(
                        config, () -> Set.of(0, 1, 2), committed, new ReconciliationMeters(meters, later), later)) {
            assertThat(job.round()).isEmpty();
            assertThat(job.round()).isEmpty();
            assertThat(meters.get("once.reconciliation.requests").gauge().value())
                    .isEqualTo(REQUESTS);

            admin.deleteRecords(IntStream.range(0, 3)
                            .boxed()
                            .collect(Collectors.toMap(
                                    partition -> new TopicPartition(Topics.COMMITTED_RESULTS, partition),
                                    partition -> RecordsToDelete.beforeOffset(-1))))
                    .all()
                    .get();
            assertThat(job.round()).isEmpty();
            assertThat(job.round())
                    .hasSize(REQUESTS)
                    .allSatisfy(lost -> assertThat(lost.check()).isEqualTo(Reconciler.Check.ENDINGS));
            assertThat(meters.get("once.reconciliation.differences")
                            .tag("check", "endings")
                            .gauge()
                            .value())
                    .isEqualTo(REQUESTS);
        }
    }

    private OnceConfig config(String address) {
        return OnceConfig.of(Map.of(
                "bootstrap.servers", address,
                "model.client", "simulated",
                "billing.enabled", "false",
                "http.port", "0",
                "state.dir", directory.resolve("state").toString()));
    }

    private static void send(OnceConfig config) {
        List<String> lines = new ArrayList<>(IntStream.range(0, REQUESTS)
                .mapToObj(i ->
                        "{\"request_id\":\"contract-%d\",\"model\":\"m\",\"input\":\"write\",\"policy\":\"commit-only\"}"
                                .formatted(i))
                .toList());
        lines.add(lines.get(0));
        lines.add("{\"request_id\":\"contract-1\",\"model\":\"m\",\"input\":\"other\",\"policy\":\"commit-only\"}");
        lines.add("no request");
        RequestSender.Parsed parsed = RequestSender.parse(config, lines);
        assertThat(parsed.refused()).extracting(RequestSender.Refused::line).containsExactly(REQUESTS + 3);
        RequestSender.Sent sent = RequestSender.send(config, parsed.requests(), RequestSender.Format.json, count -> {});
        assertThat(sent.acknowledged()).isEqualTo(REQUESTS + 2);
        assertThat(sent.failures()).isEmpty();
    }

    private static void awaitEndings(OnceConfig config) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> {
                    Report report = Verifier.verify(evidence(config));
                    assertThat(report.verdicts().get(0).result())
                            .as(report.table())
                            .isEqualTo(Verdict.Result.HELD);
                    assertThat(report.verdicts().get(4).result())
                            .as(report.table())
                            .isEqualTo(Verdict.Result.HELD);
                });
    }

    private static void verify(OnceConfig config) {
        Report report = Verifier.verify(evidence(config));
        assertThat(report.verdicts())
                .as(report.table())
                .allMatch(verdict -> verdict.result() != Verdict.Result.VIOLATED);
        assertThat(report.verdicts().get(4).figures())
                .isEqualTo(Map.of(
                        "read",
                        REQUESTS + 2L,
                        "accepted",
                        (long) REQUESTS,
                        "duplicate",
                        1L,
                        "conflicting",
                        1L,
                        "rejected",
                        0L));
    }

    private static Evidence evidence(OnceConfig config) {
        try (CommittedReader reader = new CommittedReader(config.reader())) {
            KafkaEvidence topics = new KafkaEvidence(reader, RequestRules.decoder(config));
            Evidence.Work work = topics.work();
            return new Evidence(
                    topics.intake(),
                    work,
                    Optional.empty(),
                    Evidence.Logs.NONE,
                    new Evidence.Terms(0, 64, Duration.ofDays(7), false, topics.missing()));
        }
    }

    private static HttpResponse<String> get(OnceRunner runner, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + runner.httpPort() + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }
}
