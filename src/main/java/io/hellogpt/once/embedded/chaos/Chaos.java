package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.EmbeddedException;
import io.hellogpt.once.embedded.Narrator;
import io.hellogpt.once.embedded.StackDirectory;
import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.verify.Evidence;
import io.hellogpt.once.ops.verify.Verifier;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run: start the rig, send, break, heal, wait for every ending, judge, report. */
public final class Chaos {
    private static final Logger LOG = LoggerFactory.getLogger(Chaos.class);
    /** How much longer than asked for it goes on for faults that have not fired yet. */
    private static final Duration OVERTIME = Duration.ofMinutes(2);

    private static final Duration PROGRESS_PATIENCE = Duration.ofSeconds(90);
    private static final Duration FIRST_ENDING = Duration.ofSeconds(90);
    private static final long POLL_MILLIS = 200;

    private final Path directory;
    private final ChaosSettings settings;
    private final Narrator narrator;

    /**
     * @param directory of data, logs and the report; emptied first
     */
    public Chaos(Path directory, ChaosSettings settings, Narrator narrator) {
        this.directory = directory;
        this.settings = settings;
        this.narrator = narrator;
    }

    /**
     * Runs it once. Afterwards {@code report.json} and {@code report.html} stand in the directory, with the logs of all parts, the log of
     * faults and, when the run has failed, all topics.
     *
     * @throws EmbeddedException if the rig cannot be started
     */
    public ChaosResult run() throws IOException, SQLException, InterruptedException {
        SmallDisk.release(Rig.diskPoint(directory));
        try (StackDirectory taken = StackDirectory.take(directory);
                Rig rig = Rig.create(taken.path(), settings)) {
            narrator.say("chaos for %d s, seed %d (%s)"
                    .formatted(settings.duration().toSeconds(), settings.seed(), taken.path()));
            Faults.unavailable(rig).forEach(why -> narrator.say("NOT AVAILABLE on this machine: " + why));
            rig.start(narrator::progress);
            ChaosRun run = runAndJudge(rig);
            ChaosReport.write(run, taken.path());
            ChaosResult result = ChaosResult.of(run, taken.path());
            if (!result.passed()) {
                narrator.progress("the run has failed: writing all topics to "
                        + taken.path().resolve("topics"));
                TopicsDump.write(rig.config(), taken.path().resolve("topics"));
            }
            narrator.progress("stopping everything");
            return result;
        }
    }

    /** What a run that breaks down has done so far is written down as well. */
    private ChaosRun runAndJudge(Rig rig) throws IOException, SQLException, InterruptedException {
        try {
            return run(rig);
        } catch (IOException | SQLException | RuntimeException broken) {
            narrator.progress("the run has broken down: writing all topics and a capture");
            try {
                TopicsDump.write(rig.config(), rig.directory().resolve("topics"));
                ChaosReplay.difference(rig.instanceSettings(), rig.directory().resolve("run.avro"));
            } catch (IOException | RuntimeException alsoBroken) {
                broken.addSuppressed(alsoBroken);
            }
            throw broken;
        }
    }

    private ChaosRun run(Rig rig) throws IOException, SQLException, InterruptedException {
        FaultLog log = new FaultLog(rig.directory().resolve("faults.jsonl"));
        Desk desk;
        Map<String, Long> sent;
        Map<String, Long> callbacks;
        try (ChaosWatch watch = ChaosWatch.start(rig.config());
                BackOffice office = BackOffice.start(
                        rig.receivers().calls(), rig.ordersLog(), new CallbackSender(rig.callbackDoors()));
                ScriptedOperator operator =
                        ScriptedOperator.start(rig.config(), watch.desk(), rig.receiverLogs(), settings.seed());
                Supervisor supervisor = Supervisor.start(rig, log);
                ChaosTraffic traffic = ChaosTraffic.start(rig, settings, watch.desk()::unfinished)) {
            desk = watch.desk();
            await("the first ending", () -> desk.ended() > 0, FIRST_ENDING, desk);
            breakIt(rig, traffic, supervisor, log, desk);
            rig.network().restore();
            operator.settleDown();
            narrator.say("faults are over: %d injected, %d requests accepted, %d ended"
                    .formatted(log.faults().size(), desk.accepted(), desk.ended()));
            traffic.finish();
            settle(rig, desk);
            sent = traffic.sent();
            callbacks = office.callbacks();
        }
        narrator.progress("reading the evidence");
        Evidence evidence = ChaosEvidence.read(rig, log.faults(), log.incidents());
        narrator.progress("capturing the run and replaying it");
        Optional<String> difference =
                ChaosReplay.difference(rig.instanceSettings(), rig.directory().resolve("run.avro"));
        return new ChaosRun(
                settings,
                Verifier.verify(evidence),
                Figures.of(evidence),
                new ChaosRun.Happened(
                        log.faults(),
                        log.incidents(),
                        desk.longestStall(),
                        sent,
                        desk.commands(),
                        callbacks,
                        desk.missing(),
                        difference),
                Faults.available(rig),
                new ChaosRun.Limits(Faults.unavailable(rig), KcatProducer.isInstalled()));
    }

    private void breakIt(Rig rig, ChaosTraffic traffic, Supervisor supervisor, FaultLog log, Desk desk) {
        List<FaultType> available = Faults.available(rig);
        Faults faults = new Faults(rig, traffic.kcat(), settings, supervisor, log);
        FaultRunner runner = new FaultRunner(
                new FaultSequence(settings.seed(), available, settings.isLong()),
                faults::make,
                log,
                fired ->
                        FaultCounts.missing(available, settings.isLong(), fired).isEmpty(),
                () -> awaitProgress(desk),
                traffic::hasEnded);
        Thread told = Thread.ofVirtual().start(() -> tell(log, desk));
        runner.run(settings.duration(), OVERTIME, settings.lanes());
        told.interrupt();
    }

    private void tell(FaultLog log, Desk desk) {
        try {
            while (true) {
                narrator.progress(
                        status(desk) + ", %d faults".formatted(log.faults().size()));
                TimeUnit.SECONDS.sleep(1);
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitProgress(Desk desk) throws InterruptedException {
        int before = desk.ended();
        long deadline = System.nanoTime() + PROGRESS_PATIENCE.toNanos();
        while (desk.ended() == before && desk.unfinished() > 0) {
            if (System.nanoTime() > deadline) {
                throw new EmbeddedException("no request ended within " + PROGRESS_PATIENCE.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    /** Until every record is accounted for and every request has ended, or patience is at its end: then the checker says what is missing. */
    private void settle(Rig rig, Desk desk) throws InterruptedException {
        long sent = sent(rig);
        await(
                "every ending",
                () -> desk.accepted() + desk.turnedAway() >= sent && desk.unfinished() == 0,
                settings.patience(),
                desk);
    }

    private static long sent(Rig rig) {
        try (CommittedReader reader = new CommittedReader(rig.config().reader())) {
            long[] records = {0};
            reader.readAll(reader.partitions(Topics.REQUESTS), record -> records[0]++);
            return records[0];
        }
    }

    private void await(String what, BooleanSupplier reached, Duration patience, Desk desk) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!reached.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                LOG.warn("event=patience_over waited_for=\"{}\" missing={}", what, desk.missing());
                narrator.say("waited %d s for %s in vain: %s".formatted(patience.toSeconds(), what, status(desk)));
                return;
            }
            narrator.progress("waiting for " + what + ": " + status(desk));
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static String status(Desk desk) {
        return "%,d accepted, %,d ended, %,d turned away".formatted(desk.accepted(), desk.ended(), desk.turnedAway());
    }
}
