package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.embedded.chaos.FaultSequence.Draw;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultRunnerTest {
    private static final Duration AT_ONCE = Duration.ofMillis(1);
    private static final Duration OVERTIME = Duration.ofMinutes(2);
    /** Lasts a tenth of a second. */
    private static final FaultType SHORT = new FaultType(FaultKind.TRANSACTION_ABORTED, "");

    @TempDir
    Path dir;

    private FaultLog log;
    private boolean pointless;
    private final AtomicInteger active = new AtomicInteger();
    private final AtomicInteger mostActive = new AtomicInteger();

    @BeforeEach
    void openLog() {
        log = new FaultLog(dir.resolve("faults.jsonl"));
    }

    @Test
    void goesOnUntilWhatIsRequiredHasFired() {
        run(fired -> fired.stream().filter(FaultRecord::hit).count() >= 3, 1, draw -> fault("a", Fault.Action.NOTHING));

        assertThat(log.faults()).hasSizeGreaterThanOrEqualTo(3).allSatisfy(fault -> {
            assertThat(fault.hit()).isTrue();
            assertThat(fault.recovery()).isPresent();
        });
        assertThat(dir.resolve("faults.jsonl")).content().contains("\"injected\"", "\"healed\"", "\"recovered\"");
    }

    @Test
    void severalAreActiveAtOnceButNeverTwoOnTheSameTarget() {
        run(fired -> fired.size() >= 6, 3, draw -> fault("the same", Fault.Action.NOTHING));
        assertThat(mostActive).hasValue(1);

        mostActive.set(0);
        run(
                fired -> mostActive.get() > 1 || fired.size() > 30,
                3,
                draw -> fault("t" + draw.number(), Fault.Action.NOTHING));
        assertThat(mostActive.get()).isGreaterThan(1);
    }

    @Test
    void endsAtOnceWhenNothingIsLeftToBreak() {
        pointless = true;
        run(fired -> false, 2, draw -> fault("a", Fault.Action.NOTHING));

        assertThat(log.faults()).isEmpty();
    }

    @Test
    void whatCouldNotBeInjectedHasNotFiredAndIsHealedAllTheSame() {
        run(
                fired -> !fired.isEmpty() && fired.getFirst().healed().isPresent(),
                1,
                draw -> fault("a", () -> {
                    throw new IllegalStateException("no such process");
                }));

        assertThat(active).hasValue(0);
        assertThat(log.faults().getFirst().hit()).isFalse();
        assertThat(log.faults().getFirst().note()).contains("injecting failed", "no such process");
    }

    @Test
    void aFaultThatHitNothingHasNotFired() {
        run(
                fired -> !fired.isEmpty() && fired.getFirst().healed().isPresent(),
                1,
                draw -> new Fault(
                        "a",
                        Set.of("a"),
                        Fault.Action.NOTHING,
                        Fault.Action.NOTHING,
                        Fault.Action.NOTHING,
                        () -> false));

        assertThat(log.faults().getFirst().hit()).isFalse();
    }

    @Test
    void whatIsNotRecoveredFromIsAnIncident() {
        Fault.Action never = () -> {
            throw new IllegalStateException("still away");
        };
        run(
                fired -> !fired.isEmpty() && fired.getFirst().healed().isPresent(),
                1,
                draw -> Fault.sure("a", Set.of("a"), Fault.Action.NOTHING, Fault.Action.NOTHING, never));

        assertThat(log.faults().getFirst().recovered()).isEmpty();
        assertThat(log.incidents())
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.what()).contains("still away"));
        assertThat(Files.exists(dir.resolve("faults.jsonl"))).isTrue();
    }

    private interface Maker {
        Fault make(Draw draw);
    }

    private void run(java.util.function.Predicate<List<FaultRecord>> enough, int lanes, Maker maker) {
        new FaultRunner(
                        new FaultSequence(5, List.of(SHORT), true),
                        (draw, taken) -> Optional.of(maker.make(draw))
                                .filter(fault -> fault.claims().stream().noneMatch(taken::contains)),
                        log,
                        enough,
                        Fault.Action.NOTHING,
                        () -> pointless)
                .run(AT_ONCE, OVERTIME, lanes);
    }

    private Fault fault(String target, Fault.Action inject) {
        return Fault.sure(
                target,
                Set.of(target),
                () -> {
                    mostActive.accumulateAndGet(active.incrementAndGet(), Math::max);
                    inject.run();
                },
                active::decrementAndGet,
                Fault.Action.NOTHING);
    }
}
