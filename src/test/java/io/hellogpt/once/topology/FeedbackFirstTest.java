package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.schema.Codecs;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** A task takes the earliest of what waits in its partitions: feedback is as old as the request it is about. */
class FeedbackFirstTest {
    private static final long REQUESTED = TopologyRig.START.toEpochMilli();
    private static final long NOW = REQUESTED + 3_600_000;

    @Test
    void anAnswerIsAsOldAsItsRequest() {
        assertThat(time(Topics.MODEL_RESPONSES, Codecs.JOURNAL.encode(TopologyRig.answered("r-1", 1, "{}"))))
                .isEqualTo(REQUESTED);
        assertThat(time(
                        Topics.MODEL_RESPONSES,
                        Codecs.JOURNAL.encode(
                                RichHistory.failed("r-1", 1, io.hellogpt.once.core.CallError.Kind.RETRYABLE))))
                .isEqualTo(REQUESTED);
    }

    @Test
    void itsHeaderSaysHowOldAnAnswersRequestIs() {
        byte[] answer = Codecs.JOURNAL.encode(TopologyRig.answered("r-1", 1, "{}"));
        assertThat(time(Topics.MODEL_RESPONSES, answer, Headers.received(Instant.ofEpochMilli(REQUESTED - 5))))
                .isEqualTo(REQUESTED - 5);
        assertThat(time(Topics.MODEL_RESPONSES, answer, Headers.received(Instant.ofEpochMilli(NOW + 3_600_000))))
                .as("nothing is younger than its own record: the dedup window moves with it")
                .isEqualTo(NOW);
    }

    @Test
    void anOutcomeIsAsOldAsItsRequest() {
        byte[] outcome = Codecs.EFFECT_OUTCOME.encode(
                TopologyRig.outcomeOf("r-1:0.1", 1, io.hellogpt.once.core.EffectOutcome.Result.SUCCEEDED));
        assertThat(time(Topics.EFFECT_OUTCOMES, outcome)).isEqualTo(REQUESTED);
    }

    @Test
    void whatOpensATaskAndWhatAPersonOrdersGoesFirst() {
        var call = new JournalRecord.RunningCall(new RequestId("r-1"), 1, Instant.ofEpochMilli(NOW));
        for (JournalRecord record :
                List.of(new JournalRecord.Barrier("b"), new JournalRecord.Handover("other", List.of(call)))) {
            assertThat(time(Topics.MODEL_RESPONSES, Codecs.JOURNAL.encode(record)))
                    .isZero();
        }
        assertThat(time(
                        Topics.COMMANDS,
                        TopologyRig.commanded(
                                "r-1", io.hellogpt.once.core.OperatorCommand.Verb.CANCEL, Optional.empty())))
                .isZero();
    }

    @Test
    void aRequestHasTheTimeItWasAppendedAtAlsoWhenItCameByAnotherPartition() {
        assertThat(time(Topics.REQUESTS, new byte[] {1})).isEqualTo(NOW);
        RecordHeaders headers = new RecordHeaders();
        Headers.write(headers, new io.hellogpt.once.core.SourcePosition(Topics.REQUESTS, 1, 2), TopologyRig.START);
        assertThat(time(Topics.REQUESTS_REROUTED, new byte[] {1}, headers)).isEqualTo(REQUESTED);
        assertThat(time(Topics.REQUESTS_REROUTED, new byte[] {1})).isEqualTo(NOW);
    }

    @Test
    void whatCannotBeReadDoesNotStopTheOthers() {
        assertThat(time(Topics.MODEL_RESPONSES, new byte[] {1})).isZero();
        assertThat(time(Topics.EFFECT_OUTCOMES, null)).isZero();
    }

    private static long time(String topic, byte[] value) {
        return time(topic, value, new RecordHeaders());
    }

    private static long time(String topic, byte[] value, org.apache.kafka.common.header.Headers headers) {
        return new FeedbackFirst()
                .extract(
                        new ConsumerRecord<>(
                                topic,
                                0,
                                0,
                                NOW,
                                TimestampType.LOG_APPEND_TIME,
                                0,
                                0,
                                null,
                                new Message.Raw(value),
                                headers,
                                Optional.empty()),
                        -1);
    }
}
