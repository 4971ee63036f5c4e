package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.Gate;
import io.hellogpt.once.connect.Receiver;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A task that is stopped in its calls: the connector's patience with them, {@code once.drain.timeout.ms}, and the worker's with
 * its tasks, {@code task.shutdown.graceful.timeout.ms}, which is 5 s here as by default. Here the worker's ends first; where the
 * connector's does, see {@link EffectFaultsIT}. The receivers' own log decides.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EffectStopsIT {
    private static final Receiver.Answer DONE = Receiver.status(200, "{\"id\":\"done\"}");

    private EffectRig rig;

    @BeforeAll
    void start(@TempDir Path dir) throws Exception {
        rig = new EffectRig(dir, Duration.ofSeconds(60));
    }

    @AfterAll
    void stop() throws IOException {
        rig.close();
    }

    /** The worker gives the old task up and starts a new one, which meets the calls of the old one in the ledger. */
    @Test
    void callsThatOutlastTheWorkersPatienceAreNotRepeatedAndTheirOutcomesNotLost() {
        Gate gate = new Gate();
        Effect keyed = Effects.of("patient-1", 1, EffectRig.KEYED, 1);
        Effect opaque = Effects.of("patient-2", 1, EffectRig.OPAQUE, 1);
        inCalls(gate, keyed, opaque);

        rig.worker.rest().restart(EffectConnector.NAME);
        await().atMost(EffectRig.BOUND)
                .until(() -> rig.workerLog().contains("Graceful stop of task once-effects-0 failed"));
        gate.open();

        for (Effect each : List.of(keyed, opaque)) {
            rig.awaitResult(each, Result.SUCCEEDED);
        }
        await().atMost(EffectRig.BOUND).until(() -> rig.committed() >= rig.end());
        for (Effect each : List.of(keyed, opaque)) {
            assertThat(rig.calls(each)).hasSize(1);
            assertThat(rig.results(each)).containsOnly(Result.SUCCEEDED);
        }
    }

    @Test
    void callsThatEndInTimeAreSettledBeforeTheTaskIsGone() {
        Gate gate = new Gate();
        Effect opaque = Effects.of("drained-1", 1, EffectRig.OPAQUE, 1);
        inCalls(gate, opaque);

        Thread stop = Thread.ofVirtual().start(rig.worker::stop);
        gate.open();
        await().atMost(EffectRig.BOUND).until(() -> !stop.isAlive());
        assertThat(rig.ledger("effect WHERE effect_id = 'drained-1:0.1' AND result = 'SUCCEEDED'"))
                .isOne();
        rig.restartWorker();

        rig.awaitResult(opaque, Result.SUCCEEDED);
        assertThat(rig.calls(opaque)).hasSize(1);
    }

    @Test
    void callsThatOutlastTheWorkersProcessAreRecoveredByTheirClass() {
        Gate gate = new Gate();
        Effect keyed = Effects.of("ended-1", 1, EffectRig.KEYED, 1);
        Effect opaque = Effects.of("ended-2", 1, EffectRig.OPAQUE, 1);
        inCalls(gate, keyed, opaque);

        rig.worker.stop();
        gate.open();
        rig.expireLeases();
        rig.restartWorker();

        rig.awaitResult(keyed, Result.SUCCEEDED);
        rig.awaitResult(opaque, Result.UNKNOWN);
        assertThat(rig.calls(keyed))
                .extracting(call -> call.header("Idempotency-Key") + call.body())
                .hasSize(2)
                .containsOnly("\"ended-1:0.1\"" + keyed.payload());
        assertThat(rig.calls(opaque)).hasSize(1);
    }

    private void inCalls(Gate gate, Effect... effects) {
        for (int i = 0; i < effects.length; i++) {
            rig.receiver.then(gate.before(DONE));
        }
        rig.write(effects);
        for (Effect each : effects) {
            rig.awaitCalls(each, 1);
        }
    }
}
