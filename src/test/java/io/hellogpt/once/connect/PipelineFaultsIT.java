package io.hellogpt.once.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Crashes, lost leases, and a database and brokers that are away. */
class PipelineFaultsIT {
    @TempDir
    Path dir;

    private PipelineRig rig;

    @BeforeEach
    void open() throws IOException {
        rig = new PipelineRig();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void keyedInFlightAtACrashIsSentAgainWithTheSameKeyAndBytes() {
        List<Delivery> batch = List.of(rig.delivery(Effects.of("r-1", 1, "signing", 1)));
        crashAfterSending(batch);

        rig.start().process(batch);

        assertThat(rig.receiver.calls()).hasSize(2);
        assertThat(rig.receiver.calls().get(1).body())
                .isEqualTo(rig.receiver.calls().get(0).body());
        assertThat(rig.receiver.calls().get(1).header("Idempotency-Key"))
                .isEqualTo(rig.receiver.calls().get(0).header("Idempotency-Key"));
        assertThat(rig.outcomes()).singleElement().matches(outcome -> outcome.result() == Result.SUCCEEDED);
    }

    @Test
    void opaqueInFlightAtACrashIsNeverSentAgain() {
        List<Delivery> batch = List.of(rig.delivery(Effects.of("r-1", 1, "notify", 1)));
        crashAfterSending(batch);
        Databases.execute(rig.url, "UPDATE once_ledger.effect SET lease_until = now() - interval '1 second'");

        rig.start().process(batch);

        assertThat(rig.receiver.calls()).hasSize(1);
        assertThat(rig.outcomes()).singleElement().matches(outcome -> outcome.result() == Result.UNKNOWN);
    }

    /** Another task takes the effect over while this one is in its call: this one's outcome is kept, and acted on by nobody. */
    @Test
    void aLostLeaseOverwritesNothingAndTheOthersOutcomeIsPublished() {
        Gate gate = new Gate();
        rig.receiver.then(gate.before(Receiver.status(422, "")));
        List<Delivery> batch = List.of(rig.delivery(Effects.of("r-1", 1, "signing", 1)));
        PipelineRig.Run zombie = rig.start().accept(batch);
        await().atMost(PipelineRig.BOUND).until(() -> rig.receiver.calls().size() == 1);
        PipelineRig.Run heir = rig.start().process(batch);

        gate.open();
        zombie.process(List.of());

        assertThat(rig.outcomes()).hasSize(2).allMatch(outcome -> outcome.result() == Result.SUCCEEDED);
        assertThat(zombie.pipeline.meters().fencedOf("signing")).isOne();
        assertThat(heir.pipeline.meters().fencedOf("signing")).isZero();
        assertThat(Databases.number(
                        rig.url, "SELECT count(*) FROM once_ledger.effect_attempt WHERE fenced AND result = 'FAILED'"))
                .isOne();
        assertThat(rig.receiver.calls()).hasSize(2);
    }

    /** Two tasks that both believe to own the partition would else take the effect from each other for ever. */
    @Test
    void whoeverLostAnEffectDoesNotTakeItBackFromACallThatIsOut() {
        Gate zombies = new Gate();
        Gate heirs = new Gate();
        rig.receiver.then(zombies.before(Receiver.status(200, ""))).then(heirs.before(Receiver.status(200, "")));
        List<Delivery> batch = List.of(rig.delivery(Effects.of("r-1", 1, "signing", 1)));
        PipelineRig.Run zombie = rig.start().accept(batch);
        await().atMost(PipelineRig.BOUND).until(() -> rig.receiver.calls().size() == 1);
        PipelineRig.Run heir = rig.start().accept(batch);
        await().atMost(PipelineRig.BOUND).until(() -> rig.receiver.calls().size() == 2);

        zombies.open();
        zombie.process(List.of());
        assertThat(rig.outcomes()).singleElement().matches(outcome -> outcome.result() == Result.RETRYABLE);
        heirs.open();
        heir.process(List.of());

        assertThat(rig.receiver.calls()).hasSize(2);
        assertThat(rig.outcomes().getLast().result()).isEqualTo(Result.SUCCEEDED);
    }

    @Test
    void outcomesThatCannotBePublishedAreKeptAndNothingIsExecutedAgain() {
        rig.brokersSay(new TimeoutException("no broker"));
        PipelineRig.Run run = rig.start().accept(List.of(rig.delivery(Effects.of("r-1", 1, "signing", 1))));
        await().atMost(PipelineRig.BOUND)
                .until(() ->
                        Databases.number(rig.url, "SELECT count(*) FROM once_ledger.effect WHERE status = 'SETTLED'")
                                == 1);
        assertThat(run.committable()).isZero();

        rig.brokersSay(null);
        run.process(List.of());

        assertThat(rig.receiver.calls()).hasSize(1);
        assertThat(rig.outcomes()).hasSize(1);
    }

    @Test
    void aDatabaseThatDiesDuringTheCallDelaysTheOutcomeAndRepeatsNothing() throws Exception {
        Path data = Files.createDirectory(dir.resolve("data"));
        EmbeddedPostgres before = postgres(data, 0);
        CountDownLatch gone = new CountDownLatch(1);
        try (PipelineRig own = new PipelineRig(before.getJdbcUrl("postgres", "postgres"))) {
            own.receiver.then(exchange -> {
                before.close();
                gone.countDown();
                Receiver.status(200, "").to(exchange);
            });
            Effect effect = Effects.of("r-1", 1, "notify", 1);
            PipelineRig.Run run = own.start().accept(List.of(own.delivery(effect)));
            assertThat(gone.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(run.committable()).isZero();

            try (EmbeddedPostgres after = postgres(data, before.getPort())) {
                run.process(List.of(own.delivery(Effects.of("r-2", 1, "notify", 1))));
                assertThat(after.getPort()).isEqualTo(before.getPort());
                run.close();
            }
            assertThat(own.receiver.calls()).hasSize(2);
            assertThat(own.outcomes())
                    .extracting(EffectOutcome::result)
                    .containsExactly(Result.SUCCEEDED, Result.SUCCEEDED);
        }
    }

    private static EmbeddedPostgres postgres(Path data, int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port)
                .start();
    }

    /** The outcome of the call is known to nobody: the process that made it is gone, its row still STARTED. */
    private void crashAfterSending(List<Delivery> batch) {
        rig.start().process(batch).close();
        rig.forgetOutcomes();
        Databases.execute(
                rig.url,
                "DELETE FROM once_ledger.effect_attempt; UPDATE once_ledger.effect SET status = 'STARTED', result = NULL,"
                        + " detail = NULL, outcome_at = NULL, lease_until = now() + interval '1 minute'");
    }
}
