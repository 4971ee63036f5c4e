package io.hellogpt.once.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.TaskStep;
import io.hellogpt.once.replay.capture.CapturedRecord.Entry;
import io.hellogpt.once.topology.Headers;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private final Comparison comparison = new Comparison(3, true);

    /** Two tasks send copies of one request on to the same partition; which transaction is first there is chance. */
    @Test
    void whatSeveralTasksWriteAboutOneRequestIsToldApartByItsSource() {
        comparison.recorded(rerouted(1, 124));
        comparison.recorded(rerouted(2, 129));
        comparison.replayed(rerouted(2, 129));
        comparison.replayed(rerouted(1, 124));
        comparison.end();

        assertThat(comparison.divergences()).isEmpty();
        assertThat(comparison.equal()).isEqualTo(2);
    }

    @Test
    void aCopyFromElsewhereHasNoCounterpart() {
        comparison.stepTaken(step(1, 130));
        comparison.recorded(rerouted(1, 124));
        comparison.replayed(rerouted(1, 125));
        comparison.end();

        assertThat(comparison.divergences()).hasSize(2).allSatisfy(each -> {
            assertThat(each.field()).isEqualTo(Divergence.RECORD);
            assertThat(each.requestId()).isEqualTo("r-1");
        });
    }

    /** Steps are known up to an end, and what is sent on behind it is on the topic all the same. */
    @Test
    void aCopyOfARecordThatNoStepHasReadIsOfNoAccount() {
        comparison.stepTaken(step(1, 124));
        comparison.stepTaken(step(2, 500));
        comparison.recorded(rerouted(1, 124));
        comparison.recorded(rerouted(1, 125));
        comparison.replayed(rerouted(1, 124));
        comparison.end();

        assertThat(comparison.divergences()).isEmpty();
        assertThat(comparison.outside()).isEqualTo(1);
    }

    private static TaskStep step(int partition, long offset) {
        return new TaskStep(
                partition,
                Optional.of(new SourcePosition(Topics.REQUESTS, partition, offset)),
                new Moment(Instant.ofEpochMilli(1_000), Instant.EPOCH),
                new TaskStep.Start("b", "i"),
                true,
                List.of(),
                List.of(),
                false,
                1);
    }

    @Test
    void ofATraceOnlyItsIdIsTheRequests() {
        comparison.recorded(traced("4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
        comparison.replayed(traced("4bf92f3577b34da6a3ce929d0e0e4736-1111111111111111-00"));
        comparison.recorded(traced("4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
        comparison.replayed(traced("5bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
        comparison.end();

        assertThat(comparison.equal()).isEqualTo(1);
        assertThat(comparison.divergences()).singleElement().satisfies(each -> {
            assertThat(each.field()).isEqualTo("(headers)");
            assertThat(each.recorded()).contains("4bf92f3577b34da6a3ce929d0e0e4736");
            assertThat(each.replayed()).contains("5bf92f3577b34da6a3ce929d0e0e4736");
        });
    }

    private static Output traced(String trace) {
        return new Output(
                Topics.COMMITTED_RESULTS,
                "r-1".getBytes(StandardCharsets.UTF_8),
                "{}".getBytes(StandardCharsets.UTF_8),
                1,
                List.of(header("traceparent", "00-" + trace)));
    }

    private static Output rerouted(int partition, int offset) {
        return new Output(
                Topics.REQUESTS_REROUTED,
                "r-1".getBytes(StandardCharsets.UTF_8),
                "{}".getBytes(StandardCharsets.UTF_8),
                1,
                List.of(
                        header(Headers.SOURCE_TOPIC, "requests"),
                        header(Headers.SOURCE_PARTITION, Integer.toString(partition)),
                        header(Headers.SOURCE_OFFSET, Integer.toString(offset))));
    }

    private static Entry header(String name, String value) {
        return new Entry(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
