package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hellogpt.once.connect.Databases;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.Gate;
import io.hellogpt.once.connect.Receiver;
import io.hellogpt.once.connect.mail.ScriptedSmtp;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults at every boundary between the outbox and the receivers, on real processes: each is brought about while an answer is
 * held back, and the receivers' own log decides.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EffectFaultsIT {
    private static final Receiver.Answer DONE = Receiver.status(200, "{\"id\":\"done\"}");

    private EffectRig rig;

    @BeforeAll
    void start(@TempDir Path dir) throws Exception {
        rig = new EffectRig(dir);
    }

    @AfterAll
    void stop() throws IOException {
        rig.close();
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    @Test
    void anEffectCommittedWhileTheWorkerIsDeadIsCarriedOutOnce() {
        Effect effect = Effects.of("unread-1", 1, EffectRig.OPAQUE, 1);
        rig.worker.kill();
        rig.write(effect);

        rig.restartWorker();
        rig.awaitResult(effect, Result.SUCCEEDED);

        assertThat(rig.calls(effect)).hasSize(1);
    }

    @Test
    void aWorkerKilledInItsCallsLeavesEachClassToItsOwnRecovery() throws Exception {
        Gate gate = new Gate();
        Effect keyed = Effects.of("killed-1", 1, EffectRig.KEYED, 1);
        Effect probed = Effects.of("killed-2", 1, EffectRig.PROBED, 1);
        Effect opaque = Effects.of("killed-3", 1, EffectRig.OPAQUE, 1);
        Effect local = Effects.billing("killed-4", EffectRig.BILLING);
        List<Effect> sent = List.of(keyed, probed, opaque);
        sent.forEach(each -> rig.receiver.then(gate.before(DONE)));

        try (Connection connection = DriverManager.getConnection(rig.database.address());
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE once_ledger.billing IN ACCESS EXCLUSIVE MODE");
            rig.write(keyed, probed, opaque, local);
            sent.forEach(each -> rig.awaitCalls(each, 1));
            // The billing waits for the lock, all else of its transaction done.
            await().atMost(EffectRig.BOUND)
                    .until(() ->
                            Databases.number(rig.database.address(), "SELECT count(*) FROM pg_locks WHERE NOT granted")
                                    > 0);
            rig.worker.kill();
            connection.rollback();
        }
        gate.open();
        rig.expireLeases();
        rig.restartWorker();

        rig.awaitResult(keyed, Result.SUCCEEDED);
        rig.awaitResult(probed, Result.SUCCEEDED);
        rig.awaitResult(opaque, Result.UNKNOWN);
        rig.awaitResult(local, Result.SUCCEEDED);
        assertThat(rig.calls(keyed)).hasSize(2);
        assertThat(rig.calls(keyed))
                .extracting(call -> call.header("Idempotency-Key") + call.body())
                .containsOnly("\"killed-1:0.1\"" + keyed.payload());
        assertThat(rig.calls(probed)).extracting(Receiver.Call::method).containsExactly("POST", "GET");
        assertThat(rig.calls(opaque)).hasSize(1);
        assertThat(rig.ledger("billing WHERE request_id = 'killed-4'")).isOne();
    }

    @Test
    void callsThatAreCutOffByAStopAreRecoveredByTheirClass() {
        Gate gate = new Gate();
        Effect keyed = Effects.of("cut-1", 1, EffectRig.KEYED, 1);
        Effect probed = Effects.of("cut-2", 1, EffectRig.PROBED, 1);
        Effect opaque = Effects.of("cut-3", 1, EffectRig.OPAQUE, 1);
        List<Effect> all = List.of(keyed, probed, opaque);
        all.forEach(each -> rig.receiver.then(gate.before(DONE)));
        rig.write(keyed, probed, opaque);
        all.forEach(each -> rig.awaitCalls(each, 1));

        rig.worker.stop();
        gate.open();
        rig.expireLeases();
        rig.restartWorker();

        rig.awaitResult(keyed, Result.SUCCEEDED);
        rig.awaitResult(probed, Result.SUCCEEDED);
        rig.awaitResult(opaque, Result.UNKNOWN);
        assertThat(rig.calls(keyed)).hasSize(2);
        assertThat(rig.calls(probed)).extracting(Receiver.Call::method).containsExactly("POST", "GET");
        assertThat(rig.calls(opaque)).hasSize(1);
    }

    @Test
    void aWorkerKilledBetweenTheTextOfAMailAndTheLedgerSendsNoSecondOne() {
        Effect mail = Effects.of("mail-1", 1, EffectRig.MAIL, 1);
        rig.write(mail);
        await().atMost(EffectRig.BOUND).until(() -> rig.mails.commands().contains(ScriptedSmtp.TEXT));

        rig.worker.kill();
        rig.expireLeases();
        rig.restartWorker();
        rig.awaitResult(mail, Result.UNKNOWN);
        rig.write(Effects.again(mail, 2));
        await().atMost(EffectRig.BOUND).until(() -> rig.results(mail).size() == 2);

        assertThat(rig.results(mail)).containsOnly(Result.UNKNOWN);
        assertThat(rig.mails.commands()).containsOnlyOnce("MAIL", ScriptedSmtp.TEXT);
    }

    @Test
    void aDatabaseKilledDuringCallsDelaysTheirOutcomesAndRepeatsNone() {
        Gate gate = new Gate();
        Effect keyed = Effects.of("database-1", 1, EffectRig.KEYED, 1);
        Effect probed = Effects.of("database-2", 1, EffectRig.PROBED, 1);
        Effect opaque = Effects.of("database-3", 1, EffectRig.OPAQUE, 1);
        Effect local = Effects.billing("database-4", EffectRig.BILLING);
        List<Effect> sent = List.of(keyed, probed, opaque);
        sent.forEach(each -> rig.receiver.then(gate.before(DONE)));
        rig.write(keyed, probed, opaque);
        sent.forEach(each -> rig.awaitCalls(each, 1));

        rig.database.kill();
        gate.open();
        rig.write(local);
        rig.database.start();

        sent.forEach(each -> rig.awaitResult(each, Result.SUCCEEDED));
        rig.awaitResult(local, Result.SUCCEEDED);
        assertThat(sent).allSatisfy(each -> assertThat(rig.calls(each)).hasSize(1));
        assertThat(rig.ledger("billing WHERE request_id = 'database-4'")).isOne();
    }

    @Test
    void aResetAfterTheBytesLeftIsRepeatedOnlyWhereThatIsSafe() {
        Effect keyed = Effects.of("reset-1", 1, EffectRig.KEYED, 1);
        Effect probed = Effects.of("reset-2", 1, EffectRig.PROBED, 1);
        Effect opaque = Effects.of("reset-3", 1, EffectRig.OPAQUE, 1);
        for (int i = 0; i < 3; i++) {
            rig.receiver.then(exchange -> exchange.close());
        }
        rig.write(keyed, probed, opaque);
        rig.awaitResult(keyed, Result.RETRYABLE);
        rig.awaitResult(probed, Result.RETRYABLE);
        rig.awaitResult(opaque, Result.UNKNOWN);

        rig.write(Effects.again(keyed, 2), Effects.again(probed, 2), Effects.again(opaque, 2));
        rig.awaitResult(keyed, Result.SUCCEEDED);
        rig.awaitResult(probed, Result.SUCCEEDED);
        await().atMost(EffectRig.BOUND).until(() -> rig.results(opaque).size() == 2);

        assertThat(rig.calls(keyed))
                .extracting(call -> call.header("Idempotency-Key"))
                .hasSize(2)
                .containsOnly("\"reset-1:0.1\"");
        assertThat(rig.calls(probed)).extracting(Receiver.Call::method).containsExactly("POST", "GET");
        assertThat(rig.calls(opaque)).hasSize(1);
        assertThat(rig.results(opaque)).containsOnly(Result.UNKNOWN);
    }

    @Test
    void anOutcomeStoredWhileTheBrokersAreDownIsPublishedOnRedeliveryAndNothingIsExecutedAgain() {
        Gate gate = new Gate();
        Effect opaque = Effects.of("unpublished-1", 1, EffectRig.OPAQUE, 1);
        rig.receiver.then(gate.before(DONE));
        rig.write(opaque);
        rig.awaitCalls(opaque, 1);

        rig.broker.kill();
        gate.open();
        rig.awaitLedger("effect WHERE request_id = 'unpublished-1' AND result = 'SUCCEEDED'", 1);
        rig.worker.kill();
        rig.broker.start();
        assertThat(rig.outcomes(opaque)).isEmpty();
        rig.restartWorker();

        rig.awaitResult(opaque, Result.SUCCEEDED);
        assertThat(rig.calls(opaque)).hasSize(1);
    }

    @Test
    void anEffectOfAnAbortedTransactionIsNeverCarriedOutAndHoldsNothingUp() {
        Effect aborted = Effects.of("aborted-1", 1, EffectRig.KEYED, 1);
        Effect committed = Effects.of("aborted-2", 1, EffectRig.KEYED, 1);

        rig.write(false, aborted);
        rig.write(committed);
        rig.awaitResult(committed, Result.SUCCEEDED);
        await().atMost(EffectRig.BOUND).until(() -> rig.committed() >= rig.end());

        assertThat(rig.calls(aborted)).isEmpty();
        assertThat(rig.calls(committed)).hasSize(1);
        assertThat(rig.ledger("effect WHERE request_id = 'aborted-1'")).isZero();
    }

    @Test
    void aForwardAttemptThatComesAfterItsCompensationIsRefused() {
        Effect forward = Effects.of("undone-1", 1, EffectRig.KEYED, 1);
        Effect undo = Effects.undoOf(forward, EffectRig.KEYED);

        rig.write(undo);
        rig.awaitResult(undo, Result.SUCCEEDED);
        rig.write(forward);
        rig.awaitResult(forward, Result.FAILED);

        assertThat(rig.calls(forward)).isEmpty();
        assertThat(rig.calls(undo)).hasSize(1);
    }

    /** The first worker stands still in its calls; the group gives its task away; then it comes back and hears its answers. */
    @Test
    void aZombieInItsCallIsFencedAndItsPartitionsNewOwnerDecides() {
        Gate gate = new Gate();
        Effect keyed = Effects.of("zombie-1", 1, EffectRig.KEYED, 1);
        Effect opaque = Effects.of("zombie-2", 1, EffectRig.OPAQUE, 1);
        try (EmbeddedConnectWorker second = rig.anotherWorker()) {
            second.start();
            EmbeddedConnectWorker holder = rig.holderOfTheTask(second);
            rig.receiver.then(gate.before(Receiver.status(422, ""))).then(gate.before(Receiver.status(422, "")));
            rig.write(keyed, opaque);
            rig.awaitCalls(keyed, 1);
            rig.awaitCalls(opaque, 1);

            holder.child().orElseThrow().pause();
            rig.expireLeases();
            rig.awaitResult(keyed, Result.SUCCEEDED);
            rig.awaitResult(opaque, Result.UNKNOWN);
            gate.open();
            holder.child().orElseThrow().resume();
            rig.awaitLedger("effect_attempt WHERE fenced AND effect_id LIKE 'zombie%'", 2);

            assertThat(rig.calls(keyed)).hasSize(2);
            assertThat(rig.calls(opaque)).hasSize(1);
            assertThat(rig.results(keyed)).containsOnly(Result.SUCCEEDED);
            assertThat(rig.results(opaque)).containsOnly(Result.UNKNOWN);
            assertThat(rig.ledger("effect WHERE effect_id LIKE 'zombie-1%' AND result = 'SUCCEEDED'"))
                    .isOne();
            assertThat(rig.ledger("effect WHERE effect_id LIKE 'zombie-2%' AND result = 'UNKNOWN'"))
                    .isOne();
        }
        // Connect keeps one status per task, and the zombie's late UNASSIGNED may stand over the running task's own.
        rig.worker.kill();
        rig.restartWorker();
    }
}
