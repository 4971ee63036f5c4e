package io.hellogpt.once.connect;

import com.sun.net.httpserver.HttpServer;
import io.hellogpt.once.connect.config.LedgerSettings;
import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.config.TaskSettings;
import io.hellogpt.once.connect.ledger.EffectLedger;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.SourcePosition;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How many effects one task carries out in a second: LOCAL billing, and KEYED against a receiver that answers after 50 ms, with
 * the ledger on a PostgreSQL on this machine. The task is the pipeline as the connector runs it; records come from memory, and
 * the brokers' acknowledgement is immediate, so that it is the connector and its ledger that are measured.
 *
 * <p>Not a test: run its {@link #main}. Arguments: effects of each class (default 60000), in flight (default 256).
 */
public final class ConnectorThroughput {
    private static final Duration ANSWER_AFTER = Duration.ofMillis(50);
    private static final TopicPartition PARTITION = new TopicPartition("effects", 0);

    private ConnectorThroughput() {}

    public static void main(String[] args) throws Exception {
        // The JDK's server closes idle connections beyond 200; a receiver worth 256 calls at a time keeps them.
        System.setProperty("sun.net.httpserver.maxIdleConnections", "1000");
        int effects = args.length > 0 ? Integer.parseInt(args[0]) : 60_000;
        int inFlight = args.length > 1 ? Integer.parseInt(args[1]) : 256;
        try (EmbeddedPostgres database = EmbeddedPostgres.builder()
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("shared_buffers", "256MB")
                .start()) {
            LedgerSettings ledger = new LedgerSettings(
                    database.getJdbcUrl("postgres", "postgres"),
                    "postgres",
                    "",
                    4,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(30));
            Map<String, Route> billing = Map.of("billing", new Route.Billing("billing"));
            report("LOCAL", run(ledger, billing, effects / 4, i -> Effects.billing("w-" + i, "billing")), true);
            report("LOCAL", run(ledger, billing, effects, i -> Effects.billing("b-" + i, "billing")), false);
            HttpServer receiver = receiver();
            Map<String, Route> keyed =
                    Map.of("signing", keyed(receiver.getAddress().getPort(), inFlight));
            report("KEYED", run(ledger, keyed, effects / 4, i -> Effects.of("v-" + i, 1, "signing", 1)), true);
            report("KEYED", run(ledger, keyed, effects, i -> Effects.of("k-" + i, 1, "signing", 1)), false);
            receiver.stop(0);
        }
        System.exit(0);
    }

    /** @param succeeded how many of the outcomes say so; a route that refuses is fast too */
    private record Measured(int effects, long nanos, long succeeded) {}

    private static void report(String name, Measured measured, boolean warmUp) {
        System.out.printf(
                "%s%s effects=%d succeeded=%d seconds=%.2f per_second=%.0f%n",
                name,
                warmUp ? " (warm-up)" : "",
                measured.effects(),
                measured.succeeded(),
                measured.nanos() / 1e9,
                measured.effects() * 1e9 / measured.nanos());
    }

    private static Measured run(
            LedgerSettings settings, Map<String, Route> routes, int effects, IntFunction<Effect> effect) {
        TaskSettings task = new TaskSettings(
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                2_000,
                33_554_432,
                new TaskSettings.Circuit(20, 50, Duration.ofSeconds(10)),
                new TaskSettings.Purge(Duration.ofDays(30), Duration.ZERO));
        EffectLedger ledger =
                new EffectLedger(settings, UUID.randomUUID().toString(), Duration.ofMinutes(1), Clock.systemUTC());
        PartitionOffsets offsets = new PartitionOffsets();
        long start = System.nanoTime();
        try (EffectPipeline pipeline = new EffectPipeline(
                        routes,
                        task,
                        ledger,
                        new Dispatcher(routes, name -> task.circuit(), Clock.systemUTC()),
                        new OutcomePublisher("effect-outcomes", ConnectorThroughput::producer),
                        Clock.systemUTC())
                .start()) {
            Flow flow = new Flow(pipeline, offsets);
            for (int i = 0; i < effects; i++) {
                flow.give(i, effect.apply(i));
            }
            flow.awaitAll(effects);
            long nanos = System.nanoTime() - start;
            String route = routes.keySet().iterator().next();
            return new Measured(effects, nanos, pipeline.meters().outcomesOf(route, Result.SUCCEEDED));
        }
    }

    /** Feeds a pipeline as a worker does: as fast as it takes, and not while it is full. */
    private record Flow(EffectPipeline pipeline, PartitionOffsets offsets) {
        void give(int offset, Effect effect) {
            while (offset % 100 == 0 && !pipeline.full(Set.of(PARTITION)).isEmpty()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            pipeline.accept(
                    new Delivery(new SourcePosition("effects", 0, offset), effect, System.nanoTime()),
                    offsets.take(PARTITION, offset));
        }

        void awaitAll(int effects) {
            Map<TopicPartition, OffsetAndMetadata> end = Map.of(PARTITION, new OffsetAndMetadata(effects));
            while (offsets.committable(end).get(PARTITION).offset() < effects) {
                pipeline.failure().ifPresent(defect -> {
                    throw new IllegalStateException(defect);
                });
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }

    private static MockProducer<byte[], byte[]> producer() {
        return new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static HttpServer receiver() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4_096);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            LockSupport.parkNanos(ANSWER_AFTER.toNanos());
            exchange.sendResponseHeaders(201, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static Route.Http keyed(int port, int inFlight) {
        Route.Http plain = Routes.http(
                "signing",
                new Recovery.Keyed("Idempotency-Key", true, Duration.ofHours(1), Duration.ofMinutes(1)),
                "http://127.0.0.1:" + port + "/sign");
        Route.Limits limits =
                new Route.Limits(Duration.ofSeconds(2), Duration.ofSeconds(10), 1_048_576, 65_536, 8_000, inFlight);
        return new Route.Http("signing", plain.recovery(), plain.endpoint(), plain.access(), limits, plain.contract());
    }
}
