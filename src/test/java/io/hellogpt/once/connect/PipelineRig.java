package io.hellogpt.once.connect;

import static org.awaitility.Awaitility.await;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.config.TaskSettings;
import io.hellogpt.once.connect.ledger.EffectLedger;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.schema.Codecs;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Pipelines on a real database and real receivers, each as a task has it; only the brokers' acknowledgement is played. */
final class PipelineRig implements AutoCloseable {
    static final TopicPartition PARTITION = new TopicPartition("effects", 0);
    static final Duration BOUND = Duration.ofSeconds(30);

    final String url;
    final Receiver receiver;
    volatile TaskSettings settings = settings(2_000, Duration.ofSeconds(5));
    volatile RuntimeException brokersSay;

    private final List<Run> runs = new ArrayList<>();
    private final List<MockProducer<byte[], byte[]>> producers = new CopyOnWriteArrayList<>();
    private long offset;

    PipelineRig() throws IOException {
        this(Databases.create());
    }

    PipelineRig(String url) throws IOException {
        this.url = url;
        this.receiver = new Receiver();
    }

    static TaskSettings settings(int queue, Duration drain) {
        return new TaskSettings(
                Duration.ofSeconds(10),
                drain,
                queue,
                1 << 20,
                new TaskSettings.Circuit(4, 50, Duration.ofSeconds(30)),
                new TaskSettings.Purge(Duration.ofDays(30), Duration.ZERO));
    }

    /** A pipeline and the offsets of its partition. */
    final class Run implements AutoCloseable {
        final EffectPipeline pipeline;
        final PartitionOffsets offsets = new PartitionOffsets();
        private boolean closed;

        private Run(EffectPipeline pipeline) {
            this.pipeline = pipeline;
            offsets.open(List.of(PARTITION));
        }

        Run accept(List<Delivery> deliveries) {
            deliveries.forEach(delivery -> pipeline.accept(
                    delivery,
                    offsets.take(delivery.topicPartition(), delivery.position().offset())));
            return this;
        }

        /** The offset that may be committed. */
        long committable() {
            return offsets.committable(Map.of(PARTITION, new OffsetAndMetadata(offset)))
                    .get(PARTITION)
                    .offset();
        }

        /** Gives deliveries and waits until all outcomes are published. */
        Run process(List<Delivery> deliveries) {
            accept(deliveries);
            await().atMost(BOUND).until(() -> committable() == offset);
            return this;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                pipeline.close();
            }
        }
    }

    Map<String, Route> routes() {
        return Map.of(
                "billing", new Route.Billing("billing"),
                "signing",
                        http(
                                "signing",
                                new Recovery.Keyed(
                                        "Idempotency-Key", true, Duration.ofHours(1), Duration.ofMinutes(1))),
                "notify", http("notify", new Recovery.Opaque(false)),
                "asked", http("asked", new Recovery.Probeable(receiver.url() + "/e/{effect_id}", Duration.ZERO)));
    }

    Run start() {
        return start(routes());
    }

    Run start(Map<String, Route> routes) {
        EffectLedger ledger = new EffectLedger(
                Databases.settings(url), UUID.randomUUID().toString(), Duration.ofMinutes(1), Clock.systemUTC());
        Run run = new Run(new EffectPipeline(
                        routes,
                        settings,
                        ledger,
                        new Dispatcher(routes, name -> settings.circuit(), Clock.systemUTC()),
                        new OutcomePublisher("effect-outcomes", this::producer),
                        Clock.systemUTC())
                .start());
        runs.add(run);
        return run;
    }

    private MockProducer<byte[], byte[]> producer() {
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        producer.sendException = brokersSay;
        producers.add(producer);
        return producer;
    }

    /** Each producer made from now on answers; those there are now fail as long as {@code brokersSay} says so. */
    void brokersSay(RuntimeException failure) {
        brokersSay = failure;
        producers.forEach(producer -> producer.sendException = failure);
    }

    Route.Http http(String name, Recovery recovery) {
        return Routes.http(name, recovery, receiver.url() + "/" + name);
    }

    /** A route with its own bounds. */
    Route.Http http(String name, Recovery recovery, int maxInFlight, Duration timeout) {
        Route.Http plain = http(name, recovery);
        Route.Limits limits = new Route.Limits(Duration.ofSeconds(2), timeout, 100_000, 1_000, 8_000, maxInFlight);
        return new Route.Http(name, recovery, plain.endpoint(), plain.access(), limits, plain.contract());
    }

    Delivery delivery(Effect effect) {
        return new Delivery(new SourcePosition("effects", 0, offset++), effect, System.nanoTime());
    }

    List<ProducerRecord<byte[], byte[]>> published() {
        return producers.stream()
                .flatMap(producer -> producer.history().stream())
                .toList();
    }

    List<EffectOutcome> outcomes() {
        return published().stream()
                .map(ProducerRecord::value)
                .map(Codecs.EFFECT_OUTCOME::decode)
                .toList();
    }

    void forgetOutcomes() {
        producers.forEach(MockProducer::clear);
    }

    @Override
    public void close() {
        runs.forEach(Run::close);
        receiver.close();
    }
}
