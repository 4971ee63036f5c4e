package io.hellogpt.once.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues, bounds, dead routes and partitions that move. */
class PipelineFlowIT {
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
    void aSlowRouteHoldsUpNoOther() {
        Gate gate = new Gate();
        rig.receiver.then(gate.before(Receiver.status(200, "")));
        PipelineRig.Run run = rig.start(Map.of(
                "slow", rig.http("slow", new Recovery.Opaque(false), 1, Duration.ofSeconds(20)),
                "notify", rig.http("notify", new Recovery.Opaque(false))));

        run.accept(
                List.of(rig.delivery(Effects.of("r-1", 1, "slow", 1)), rig.delivery(Effects.of("r-2", 1, "slow", 1))));
        await().atMost(PipelineRig.BOUND).until(() -> rig.receiver.calls().size() == 1);
        run.accept(List.of(rig.delivery(Effects.of("r-3", 1, "notify", 1))));
        await().atMost(PipelineRig.BOUND).until(() -> rig.outcomes().size() == 1);

        assertThat(rig.outcomes().getFirst().effectId()).hasToString("r-3:0.1");
        assertThat(rig.receiver.calls()).hasSize(2);
        assertThat(run.committable()).as("the first record is not done").isZero();
        gate.open();
        run.process(List.of());
        assertThat(rig.receiver.calls()).hasSize(3);
    }

    @Test
    void aFullQueueAsksForItsPartitionToBePausedAndHalfEmptyToBeResumed() {
        rig.settings = PipelineRig.settings(4, Duration.ofSeconds(5));
        Gate gate = new Gate();
        rig.receiver.then(gate.before(Receiver.status(200, "")));
        PipelineRig.Run run =
                rig.start(Map.of("slow", rig.http("slow", new Recovery.Opaque(false), 1, Duration.ofSeconds(20))));

        run.accept(IntStream.range(0, 4)
                .mapToObj(i -> rig.delivery(Effects.of("r-" + i, 1, "slow", 1)))
                .toList());

        assertThat(run.pipeline.full(Set.of(PipelineRig.PARTITION))).containsExactly(PipelineRig.PARTITION);
        assertThat(run.pipeline.relieved(Set.of(PipelineRig.PARTITION))).isEmpty();
        gate.open();
        run.process(List.of());
        assertThat(run.pipeline.full(Set.of(PipelineRig.PARTITION))).isEmpty();
        assertThat(run.pipeline.relieved(Set.of(PipelineRig.PARTITION))).containsExactly(PipelineRig.PARTITION);
    }

    @Test
    void aDeadRouteIsAnsweredAtOnceWithTheTimeUntilItIsTriedAgain() {
        PipelineRig.Run run = rig.start();
        for (int i = 0; i < 4; i++) {
            rig.receiver.then(exchange -> exchange.close());
            run.process(List.of(rig.delivery(Effects.of("r-" + i, 1, "signing", 1))));
        }

        run.process(List.of(
                rig.delivery(Effects.of("r-8", 1, "signing", 1)), rig.delivery(Effects.of("r-9", 1, "notify", 1))));

        EffectOutcome refused = rig.outcomes().stream()
                .filter(outcome -> outcome.effectId().toString().startsWith("r-8"))
                .findFirst()
                .orElseThrow();
        assertThat(refused.result()).isEqualTo(Result.RETRYABLE);
        assertThat(refused.inDoubt()).isFalse();
        assertThat(refused.retryAfter().orElseThrow()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(30));
        assertThat(rig.receiver.calls())
                .extracting(Receiver.Call::path)
                .filteredOn("/signing"::equals)
                .hasSize(4);
        assertThat(rig.receiver.calls().getLast().path()).isEqualTo("/notify");
    }

    @Test
    void workOfAPartitionThatWasTakenAwayMovesNoOffsetAndIsNotDoneTwice() {
        rig.settings = PipelineRig.settings(100, Duration.ZERO);
        Gate gate = new Gate();
        rig.receiver.then(gate.before(Receiver.status(200, "")));
        PipelineRig.Run run =
                rig.start(Map.of("notify", rig.http("notify", new Recovery.Opaque(false), 1, Duration.ofSeconds(20))));
        List<Delivery> batch = List.of(
                rig.delivery(Effects.of("r-1", 1, "notify", 1)), rig.delivery(Effects.of("r-2", 1, "notify", 1)));
        run.accept(batch);
        await().atMost(PipelineRig.BOUND).until(() -> rig.receiver.calls().size() == 1);

        run.offsets.close(List.of(PipelineRig.PARTITION));
        run.pipeline.release(List.of(PipelineRig.PARTITION));
        run.offsets.open(List.of(PipelineRig.PARTITION));
        run.accept(batch);
        assertThat(run.committable()).isZero();
        gate.open();
        run.process(List.of());

        assertThat(rig.receiver.calls())
                .extracting(call -> call.header("X-Effect-Id"))
                .containsExactly("r-1:0.1", "r-2:0.1");
        assertThat(rig.outcomes()).hasSize(2).allMatch(outcome -> outcome.result() == Result.SUCCEEDED);
    }

    @Test
    void aStopWaitsForTheCallThatIsOutAndBeginsNoOther() {
        Gate gate = new Gate();
        rig.receiver.then(gate.before(Receiver.status(200, "")));
        PipelineRig.Run run =
                rig.start(Map.of("notify", rig.http("notify", new Recovery.Opaque(false), 1, Duration.ofSeconds(20))));
        run.accept(List.of(
                rig.delivery(Effects.of("r-1", 1, "notify", 1)), rig.delivery(Effects.of("r-2", 1, "notify", 1))));
        await().atMost(PipelineRig.BOUND).until(() -> rig.receiver.calls().size() == 1);

        Thread stop = Thread.startVirtualThread(run::close);
        await().atMost(PipelineRig.BOUND).until(() -> stop.getState() != Thread.State.RUNNABLE);
        gate.open();
        await().atMost(PipelineRig.BOUND).until(() -> !stop.isAlive());

        assertThat(rig.receiver.calls()).hasSize(1);
        assertThat(rig.outcomes()).singleElement().matches(outcome -> outcome.result() == Result.SUCCEEDED);
    }
}
