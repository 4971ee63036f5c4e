package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BudgetTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void itFillsEvenlyAndHoldsTenSecondsWorth() {
        Budget budget = new Budget(60, START);
        assertThat(taken(budget, START)).isEqualTo(10);
        assertThat(taken(budget, START.plusMillis(999))).isZero();
        assertThat(taken(budget, START.plusSeconds(1))).isEqualTo(1);
        assertThat(taken(budget, START.plusSeconds(3600)))
                .as("an idle hour is not saved up")
                .isEqualTo(10);
    }

    @Test
    void noMinuteSeesMoreThanASixthAboveTheLimit() {
        Budget budget = new Budget(600, START);
        int taken = 0;
        for (int ms = 0; ms < 60_000; ms += 10) {
            taken += taken(budget, START.plusMillis(ms));
        }
        assertThat(taken).isBetween(600, 700);
    }

    @Test
    void aSmallLimitStillLetsOneThrough() {
        Budget budget = new Budget(1, START);
        assertThat(taken(budget, START)).isEqualTo(1);
        assertThat(taken(budget, START.plusSeconds(59))).isZero();
        assertThat(taken(budget, START.plusSeconds(60))).isEqualTo(1);
    }

    @Test
    void moreThanItHoldsIsToBeHadWhenItIsFullAndIsMadeUpForAfterwards() {
        Budget budget = new Budget(6_000, START);
        assertThat(budget.has(3_000, START)).isTrue();
        budget.take(3_000);

        assertThat(budget.has(1, START.plusSeconds(19))).isFalse();
        assertThat(budget.has(100, START.plusSeconds(21))).isTrue();
        assertThat(budget.has(3_000, START.plusSeconds(21))).isFalse();
    }

    @Test
    void whatWasNotUsedIsGivenBackAndWhatWasUsedBeyondIsTaken() {
        Budget budget = new Budget(6_000, START);
        budget.take(1_000);
        budget.giveBack(900);
        assertThat(budget.has(900, START)).isTrue();
        budget.giveBack(-1_500);

        assertThat(budget.has(1, START.plusSeconds(5))).isFalse();
        assertThat(budget.has(1, START.plusSeconds(7))).isTrue();
    }

    @Test
    void aClockSetBackNeitherFillsNorEmptiesNorStops() {
        Budget budget = new Budget(60, START);
        taken(budget, START);
        Instant back = START.minusSeconds(3_600);
        assertThat(budget.has(1, back)).isFalse();
        assertThat(budget.has(1, back.plusSeconds(1))).isTrue();
    }

    private static int taken(Budget budget, Instant now) {
        int taken = 0;
        while (budget.has(1, now)) {
            budget.take(1);
            taken++;
        }
        return taken;
    }

    @Test
    void itFillsToTheMillisecondWhateverTheStep() {
        Budget coarse = new Budget(120, START);
        Budget fine = new Budget(120, START);
        coarse.take(20);
        fine.take(20);
        for (Duration step = Duration.ofMillis(7); step.toMillis() < 500; step = step.plusMillis(7)) {
            assertThat(fine.has(1, START.plus(step))).isFalse();
        }
        assertThat(fine.has(1, START.plusMillis(501))).isTrue();
        assertThat(coarse.has(1, START.plusMillis(501))).isTrue();
    }

    /** An estimate no provider would allow must not stop a model for weeks: a minute makes up for anything. */
    @Test
    void moreThanAMinuteHoldsIsMadeUpForWithinAMinute() {
        Budget budget = new Budget(6_000, START);
        budget.take(2_000_000_000L);

        assertThat(budget.has(1, START.plusSeconds(49))).isFalse();
        assertThat(budget.has(1_000, START.plusSeconds(61))).isTrue();
    }
}
