package io.hellogpt.once.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.ledger.EffectLedger;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.schema.Codecs;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pipeline on a real database and real receivers; only the brokers' acknowledgement is played. */
class EffectPipelineIT {
    private static final Duration BUDGET = Duration.ofSeconds(20);

    private final List<EffectPipeline> opened = new ArrayList<>();
    private final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();
    private RuntimeException brokersSay;
    private String url;
    private Receiver receiver;
    private long offset;

    @BeforeEach
    void open() throws IOException {
        url = Databases.create();
        receiver = new Receiver();
    }

    @AfterEach
    void close() {
        opened.forEach(EffectPipeline::close);
        receiver.close();
    }

    @Test
    void anEffectIsSentWithItsKeyAndItsOutcomeKeyedByRequest() throws SQLException {
        receiver.then(Receiver.status(201, "{\"id\":\"env-1\"}"));
        Effect effect = Effects.of("r-1", 1, "signing", 1);

        assertThat(pipeline().process(List.of(delivery(effect)), BUDGET)).isZero();

        Receiver.Call call = receiver.calls().getFirst();
        assertThat(call.body()).isEqualTo(effect.payload());
        assertThat(call.header("Idempotency-Key")).isEqualTo("\"r-1:0.1\"");
        assertThat(call.header("X-Request-Id")).isEqualTo("r-1");
        EffectOutcome outcome = outcomes().getFirst();
        assertThat(outcome.result()).isEqualTo(Result.SUCCEEDED);
        assertThat(outcome.reference()).contains("env-1");
        assertThat(outcome.requestReceivedAt()).isEqualTo(Effects.RECEIVED);
        assertThat(producers.getFirst().history().getFirst().key()).isEqualTo("r-1".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aRedeliveryAfterARestartExecutesNothingAndSaysTheSame() throws SQLException {
        List<Delivery> batch = List.of(
                delivery(Effects.of("r-1", 1, "signing", 1)),
                delivery(Effects.of("r-2", 1, "notify", 1)),
                delivery(Effects.billing("r-1", "billing")));
        pipeline().process(batch, BUDGET);
        List<EffectOutcome> first = outcomes();
        producers.forEach(MockProducer::clear);

        pipeline().process(batch, BUDGET);

        assertThat(receiver.calls()).hasSize(2);
        assertThat(outcomes()).containsExactlyInAnyOrderElementsOf(first);
        assertThat(Databases.number(url, "SELECT count(*) FROM once_ledger.billing"))
                .isOne();
    }

    @Test
    void keyedInFlightAtACrashIsSentAgainWithTheSameKeyAndBytes() throws SQLException {
        List<Delivery> batch = List.of(delivery(Effects.of("r-1", 1, "signing", 1)));
        crashAfterSending(batch);

        pipeline().process(batch, BUDGET);

        assertThat(receiver.calls()).hasSize(2);
        assertThat(receiver.calls().get(1).body())
                .isEqualTo(receiver.calls().get(0).body());
        assertThat(receiver.calls().get(1).header("Idempotency-Key"))
                .isEqualTo(receiver.calls().get(0).header("Idempotency-Key"));
        assertThat(outcomes()).singleElement().matches(outcome -> outcome.result() == Result.SUCCEEDED);
    }

    @Test
    void opaqueInFlightAtACrashIsNeverSentAgain() throws SQLException {
        List<Delivery> batch = List.of(delivery(Effects.of("r-1", 1, "notify", 1)));
        crashAfterSending(batch);
        Databases.execute(url, "UPDATE once_ledger.effect SET lease_until = now() - interval '1 second'");

        pipeline().process(batch, BUDGET);

        assertThat(receiver.calls()).hasSize(1);
        assertThat(outcomes()).singleElement().matches(outcome -> outcome.result() == Result.UNKNOWN);
    }

    @Test
    void probeableInDoubtIsAskedAboutBeforeAnythingIsSent() throws SQLException {
        Effect effect = Effects.of("r-1", 1, "asked", 1);
        receiver.then(exchange -> exchange.close()).then(Receiver.status(200, "{\"id\":\"p-1\"}"));

        EffectPipeline pipeline = pipeline();
        pipeline.process(List.of(delivery(effect)), BUDGET);
        pipeline.process(List.of(delivery(Effects.again(effect, 2))), BUDGET);

        assertThat(receiver.calls()).extracting(Receiver.Call::method).containsExactly("POST", "GET");
        assertThat(outcomes()).extracting(EffectOutcome::result).containsExactly(Result.RETRYABLE, Result.SUCCEEDED);
    }

    @Test
    void aConnectionResetIsRetryableWhenKeyedAndUnknownWhenOpaque() throws SQLException {
        receiver.then(exchange -> exchange.close()).then(exchange -> exchange.close());
        EffectPipeline pipeline = pipeline();

        pipeline.process(List.of(delivery(Effects.of("r-1", 1, "signing", 1))), BUDGET);
        pipeline.process(List.of(delivery(Effects.of("r-2", 1, "notify", 1))), BUDGET);

        assertThat(outcomes()).extracting(EffectOutcome::result).containsExactly(Result.RETRYABLE, Result.UNKNOWN);
        assertThat(receiver.calls()).hasSize(2);
    }

    @Test
    void anAttemptAnOperatorAsksForBehindAFailureIsSentUnderTheSameKey() throws SQLException {
        receiver.then(Receiver.status(422, ""));
        Effect effect = Effects.of("r-1", 1, "signing", 1);
        EffectPipeline pipeline = pipeline();

        pipeline.process(List.of(delivery(effect)), BUDGET);
        pipeline.process(List.of(delivery(Effects.again(effect, 2))), BUDGET);

        assertThat(receiver.calls())
                .extracting(call -> call.header("Idempotency-Key"))
                .containsExactly("\"r-1:0.1\"", "\"r-1:0.1\"");
        assertThat(outcomes()).extracting(EffectOutcome::result).containsExactly(Result.FAILED, Result.SUCCEEDED);
    }

    @Test
    void anUnknownRouteIsAnsweredAndTheRestGoesOn() throws SQLException {
        pipeline()
                .process(
                        List.of(
                                delivery(Effects.of("r-1", 1, "nowhere", 1)),
                                delivery(Effects.of("r-2", 1, "signing", 1))),
                        BUDGET);

        assertThat(outcomes())
                .extracting(EffectOutcome::result)
                .containsExactlyInAnyOrder(Result.MALFORMED, Result.SUCCEEDED);
    }

    @Test
    void anEffectTheDatabaseCannotStoreIsAnsweredAndTheRestGoesOn() throws SQLException {
        List<Delivery> batch =
                List.of(delivery(Effects.of("r-1", 1, "no\0where", 1)), delivery(Effects.of("r-2", 1, "signing", 1)));

        assertThat(pipeline().process(batch, BUDGET)).isZero();

        assertThat(outcomes())
                .extracting(EffectOutcome::result)
                .containsExactlyInAnyOrder(Result.MALFORMED, Result.SUCCEEDED);
    }

    @Test
    void aRouteAddedAfterItsEffectWasAnsweredDoesNotExecuteThatAttempt() throws SQLException {
        Effect effect = Effects.of("r-1", 1, "later", 1);
        pipeline().process(List.of(delivery(effect)), BUDGET);

        EffectPipeline withRoute = pipeline(Map.of("later", http("later", new Recovery.Opaque(false))));
        withRoute.process(List.of(delivery(effect)), BUDGET);
        assertThat(receiver.calls()).isEmpty();
        withRoute.process(List.of(delivery(Effects.again(effect, 2))), BUDGET);

        assertThat(receiver.calls()).hasSize(1);
        assertThat(outcomes())
                .extracting(EffectOutcome::result)
                .containsExactly(Result.MALFORMED, Result.MALFORMED, Result.SUCCEEDED);
    }

    @Test
    void outcomesThatCannotBePublishedAreKeptAndNothingIsExecutedAgain() throws SQLException {
        List<Delivery> batch = List.of(delivery(Effects.of("r-1", 1, "signing", 1)));
        EffectPipeline pipeline = pipeline();
        brokersSay = new TimeoutException("no broker");

        assertThatThrownBy(() -> pipeline.process(batch, BUDGET)).isInstanceOf(RetriableException.class);
        brokersSay = null;
        assertThat(pipeline.process(batch, BUDGET)).isZero();

        assertThat(receiver.calls()).hasSize(1);
        assertThat(outcomes()).hasSize(1);
    }

    @Test
    void aDatabaseThatDiesDuringTheCallDelaysTheOutcomeAndRepeatsNothing() throws Exception {
        Path data = Files.createTempDirectory("once-ledger");
        List<Delivery> batch = List.of(delivery(Effects.of("r-1", 1, "notify", 1)));
        try (EmbeddedPostgres before = postgres(data, 0)) {
            url = before.getJdbcUrl("postgres", "postgres");
            EffectPipeline pipeline = pipeline();
            receiver.then(exchange -> {
                stop(before);
                Receiver.status(200, "").to(exchange);
            });

            assertThatThrownBy(() -> pipeline.process(batch, BUDGET)).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> pipeline.process(batch, BUDGET)).isInstanceOf(SQLException.class);
            assertThat(outcomes()).isEmpty();
            try (EmbeddedPostgres after = postgres(data, before.getPort())) {
                assertThat(pipeline.process(batch, BUDGET)).isZero();
                assertThat(after.getPort()).isEqualTo(before.getPort());
                pipeline.close();
                opened.remove(pipeline);
            }
        }

        assertThat(receiver.calls()).hasSize(1);
        assertThat(outcomes()).singleElement().matches(outcome -> outcome.result() == Result.SUCCEEDED);
    }

    private static void stop(EmbeddedPostgres postgres) throws IOException {
        postgres.close();
    }

    private static EmbeddedPostgres postgres(Path data, int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port)
                .start();
    }

