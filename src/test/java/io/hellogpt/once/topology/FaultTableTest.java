package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.RequestIdFormat;
import io.hellogpt.once.schema.Decoded;
import io.hellogpt.once.schema.RequestDecoder;
import io.hellogpt.once.schema.RequestEncoder;
import io.hellogpt.once.topology.RestartableTask.End;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The faults at each durability boundary that need no process to happen. */
class FaultTableTest {
    private static final String PLAIN = RichHistory.plain("r-1");
    private static final String ANSWER = "{\"text\":\"first\"}";

    @TempDir
    Path dir;

    private TopologyRig rig;

    @BeforeEach
    void start() {
        rig = new TopologyRig(dir.resolve("rig"), RichHistory.setup()).opened();
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void theSameRequestSentSeveralTimesInSeveralEncodingsEndsOnce(int times) {
        for (int i = 0; i < times; i++) {
            byte[] value = i % 2 == 0 ? PLAIN.getBytes(StandardCharsets.UTF_8) : avro(PLAIN);
            if (i % 3 == 2) {
                RecordHeaders headers = new RecordHeaders();
                Headers.write(
                        headers,
                        new io.hellogpt.once.core.SourcePosition(Topics.REQUESTS, 5, i),
                        TopologyRig.START.plusSeconds(i * 40));
                rig.pipe(Topics.REQUESTS_REROUTED, new TestRecord<>(null, value, headers, TopologyRig.START));
            } else {
                rig.raw(value, TopologyRig.START.plusSeconds(i * 40));
            }
            if (i == 0) {
                rig.answer("r-1", ANSWER);
            } else if (i == 2) {
                rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
            }
            rig.advance(Duration.ofSeconds(40));
        }
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        assertThat(rig.read(Topics.COMMITTED_RESULTS)).as("endings").hasSize(1);
        assertThat(rig.read(Topics.FAILED_REQUESTS)).isEmpty();
        assertThat(rig.read(Topics.DUPLICATE_REQUESTS)).as("accounted for").hasSize(times - 1);
        assertThat(rig.read(Topics.REJECTED_REQUESTS)).isEmpty();
        assertThat(rig.gateway.calls).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void otherContentUnderTheSameIdIsRefusedAndHarmsNothing(boolean afterTheEnd) {
        rig.request(PLAIN);
        rig.answer("r-1", ANSWER);
        if (afterTheEnd) {
            rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        }
        rig.request(PLAIN.replace("hello", "other"));
        assertThat(rig.read(Topics.REJECTED_REQUESTS)).singleElement().satisfies(conflict -> {
            assertThat(conflict.path("reason").asText()).isEqualTo("CONFLICT");
            assertThat(conflict.path("fingerprint").asText()).hasSize(64);
            assertThat(conflict.path("known_fingerprint").asText())
                    .hasSize(64)
                    .isNotEqualTo(conflict.path("fingerprint").asText());
        });
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        assertThat(rig.read(Topics.COMMITTED_RESULTS)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"SAME_PROCESS", "HANDED_OVER", "CRASHED"})
    void anAnswerJournaledBeforeARestartIsTheSnapshotAndNoSecondCallIsMade(End end) {
        try (RestartableTask task = new RestartableTask(dir.resolve("task"), RichHistory.setup())) {
            task.request(PLAIN, Duration.ZERO);
            // The answer stands in the journal ahead of the next life's barrier, and was not read by the former.
            task.restartWithUnread(end, TopologyRig.answered("r-1", 1, ANSWER));
            task.advance(Duration.ofMinutes(5));
            assertThat(task.gateway().calls).hasSize(1);
            assertThat(task.outputs().get(Topics.SNAPSHOTS))
                    .singleElement()
                    .satisfies(snapshot -> assertThat(snapshot.value()).contains("first"));
        }
    }

    @Test
    void theFirstOfTwoAnswersWinsWhicheverCallItIsOf() {
        rig.request(PLAIN);
        rig.journal(RichHistory.failed("r-1", 1, CallError.Kind.RETRYABLE));
        rig.advance(Duration.ofSeconds(2));
        rig.advance(Duration.ofSeconds(2));
        assertThat(rig.gateway.calls).hasSize(2);
        rig.journal(TopologyRig.answered("r-1", 1, ANSWER));
        rig.journal(TopologyRig.answered("r-1", 2, "{\"text\":\"second\"}"));
        assertThat(rig.read(Topics.SNAPSHOTS)).singleElement().satisfies(snapshot -> {
            assertThat(snapshot.path("attempt").asInt()).isEqualTo(1);
            assertThat(snapshot.at("/answer/body").asText()).isEqualTo(ANSWER);
        });
        assertThat(rig.facts)
                .as("the other is counted")
                .filteredOn(Fact.Ignore.class::isInstance)
                .extracting(fact -> ((Fact.Ignore) fact).reason())
                .containsOnlyOnce(Fact.Ignore.Reason.LATE_ANSWER);
    }

    @Test
    void anOutcomeReadTwiceEndsTheRequestOnce() {
        rig.request(PLAIN);
        rig.answer("r-1", ANSWER);
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        rig.outcome("r-1:0.0", 1, Result.FAILED);
        assertThat(rig.read(Topics.COMMITTED_RESULTS)).hasSize(1);
        assertThat(rig.read(Topics.FAILED_REQUESTS)).isEmpty();
    }

    @Test
    void aStuckCompensationWaitsForAPersonAndIsResumed() {
        rig.request(RichHistory.saga("r-1"));
        rig.answer("r-1", ANSWER);
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        rig.outcome("r-1:0.1", 1, Result.SUCCEEDED);
        rig.outcome("r-1:0.2", 1, Result.FAILED);
        rig.outcome("r-1:0.1:undo", 1, Result.FAILED);
        assertThat(rig.read(Topics.LIFECYCLE_EVENTS)).last().satisfies(event -> {
            assertThat(event.path("type").asText()).isEqualTo("HELD");
            assertThat(event.path("detail").asText()).contains("COMPENSATION_STUCK", "undoing book");
        });
        rig.read(Topics.EFFECTS);
        rig.command("r-1", Verb.RETRY);
        rig.advance(Duration.ofSeconds(1));
        assertThat(rig.read(Topics.EFFECTS))
                .singleElement()
                .satisfies(
                        effect -> assertThat(effect.path("effect_id").asText()).isEqualTo("r-1:0.1:undo"));
        rig.outcome("r-1:0.1:undo", 2, Result.SUCCEEDED);
        assertThat(rig.read(Topics.FAILED_REQUESTS)).hasSize(1);
    }

    /** The effect was given up as failed, and its success is heard of after the other was undone: it is undone too. */
    @Test
    void aLateSuccessOfAnEffectThatWasGivenUpIsUndoneToo() {
        rig.request(RichHistory.saga("r-1"));
        rig.answer("r-1", ANSWER);
        rig.outcome("r-1:0.1", 1, Result.SUCCEEDED);
        rig.outcome("r-1:0.2", 1, Result.FAILED);
        rig.read(Topics.EFFECTS);
        rig.outcome("r-1:0.2", 1, Result.SUCCEEDED);
        rig.outcome("r-1:0.1:undo", 1, Result.SUCCEEDED);
        assertThat(rig.read(Topics.EFFECTS))
                .extracting(effect -> effect.path("effect_id").asText())
                .containsExactly("r-1:0.2:undo");
        rig.outcome("r-1:0.2:undo", 1, Result.SUCCEEDED);
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        assertThat(rig.read(Topics.FAILED_REQUESTS)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "RETRYABLE, ,",
        "UNAUTHORIZED, ,",
        "ABANDONED, ,",
        "REJECTED, FAILED, MODEL_REJECTED",
        "TOO_LARGE, FAILED, SNAPSHOT_TOO_LARGE"
    })
    void eachKindOfModelErrorHasItsConsequence(CallError.Kind kind, String ending, String reason) {
        rig.request(PLAIN);
        rig.journal(RichHistory.failed("r-1", 1, kind));
        List<ObjectNode> failed = rig.read(Topics.FAILED_REQUESTS);
        if (ending == null) {
            assertThat(failed).isEmpty();
            rig.advance(Duration.ofMinutes(2));
            rig.advance(Duration.ofSeconds(1));
            assertThat(rig.gateway.calls).as("it is called again").hasSize(2);
        } else {
            assertThat(failed)
                    .singleElement()
                    .satisfies(
                            record -> assertThat(record.path("reason").asText()).isEqualTo(reason));
            rig.advance(Duration.ofHours(1));
            assertThat(rig.gateway.calls).hasSize(1);
        }
    }

    @Test
    void retryableErrorsEndTheRequestWhenItsAttemptsAreUsedUp() {
        rig.request(PLAIN);
        int attempts = RichHistory.setup().protocol().calls().maxAttempts();
        for (int attempt = 1; attempt <= attempts; attempt++) {
            rig.journal(RichHistory.failed("r-1", attempt, CallError.Kind.RETRYABLE));
            rig.advance(Duration.ofMinutes(2));
            rig.advance(Duration.ofSeconds(1));
        }
        assertThat(rig.gateway.calls).hasSize(attempts);
        assertThat(rig.read(Topics.FAILED_REQUESTS))
                .singleElement()
                .satisfies(failed -> assertThat(failed.path("reason").asText()).isEqualTo("MODEL_EXHAUSTED"));
    }

    static List<byte[]> poison() {
        byte[] avro = avro(PLAIN);
        byte[] unknownSchema = avro.clone();
        unknownSchema[4] ^= 0x55;
        return List.of(
                new byte[0],
                new byte[] {17, 99, -4, 0, 3},
                java.util.Arrays.copyOf(avro, avro.length / 2),
                unknownSchema,
                ("[".repeat(100_000) + "]".repeat(100_000)).getBytes(),
                ("{\"request_id\":" + "{\"a\":".repeat(50_000) + "1" + "}".repeat(50_001)).getBytes(),
                PLAIN.replace("hello", "h".repeat(10_000_000)).getBytes(),
                PLAIN.replace("\"m\"", "7").getBytes(),
                PLAIN.replace("r-1", "r\\u00001").getBytes(),
                PLAIN.replace("\"request_id\":\"r-1\",", "").getBytes());
    }

    @ParameterizedTest
    @MethodSource("poison")
    void whatIsNoRequestIsRejectedAndEveryRecordIsAccountedFor(byte[] value) {
        rig.pipe(Topics.REQUESTS, new TestRecord<>(null, value, TopologyRig.START));
        rig.request(PLAIN);
        rig.request(PLAIN);
        rig.answer("r-1", ANSWER);
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        assertThat(rig.read(Topics.REJECTED_REQUESTS)).singleElement().satisfies(rejected -> {
            assertThat(rejected.path("reason").asText()).isIn("MALFORMED", "INVALID", "TOO_LARGE");
            assertThat(rejected.path("detail").asText()).isNotBlank();
            assertThat(rejected.path("original_value_bytes").asInt()).isEqualTo(value.length);
        });
        assertThat(rig.read(Topics.DUPLICATE_REQUESTS)).hasSize(1);
        assertThat(rig.read(Topics.COMMITTED_RESULTS))
                .as("the partition moves on")
                .hasSize(1);
    }

    /** A restart on a machine whose clock is wrong neither forgets unfinished work nor repeats it nor loses its place. */
    @ParameterizedTest
    @ValueSource(longs = {-60, 60})
    void aClockThatJumpsAnHourForgetsNothing(long minutes) {
        try (RestartableTask task = new RestartableTask(dir.resolve("task"), RichHistory.setup())) {
            task.request(PLAIN, Duration.ZERO);
            task.request(RichHistory.plain("r-2"), Duration.ZERO);
            task.answer("r-1", ANSWER);
            task.outcome("r-1:0.0", 1, Result.SUCCEEDED);
            task.clockJumps(Duration.ofMinutes(minutes));
            task.advance(Duration.ofMillis(50));
            task.request(PLAIN, Duration.ofMinutes(1));
            assertThat(task.outputs().get(Topics.DUPLICATE_REQUESTS))
                    .as("known still")
                    .hasSize(1);
            task.advance(Duration.ofMinutes(1));
            task.answer("r-2", ANSWER);
            task.outcome("r-2:0.0", 1, Result.SUCCEEDED);
            assertThat(task.outputs().get(Topics.COMMITTED_RESULTS)).hasSize(2);
        }
    }

    @Test
    void aDuplicateAfterTheWindowIsExpiredAndNotRunAgain() {
        rig.request(PLAIN);
        rig.answer("r-1", ANSWER);
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        rig.raw(RichHistory.plain("later").getBytes(), TopologyRig.START.plus(RichHistory.WINDOW.multipliedBy(2)));
        rig.advance(Duration.ofSeconds(1));
        String late = PLAIN.replace("}", ",\"created_at\":\"2026-01-01T00:00:00Z\"}");
        rig.raw(late.getBytes(), TopologyRig.START.plus(RichHistory.WINDOW.multipliedBy(2)));
        assertThat(rig.read(Topics.REJECTED_REQUESTS))
                .singleElement()
                .satisfies(
                        rejected -> assertThat(rejected.path("reason").asText()).isEqualTo("EXPIRED"));
        assertThat(rig.gateway.calls).extracting(call -> call.id().value()).containsExactly("r-1", "later");
    }

    private static byte[] avro(String json) {
        RequestDecoder decoder = new RequestDecoder(RequestIdFormat.DEFAULT, 1_000_000, Optional.empty());
        return RequestEncoder.avro(((Decoded.Request) decoder.decode(json.getBytes(StandardCharsets.UTF_8))).request());
    }
}
