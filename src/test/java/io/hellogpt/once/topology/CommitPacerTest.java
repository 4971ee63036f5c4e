package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommitPacerTest {
    private static final int SPACING_MS = 10;

    @TempDir
    Path dir;

    private MockProcessorContext<byte[], Object> context;
    private CommitPacer pacer;
    private long now = 1_000_000;

    @BeforeEach
    void start() {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "mock");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:9092");
        context = new MockProcessorContext<>(config, new TaskId(0, 0), dir.toFile());
        context.setCurrentSystemTimeMs(now);
        pacer = new CommitPacer(context, Duration.ofMillis(SPACING_MS));
    }

    @Test
    void atLowLoadACommitIsAskedForAtOnce() {
        pacer.wrote(true);
        assertThat(asked()).isTrue();
    }

    @Test
    void theNextOneWaitsForItsSpacingAndIsThenAskedForByTheClock() {
        pacer.wrote(true);
        asked();
        pacer.wrote(true);
        assertThat(asked()).as("at the same moment").isFalse();
        lookAfter(SPACING_MS);
        assertThat(asked()).as("when the spacing is over").isTrue();
    }

    @Test
    void withNothingWrittenNothingIsAskedFor() {
        lookAfter(10_000);
        assertThat(asked()).isFalse();
    }

    /** A commit of its own for each request taken in would delay the endings of others. */
    @Test
    void whatNobodyWaitsForIsCommittedWithWhatSomebodyDoes() {
        pacer.wrote(false);
        lookAfter(10_000);
        assertThat(asked()).isFalse();
        pacer.wrote(true);
        assertThat(asked()).isTrue();
    }

    /** Under load commit.interval.ms decides; asking for more would cost transactions. */
    @Test
    void underLoadItStaysQuiet() {
        pacer.wrote(true);
        asked();
        for (int i = 0; i < 1_000; i++) {
            pacer.wrote(true);
        }
        lookAfter(SPACING_MS);
        assertThat(asked()).isFalse();
        pacer.wrote(true);
        lookAfter(SPACING_MS);
        assertThat(asked()).as("when the load is over").isTrue();
    }

    /** Where 50 ms pass between two looks, a commit may have taken them: twice as much lies between commits. */
    @Test
    void dearCommitsAreAskedForLessOften() {
        for (int commits = 0; commits < 12; commits++) {
            looksUntilAsked();
        }
        assertThat(looksUntilAsked()).isEqualTo(2);
    }

    private int looksUntilAsked() {
        pacer.wrote(true);
        for (int looks = 1; looks <= 100; looks++) {
            lookAfter(50);
            if (asked()) {
                return looks;
            }
        }
        throw new AssertionError("no commit was asked for");
    }

    @Test
    void aClosedPacerLooksNoMore() {
        pacer.close();
        assertThat(context.scheduledPunctuators()).singleElement().matches(CapturedPunctuator::cancelled);
    }

    private void lookAfter(long millis) {
        now += millis;
        context.setCurrentSystemTimeMs(now);
        context.scheduledPunctuators().forEach(look -> look.getPunctuator().punctuate(now));
    }

    private boolean asked() {
        boolean committed = context.committed();
        context.resetCommit();
        return committed;
    }
}