    @Test
    void whatDoesNotFitTheTimeIsNotSentAndNotLost() throws SQLException {
        List<Delivery> batch = IntStream.range(0, 20)
                .mapToObj(i -> delivery(Effects.of("r-" + i, 1, "notify", 1)))
                .toList();
        EffectPipeline pipeline = pipeline();

        assertThat(pipeline.process(batch, Duration.ofNanos(1))).isEqualTo(20);
        assertThat(pipeline.process(batch, BUDGET)).isZero();

        assertThat(receiver.calls()).hasSize(20);
        assertThat(outcomes()).hasSize(20).allMatch(outcome -> outcome.result() == Result.SUCCEEDED);
    }

    @Test
    void effectsOfOneRequestKeepTheirOrder() throws SQLException {
        List<Delivery> batch = IntStream.rangeClosed(1, 8)
                .mapToObj(step -> delivery(Effects.of("r-1", step, "signing", 1)))
                .toList();

        pipeline().process(batch, BUDGET);

        assertThat(receiver.calls())
                .extracting(call -> call.header("X-Effect-Id"))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 8)
                        .mapToObj(step -> "r-1:0." + step)
                        .toList());
    }

    /** The outcome of the call is known to nobody: the process that made it is gone, its row still STARTED. */
    private void crashAfterSending(List<Delivery> batch) throws SQLException {
        pipeline().process(batch, BUDGET);
        producers.forEach(MockProducer::clear);
        Databases.execute(
                url,
                "DELETE FROM once_ledger.effect_attempt; UPDATE once_ledger.effect SET status = 'STARTED', result = NULL,"
                        + " detail = NULL, outcome_at = NULL, lease_until = now() + interval '1 minute'");
    }

    private EffectPipeline pipeline() throws SQLException {
        return pipeline(Map.of(
                "billing", new Route.Billing("billing"),
                "signing",
                        http(
                                "signing",
                                new Recovery.Keyed(
                                        "Idempotency-Key", true, Duration.ofHours(1), Duration.ofMinutes(1))),
                "notify", http("notify", new Recovery.Opaque(false)),
                "asked", http("asked", new Recovery.Probeable(receiver.url() + "/e/{effect_id}", Duration.ZERO))));
    }

    private EffectPipeline pipeline(Map<String, Route> routes) throws SQLException {
        EffectLedger ledger = new EffectLedger(
                Databases.settings(url), UUID.randomUUID().toString(), Duration.ofMinutes(1), Clock.systemUTC());
        ledger.migrate();
        EffectPipeline pipeline = new EffectPipeline(
                routes,
                ledger,
                new Dispatcher(routes, Clock.systemUTC()),
                new OutcomePublisher("effect-outcomes", Duration.ofSeconds(5), this::producer),
                Clock.systemUTC());
        opened.add(pipeline);
        return pipeline;
    }

    private MockProducer<byte[], byte[]> producer() {
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        producer.sendException = brokersSay;
        producers.add(producer);
        return producer;
    }

    private Route.Http http(String name, Recovery recovery) {
        return Routes.http(name, recovery, receiver.url() + "/" + name);
    }

    private Delivery delivery(Effect effect) {
        return new Delivery(new SourcePosition("effects", 0, offset++), effect);
    }

    private List<EffectOutcome> outcomes() {
        return producers.stream()
                .flatMap(producer -> producer.history().stream())
                .map(ProducerRecord::value)
                .map(Codecs.EFFECT_OUTCOME::decode)
                .toList();
    }
}
