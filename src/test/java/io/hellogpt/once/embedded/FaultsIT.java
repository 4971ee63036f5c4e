package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hellogpt.once.ops.ExitCode;
import io.hellogpt.once.ops.verify.Report;
import io.hellogpt.once.ops.verify.Verdict;
import io.hellogpt.once.topology.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults at the durability boundaries, each placed exactly, on a real broker with real processes. Calls are counted from the model's
 * own log. The order is the one that starts the fewest processes; no test depends on what another has left.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultsIT {
    private static final Duration SEEN = FaultStage.SEEN;
    private static final Duration STOPPED = Duration.ofSeconds(60);
    /** Enough for a second instance to start and take over before. */
    private static final Duration TAKEOVER = Duration.ofSeconds(60);
    /** Streams punctuates a task for its timers every 50 ms, and for its commits as often. */
    private static final int SOME_LOOKS = 20;
    /** As the brokers say that a transaction is another's by now, or is over. */
    private static final Pattern COMMIT_REFUSED =
            Pattern.compile("ProducerFencedException|InvalidProducerEpochException|InvalidTxnStateException");

    private FaultStage stage;
    private String id;

    @BeforeAll
    void start(@TempDir Path dir) throws Exception {
        stage = new FaultStage(dir);
        stage.start();
    }

    @BeforeEach
    void name(TestInfo test) {
        id = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void holdNothingBack() {
        stage.relay.holdNothing();
        stage.model.release();
        stage.resumeAll();
    }

    /** Of everything together: topics, ledger, the receivers' and the model's own logs. */
    @AfterAll
    void verify() throws Exception {
        try {
            stage.only("a");
            Report report = stage.verify();
            assertThat(report.result()).as(report.table()).isEqualTo(Verdict.Result.HELD);
        } finally {
            stage.close();
        }
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    @Test
    @Order(1)
    void aRequestWhoseIntakeIsNotCommittedWhenTheInstanceIsKilledIsReadAgainAndIsNoDuplicate() {
        stage.only("a");
        stage.model.hold();
        String[] busy = ids("busy", 16);
        stage.send(busy);
        stage.awaitCalls(1, busy);
        stage.atRest();
        Relay.Hold commits = stage.holdCommit("a", id);
        stage.send(id);
        awaitCaught(commits);
        assertThat(stage.calls(id)).as("there is no slot for it").isEmpty();
        stage.kill("a");
        commits.lose();
        stage.model.release();

        stage.only("a");
        stage.awaitCommitted(id);
        stage.awaitCommitted(busy);
        assertThat(stage.calls(id)).hasSize(1);
        assertThat(stage.read(Topics.DUPLICATE_REQUESTS, id)).isEmpty();
    }

    @Test
    @Order(2)
    void aCallDispatchedBeforeItsIntakeIsCommittedIsMadeAtMostOnceMoreWhenTheInstanceIsKilled() {
        stage.only("a");
        stage.model.hold();
        Relay.Hold commits = stage.holdCommit("a", id);
        stage.send(id);
        awaitCaught(commits);
        stage.awaitCalls(1, id);
        stage.kill("a");
        commits.lose();

        stage.only("a");
        stage.awaitCalls(2, id);
        stage.model.release();
        stage.awaitCommitted(id);
        assertThat(stage.calls(id)).hasSize(2);
        assertThat(stage.read(Topics.SNAPSHOTS, id)).hasSize(1);
        assertThat(stage.read(Topics.DUPLICATE_REQUESTS, id)).isEmpty();
    }

    /** The broker gives the transaction up; the process lives on, and so does its call. */
    @Test
    @Order(3)
    void aCallWhoseIntakeIsAbortedIsFoundAgainAndNotRepeated() {
        stage.only("a");
        stage.model.hold();
        Relay.Hold commits = stage.holdCommit("a", id);
        stage.send(id);
        awaitCaught(commits);
        stage.awaitCalls(1, id);
        await("the transaction to time out")
                .atMost(SEEN)
                .until(() -> stage.openTransactions().isEmpty());
        commits.pass();
        // The intake is read again and committed this time: its audit line becomes visible.
        await().atMost(SEEN)
                .until(() -> !stage.read(Topics.LIFECYCLE_EVENTS, id).isEmpty());
        stage.model.release();

        stage.awaitCommitted(id);
        assertThat(stage.calls(id)).hasSize(1);
        assertThat(stage.read(Topics.DUPLICATE_REQUESTS, id)).isEmpty();
    }

    @Test
    @Order(4)
    void aCallInFlightWhenTheInstanceIsKilledIsMadeAgain() {
        stage.only("a");
        stage.model.hold();
        stage.send(id);
        stage.awaitCalls(1, id);
        stage.atRest();
        stage.kill("a");

        stage.only("a");
        stage.awaitCalls(2, id);
        stage.model.release();
        stage.awaitCommitted(id);
        assertThat(stage.calls(id)).hasSize(2);
    }

    @Test
    @Order(5)
    void anAnswerThatIsNotJournaledWhenTheInstanceIsKilledIsAskedForOnceMore() {
        stage.only("a");
        stage.model.hold();
        stage.send(id);
        stage.awaitCalls(1, id);
        stage.atRest();
        Relay.Hold journal = stage.holdJournal("a");
        stage.model.release();
        awaitCaught(journal);
        stage.kill("a");
        journal.lose();

        stage.only("a");
        stage.awaitCommitted(id);
        assertThat(stage.calls(id)).hasSize(2);
        assertThat(stage.read(Topics.MODEL_RESPONSES, id))
                .as("answers journaled")
                .hasSize(1);
    }

    @Test
    @Order(6)
    void anAnswerThatIsJournaledWhenTheInstanceIsKilledIsTheSnapshotAndNoSecondCallIsMade() {
        stage.only("a");
        stage.model.hold();
        stage.send(id);
        stage.awaitCalls(1, id);
        stage.atRest();
        Relay.Hold commits = stage.holdCommit("a", id);
        stage.model.release();
        awaitCaught(commits);
        assertThat(stage.read(Topics.MODEL_RESPONSES, id)).hasSize(1);
        assertThat(stage.read(Topics.SNAPSHOTS, id)).as("not committed").isEmpty();
        stage.kill("a");
        commits.lose();

        stage.only("a");
        stage.awaitCommitted(id);
        assertThat(stage.calls(id)).hasSize(1);
        assertThat(stage.read(Topics.SNAPSHOTS, id))
                .singleElement()
                .satisfies(snapshot -> assertThat(
                                snapshot.at("/answer/body_sha256").asText())
                        .isEqualTo(
                                stage.calls(id).getFirst().path("body_sha256").asText()));
    }

    @Test
    @Order(7)
    void anOutcomeThatIsReadAndNotCommittedWhenTheInstanceIsKilledEndsTheRequestOnce() {
        stage.only("a");
        stage.model.hold();
        stage.send(id);
        stage.awaitCalls(1, id);
        stage.worker.child().orElseThrow().pause();
        stage.model.release();
        await("the effects to be issued")
                .atMost(SEEN)
                .until(() -> stage.read(Topics.EFFECTS, id).size() == 2);
        stage.atRest();
        Relay.Hold commits = stage.holdCommit("a", id);
        stage.worker.child().orElseThrow().resume();
        awaitCaught(commits);
        assertThat(stage.read(Topics.EFFECT_OUTCOMES, id)).isNotEmpty();
        stage.kill("a");
        commits.lose();

        stage.only("a");
        stage.awaitCommitted(id);
        assertThat(stage.calls(id)).hasSize(1);
        assertThat(stage.read(Topics.EFFECTS, id)).as("attempts").hasSize(2);
    }

    @Test
    @Order(8)
    void anAnswerThatComesWhileTheBrokerIsDownIsKeptAndJournaledWhenItIsBack() {
        stage.only("a");
        stage.model.hold();
        stage.send(id);
        stage.awaitCalls(1, id);
        stage.atRest();
        stage.broker.kill();
        stage.model.release();
        await("the answer to wait for the journal")
                .atMost(SEEN)
                .until(() -> stage.instance("a").answersAwaitingJournal() == 1);
        stage.broker.start();

        stage.awaitCommitted(id);
        assertThat(stage.calls(id)).hasSize(1);
    }

    @Test
    @Order(9)
    void callsInFlightAtASigtermAreDrainedAndNoneIsRepeated() {
        stage.only("a");
        stage.model.hold();
        String[] ids = ids(id, 6);
        stage.send(ids);
        stage.awaitCalls(1, ids);
        ChildProcess process = stage.instance("a").child().orElseThrow();
        process.terminate();
        await("the drain").atMost(SEEN).until(() -> stage.instance("a").says("DRAINING"));
        stage.model.release();
        assertThat(process.awaitExit(STOPPED)).isTrue();
        assertThat(process.exitCode()).isZero();

        stage.only("a");
        stage.awaitCommitted(ids);
        assertThat(ids).allSatisfy(each -> assertThat(stage.calls(each)).hasSize(1));
    }

    @Test
    @Order(10)
    void callsInFlightWhenASecondInstanceJoinsAreNotRepeated() {
        stage.only("a");
        stage.model.hold();
        String[] ids = ids(id, 6);
        stage.send(ids);
        stage.awaitCalls(1, ids);
        stage.instance("b").start();
        await("both to own partitions").atMost(SEEN).until(() -> stage.owners() == 2);
        stage.atRest();
        stage.model.release();

        stage.awaitCommitted(ids);
        assertThat(ids).allSatisfy(each -> assertThat(stage.calls(each)).hasSize(1));
        assertThat(stage.read(Topics.MODEL_RESPONSES))
                .anySatisfy(record -> assertThat(record.toString())
                        .as("a handover of what was in flight")
                        .contains("HANDOVER", id));
    }

    @Test
    @Order(11)
    void aRollingRestartRepeatsNoCall() {
        stage.only("a", "b");
        String[] first = ids(id + "-1", 4);
        roll("a", first);
        String[] second = ids(id + "-2", 4);
        roll("b", second);
        stage.awaitCommitted(first);
        stage.awaitCommitted(second);
        assertThat(first).allSatisfy(each -> assertThat(stage.calls(each)).hasSize(1));
        assertThat(second).allSatisfy(each -> assertThat(stage.calls(each)).hasSize(1));
    }

    /** A paused process is taken for dead; then it goes on, its call with it, and its late answer comes first; the other call is given up. */
    @Test
    @Order(12)
    void theLateAnswerOfAZombieWinsWhenItIsTheFirstAndTheOtherChangesNothing() {
        stage.only("a");
        stage.model.hold();
        stage.send(id);
        stage.awaitCalls(1, id);
        stage.atRest();
        stage.pause("a");
        stage.instance("b").start();
        stage.awaitCalls(2, id);
        stage.instance("a").child().orElseThrow().resume();
        stage.model.release(id, 1);
        await("the first answer")
                .atMost(SEEN)
                .until(() -> stage.read(Topics.MODEL_RESPONSES, id).size() == 1);
        stage.model.release();

        stage.awaitCommitted(id);
        assertThat(stage.calls(id)).hasSize(2);
        assertThat(stage.read(Topics.SNAPSHOTS, id))
                .singleElement()
                .satisfies(
                        snapshot -> assertThat(snapshot.path("attempt").asInt()).isEqualTo(1));
    }

    /** Its transaction is complete but for the commit, which is on the wire when it is stopped and arrives when it is a zombie. */
    @Test
    @Order(13)
    void nothingOfAZombieBecomesVisible() {
        stage.only("a");
        stage.model.hold();
        Relay.Hold commits = stage.holdCommit("a", id);
        stage.send(id);
        awaitCaught(commits);
        stage.awaitCalls(1, id);
        stage.pause("a");
        stage.instance("b").start();
        stage.awaitCalls(2, id);
        // Dispatched in the same step as accepted, or in one of its own.
        await("the second owner's transaction")
                .atMost(SEEN)
                .until(() -> !stage.read(Topics.LIFECYCLE_EVENTS, id).isEmpty());
        int before = stage.log("a").length();
        commits.pass();
        stage.instance("a").child().orElseThrow().resume();
        await("the zombie to come back").atMost(SEEN).until(() -> stage.owners() == 2);
        await("its commit to be refused")
                .atMost(SEEN)
                .until(() ->
                        COMMIT_REFUSED.matcher(stage.log("a").substring(before)).find());
        stage.model.release();

        stage.awaitCommitted(id);
        assertThat(stage.calls(id)).hasSize(2);
        assertThat(stage.read(Topics.LIFECYCLE_EVENTS, id))
                .filteredOn(event -> event.path("type").asText().equals("ACCEPTED"))
                .as("who accepted it")
                .hasSize(1);
    }

    /**
     * It was given its tasks back, has read nothing since, and does not know that it has lost them: a transaction of timers only would
     * not be fenced.
     */
    @Test
    @Order(14)
    void aTimerOfAZombieEndsNothing() {
        stage.only("a");
        stage.model.hold();
        stage.sendUntil(Instant.now().plus(TAKEOVER), id);
        stage.awaitCalls(1, id);
        stage.atRest();
        stage.kill("a");
        Relay.Hold reads = stage.holdReads("a");
        stage.instance("a").start();
        Relay.Hold membership = stage.holdMembership("a");
        stage.instance("b").start();
        stage.awaitCalls(2, id);
        AtomicBoolean zombieWrote = stage.relay.watch("a-", id);

        await("the owner's timer")
                .atMost(TAKEOVER.multipliedBy(2))
                .until(() -> !stage.read(Topics.FAILED_REQUESTS, id).isEmpty());
        int before = stage.instance("a").punctuations();
        await("the zombie's, which was due at the same time")
                .atMost(SEEN)
                .until(() -> zombieWrote.get() || stage.instance("a").punctuations() > before + SOME_LOOKS);
        assertThat(zombieWrote).isFalse();
        reads.lose();
        membership.lose();
        await("the zombie to come back").atMost(SEEN).until(() -> stage.owners() == 2);
        stage.atRest();
        assertThat(stage.read(Topics.FAILED_REQUESTS, id)).hasSize(1);
    }

    @Test
    @Order(15)
    void aStateDirectoryThatIsGoneIsRestoredFromTheChangelogs() throws Exception {
        stage.only("a");
        stage.send(id + "-ended");
        stage.awaitCommitted(id + "-ended");
        stage.model.hold();
        stage.send(id);
        stage.awaitCalls(1, id);
        stage.atRest();
        stage.kill("a");
        stage.deleteState("a");

        stage.only("a");
        stage.awaitCalls(2, id);
        stage.model.release();
        stage.send(id + "-ended");
        stage.awaitCommitted(id, id + "-ended");
        await().atMost(SEEN)
                .untilAsserted(() -> assertThat(stage.read(Topics.DUPLICATE_REQUESTS, id + "-ended"))
                        .singleElement()
                        .satisfies(duplicate ->
                                assertThat(duplicate.path("status").asText()).isEqualTo("COMMITTED")));
        assertThat(stage.calls(id + "-ended")).hasSize(1);
    }

    @Test
    @Order(16)
    void aFullDiskEndsTheInstanceWithAClearErrorAndLosesNothing() throws Exception {
        OnceInstance full = stage.instance(
                "full", Map.of("thread.replacements.per.hour", "0", "rocksdb.write.buffer.bytes", "4194304"));
        assumeTrue(SmallDisk.isPossible(full.state()), "a disk of a given size can only be mounted by root");
        stage.only();
        try (SmallDisk disk = SmallDisk.mount(full.state(), 12)) {
            full.start();
            stage.model.hold();
            String[] ids = ids(id, 60);
            stage.sendLarge(400_000, ids);
            ChildProcess process = full.child().orElseThrow();
            await("the end of it").atMost(SEEN).until(() -> stage.log("full").contains("action=shutdown"));
            stage.model.release();
            assertThat(process.awaitExit(STOPPED)).isTrue();
            assertThat(process.exitCode()).isEqualTo(ExitCode.STREAMS_FAILED.code());
            assertThat(stage.log("full")).contains("No space left on device");

            disk.resize(512);
            full.start();
            stage.awaitCommitted(ids);
            assertThat(ids).allSatisfy(each -> assertThat(stage.calls(each)).hasSize(1));
            full.stop();
        }
    }

    /** One instance is stopped with calls in flight, which end while it drains, and started again. */
    private void roll(String name, String[] ids) {
        stage.model.hold();
        stage.send(ids);
        stage.awaitCalls(1, ids);
        ChildProcess process = stage.instance(name).child().orElseThrow();
        process.terminate();
        await("the drain").atMost(SEEN).until(() -> stage.instance(name).says("DRAINING"));
        stage.model.release();
        assertThat(process.awaitExit(STOPPED)).isTrue();
        assertThat(process.exitCode()).isZero();
        stage.instance(name).start();
    }

    private static void awaitCaught(Relay.Hold hold) {
        await("the request to be held back").atMost(SEEN).until(() -> hold.caught() > 0);
    }

    private static String[] ids(String name, int count) {
        String[] ids = new String[count];
        for (int i = 0; i < count; i++) {
            ids[i] = name + "-" + i;
        }
        return ids;
    }
}
