package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A thread whose time passes as the test says: at work, in a commit it was asked for, or with nothing to do. */
class ThreadPaceTest {
    private static final long MS = 1_000_000;
    private static final int LEAST_MS = 5;
    private static final int COMMIT_MS = 10;
    private static final int STEP_MS = 1;

    private final ThreadPace pace = new ThreadPace();
    private long now;
    private int commits;

    @Test
    void aThreadThatIsIdleNowAndThenCommitsForHalfOfItsIdleTime() {
        spend(1_000, 0);
        commits = 0;

        spend(10_000, 0);

        assertThat(commits).isBetween(450, 500);
    }

    @Test
    void aThreadThatAlwaysWorksIsNotAsked() {
        spend(1_000, 0);
        commits = 0;

        spend(10_000, 100);

        assertThat(commits).isZero();
    }

    @Test
    void theFewerTheIdleTimeTheFewerTheCommits() {
        spend(1_000, 0);
        commits = 0;
        spend(10_000, 50);
        int half = commits;
        commits = 0;
        spend(10_000, 70);

        assertThat(half).isBetween(100, 300);
        assertThat(commits).isLessThan(half).isPositive();
    }

    @Test
    void whenTheWorkIsOverTheFirstOneIsAskedForSoon() {
        spend(1_000, 0);
        spend(10_000, 100);
        commits = 0;

        spend(3 * COMMIT_MS, 0);

        assertThat(commits).isPositive();
    }

    @Test
    void dearCommitsAreFewer() {
        for (int i = 0; i < 20; i++) {
            look(200);
            pace.show();
        }
        commits = 0;
        for (int i = 0; i < 100; i++) {
            pace.show();
            look(200);
        }

        assertThat(commits).isBetween(30, 36);
    }

    /** @param percent of the time that is work, in steps that all have something to show; looks come every millisecond */
    private void spend(int millis, int percent) {
        for (long end = now + millis * MS; now < end; ) {
            pace.show();
            boolean works = (now / MS * 37) % 100 < percent;
            if (works) {
                pace.work(STEP_MS * MS);
            }
            look(STEP_MS);
        }
    }

    private void look(int afterMs) {
        now += afterMs * MS;
        if (pace.look(now, LEAST_MS)) {
            commits++;
            now += COMMIT_MS * MS;
        }
    }
}
