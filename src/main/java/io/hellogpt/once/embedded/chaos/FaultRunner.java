package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.chaos.FaultSequence.Draw;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Injects faults, several at once, until the time is over and every one that is required has fired; then returns when all are healed. A
 * fault that found nothing to hit is tried again later.
 */
final class FaultRunner {
    private static final Logger LOG = LoggerFactory.getLogger(FaultRunner.class);
    private static final long NOTHING_FREE_MILLIS = 250;

    private final FaultSequence sequence;
    private final BiFunction<Draw, Set<String>, Optional<Fault>> maker;
    private final FaultLog log;
    private final Predicate<List<FaultRecord>> enough;
    private final Fault.Action progressed;
    private final BooleanSupplier pointless;
    private final Set<String> taken = new HashSet<>();
    private final List<CompletableFuture<Void>> recoveries = new ArrayList<>();

    /**
     * @param maker makes a fault of a draw, given what is taken
     * @param enough whether what has fired is all that must
     * @param progressed returns when the system has ended another request
     * @param pointless whether nothing is left that could be broken; then it ends early
     */
    FaultRunner(
            FaultSequence sequence,
            BiFunction<Draw, Set<String>, Optional<Fault>> maker,
            FaultLog log,
            Predicate<List<FaultRecord>> enough,
            Fault.Action progressed,
            BooleanSupplier pointless) {
        this.pointless = pointless;
        this.sequence = sequence;
        this.maker = maker;
        this.log = log;
        this.enough = enough;
        this.progressed = progressed;
    }

    /**
     * Returns when every fault is healed and has been recovered from, as far as that goes.
     *
     * @param overtime how much longer than {@code duration} it goes on for what is required
     */
    void run(Duration duration, Duration overtime, int lanes) {
        long start = System.nanoTime();
        long end = start + duration.toNanos();
        long latest = end + overtime.toNanos();
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            running.add(Together.start(() -> lane(end, latest)));
        }
        running.forEach(CompletableFuture::join);
        synchronized (recoveries) {
            recoveries.forEach(CompletableFuture::join);
        }
    }

    private void lane(long end, long latest) {
        try {
            while (!pointless.getAsBoolean()
                    && (System.nanoTime() < end || System.nanoTime() < latest && !enough.test(log.faults()))) {
                Draw draw = sequence.next();
                pause(draw.gap());
                Optional<Fault> fault = claim(draw, latest);
                if (fault.isPresent()) {
                    fire(draw, fault.get());
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<Fault> claim(Draw draw, long latest) throws InterruptedException {
        while (System.nanoTime() < latest) {
            synchronized (taken) {
                Optional<Fault> fault = maker.apply(draw, taken);
                if (fault.isPresent()) {
                    taken.addAll(fault.get().claims());
                    return fault;
                }
            }
            TimeUnit.MILLISECONDS.sleep(NOTHING_FREE_MILLIS);
        }
        return Optional.empty();
    }

    private void fire(Draw draw, Fault fault) throws InterruptedException {
        String note = "";
        log.injected(draw.number(), draw.type(), fault.target());
        try {
            fault.inject().run();
            pause(draw.length());
        } catch (InterruptedException stopped) {
            throw stopped;
        } catch (Exception failed) {
            note = "injecting failed: " + failed.getMessage();
            LOG.warn("event=injecting_failed fault={} target={}", draw.type().key(), fault.target(), failed);
        } finally {
            heal(draw, fault, note);
        }
    }

    private void heal(Draw draw, Fault fault, String before) {
        String note = before;
        try {
            fault.heal().run();
        } catch (Exception failed) {
            note = (note + " healing failed: " + failed.getMessage()).strip();
            LOG.warn("event=healing_failed fault={} target={}", draw.type().key(), fault.target(), failed);
        }
        log.healed(draw.number(), note.isEmpty() && fault.hit().getAsBoolean(), note);
        synchronized (recoveries) {
            recoveries.add(Together.start(() -> recover(draw, fault)));
        }
    }

    private void recover(Draw draw, Fault fault) {
        try {
            awaitUsable(fault);
            progressed.run();
            log.recovered(draw.number());
        } catch (Exception failed) {
            log.incident(
                    "not recovered from %s of %s: %s".formatted(draw.type().key(), fault.target(), firstLine(failed)),
                    false);
        }
    }

    /** A part that did not get ready says so with the end of its log. */
    private static String firstLine(Exception failed) {
        return String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
    }

    /** Other faults may hit the same part only when it is there again. */
    private void awaitUsable(Fault fault) throws Exception {
        try {
            fault.recovered().run();
        } finally {
            synchronized (taken) {
                taken.removeAll(fault.claims());
            }
        }
    }

    private static void pause(Duration length) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(length.toNanos());
    }
}
