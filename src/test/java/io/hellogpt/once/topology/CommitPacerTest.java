package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommitPacerTest {
    private static final int SPACING_MS = 10;
    private static final long MS = 1_000_000;

    @TempDir
    Path dir;

    private final ThreadPace pace = new ThreadPace();
    private MockProcessorContext<byte[], Object> context;
    private CommitPacer pacer;
    private long now = 1_000_000 * MS;

    @BeforeEach
    void start() {
        context = context(0);
        pacer = new CommitPacer(context, Duration.ofMillis(SPACING_MS), () -> pace, () -> now);
    }

    private MockProcessorContext<byte[], Object> context(int partition) {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "mock");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:9092");
        return new MockProcessorContext<>(config, new TaskId(0, partition), dir.toFile());
    }

    @Test
    void anIdleThreadIsAskedToCommitWhenTheStepIsOver() {
        pacer.wrote(true);
        assertThat(asked()).as("in the middle of the step").isFalse();
        pacer.stepped(0);
        assertThat(asked()).isTrue();
    }

    @Test
    void theNextOneWaitsForItsSpacingAndIsThenAskedForByTheClock() {
        step(true, 0);
        asked();
        step(true, 0);
        assertThat(asked()).as("at the same moment").isFalse();
        idle(SPACING_MS);
        assertThat(asked()).as("when the spacing is over").isTrue();
    }

    @Test
    void withNothingWrittenNothingIsAskedFor() {
        idle(10_000);
        assertThat(asked()).isFalse();
    }

    /** A commit of its own for each request taken in would delay the endings of others. */
    @Test
    void whatNobodyWaitsForIsCommittedWithWhatSomebodyDoes() {
        step(false, 0);
        idle(10_000);
        assertThat(asked()).isFalse();
        step(true, 0);
        assertThat(asked()).isTrue();
    }

    /** A commit holds up everything of its thread: there is one budget for all. */
    @Test
    void whatAnotherTaskOfTheThreadHasCommittedWithIsNotCommittedAgain() {
        MockProcessorContext<byte[], Object> other = context(1);
        CommitPacer itsPacer = new CommitPacer(other, Duration.ofMillis(SPACING_MS), () -> pace, () -> now);
        pacer.wrote(true);
        itsPacer.wrote(true);
        itsPacer.stepped(0);
        assertThat(other.committed()).isTrue();
        idle(10_000);
        assertThat(asked()).isFalse();
    }

    private void step(boolean shows, long millis) {
        pacer.wrote(shows);
        now += millis * MS;
        pacer.stepped(millis * MS);
    }

    private void idle(long millis) {
        now += millis * MS;
        pacer.look();
    }

    private boolean asked() {
        boolean asked = context.committed();
        context.resetCommit();
        return asked;
    }
}
