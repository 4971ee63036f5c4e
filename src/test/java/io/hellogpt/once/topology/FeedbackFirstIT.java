package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.RequestIdFormat;
import io.hellogpt.once.embedded.EmbeddedBroker;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.TopicAdmin;
import io.hellogpt.once.ops.TopicCatalogue;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.RequestDecoder;
import io.hellogpt.once.topology.policy.CommitOnly;
import io.hellogpt.once.topology.policy.Policies;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real broker: however many new requests wait, the answers of those in flight are taken first. */
class FeedbackFirstIT {
    private static final int IN_FLIGHT = 1_500;
    private static final int BACKLOG = 5_000;
    private static final Duration SEEN = Duration.ofSeconds(90);

    private final List<Fact> facts = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, Instant> receivedAt = new ConcurrentHashMap<>();
    private final List<Exception> unsent = Collections.synchronizedList(new ArrayList<>());
    private EmbeddedBroker broker;
    private OnceConfig config;
    private KafkaProducer<byte[], byte[]> producer;

    @TempDir
    Path dir;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.create(dir.resolve("broker"));
        broker.start();
        config = OnceConfig.of(Map.of(
                "bootstrap.servers",
                broker.address(),
                "state.dir",
                dir.resolve("state").toString()));
        try (TopicAdmin topics = new TopicAdmin(config.admin(), TopicCatalogue.standard())) {
            topics.create(1, 1);
        }
        Properties client = config.producer();
        // The topics are so new that a broker may refuse one batch and take the next: then the first could never be
        // taken any more.
        client.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @AfterEach
    void stop() {
        producer.close();
        broker.close();
    }

    @Test
    void theAnswersOfRequestsInFlightAreTakenBeforeABacklogOfNewOnes() throws Exception {
        requests("old", IN_FLIGHT);
        KafkaStreams first = streams();
        first.start();
        await().atMost(SEEN).untilAsserted(() -> assertThat(saved("old")).isEqualTo(IN_FLIGHT));
        first.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        facts.clear();
        requests("new", BACKLOG);
        receivedAt.forEach((id, at) -> send(
                Topics.MODEL_RESPONSES,
                Codecs.JOURNAL.encode(new JournalRecord.Answered(
                        new io.hellogpt.once.core.RequestId(id), 0, 1, at, TopologyRig.answerOf("{}")))));
        flush();

        try (KafkaStreams second = streams()) {
            second.start();
            await().atMost(SEEN).untilAsserted(() -> assertThat(saved("new")).isEqualTo(BACKLOG));
        }
        // What a rebalance made the task read twice is seen twice; the order within the first reading is what counts.
        List<String> order = List.copyOf(facts).stream()
                .filter(Fact.Save.class::isInstance)
                .map(fact -> ((Fact.Save) fact).next().id().value())
                .toList();
        assertThat(order.subList(0, IN_FLIGHT))
                .as("the first %d steps", IN_FLIGHT)
                .allMatch(id -> id.startsWith("old"))
                .doesNotHaveDuplicates();
    }

    private KafkaStreams streams() {
        TopologyRig.ManualGateway nobody = new TopologyRig.ManualGateway();
        nobody.slots = 0;
        var parts = new OnceTopology.Parts(
                TopologySettings.defaults(Router.IN_PLACE),
                new RequestDecoder(RequestIdFormat.DEFAULT, 1_000_000, Optional.empty()),
                nobody,
                this::note);
        return new KafkaStreams(
                new OnceTopology(
                                ProtocolSettings.defaults(),
                                Policies.of(List.of(new CommitOnly())),
                                BillingPolicy.NONE,
                                parts)
                        .build(),
                config.streams());
    }

    private void note(Fact fact) {
        facts.add(fact);
        if (fact instanceof Fact.Save save && save.next().id().value().startsWith("old")) {
            receivedAt.put(save.next().id().value(), save.next().identity().receivedAt());
        }
    }

    private long saved(String kind) {
        return List.copyOf(facts).stream()
                .filter(Fact.Save.class::isInstance)
                .map(fact -> ((Fact.Save) fact).next().id().value())
                .filter(id -> id.startsWith(kind))
                .distinct()
                .count();
    }

    private void requests(String kind, int count) {
        for (int i = 0; i < count; i++) {
            String json = "{\"request_id\":\"%s-%d\",\"model\":\"m\",\"input\":\"x\",\"policy\":\"commit-only\"}"
                    .formatted(kind, i);
            send(Topics.REQUESTS, json.getBytes(StandardCharsets.UTF_8));
        }
        flush();
    }

    private void flush() {
        producer.flush();
        assertThat(unsent).isEmpty();
    }

    private void send(String topic, byte[] value) {
        producer.send(new ProducerRecord<>(topic, 0, null, value), (metadata, error) -> {
            if (error != null) {
                unsent.add(error);
            }
        });
    }
}
