package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.topology.TopologySettings.Encoding;
import io.hellogpt.once.topology.policy.Billing;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is poison, wherever it comes in: it is recorded with stage, reason and bytes, and the partition moves on. */
class PoisonTest {
    private static final int SMALL = 4_000;

    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource({
        "requests, receive",
        "requests-rerouted, receive",
        "model-responses, generate",
        "effect-outcomes, commit",
        "commands, operate"
    })
    void bytesNobodyCanReadAreKeptWithStageAndReason(String topic, String stage) {
        byte[] poison = {(byte) 0xC3, 1, 2, 3, 4, 5, 6, 7, 8, 9, (byte) 0xFF};
        try (TopologyRig rig = new TopologyRig(dir).opened()) {
            rig.pipe(topic, new TestRecord<>("key".getBytes(), poison, TopologyRig.START));
            rig.pipe(topic, new TestRecord<>(null, null, TopologyRig.START));

            List<ObjectNode> rejected = rig.read(Topics.REJECTED_REQUESTS);
            assertThat(rejected).hasSize(2).allSatisfy(record -> {
                assertThat(record.path("stage").asText()).isEqualTo(stage);
                assertThat(record.path("reason").asText()).isEqualTo("MALFORMED");
                assertThat(record.path("detail").asText()).isNotBlank();
                assertThat(record.path("source_topic").asText()).isEqualTo(topic);
            });
            assertThat(rejected.getFirst().path("original_key").asText()).isEqualTo("key");
            assertThat(java.util.Base64.getDecoder()
                            .decode(rejected.getFirst().path("original_value").asText()))
                    .isEqualTo(poison);
            assertMovesOn(rig);
        }
    }

    @Test
    void aPolicyThatThrowsHoldsTheRequestAndTheNextOneGoesOn() {
        try (TopologyRig rig = new TopologyRig(dir, RichHistory.setup()).opened()) {
            rig.request(RichHistory.by("r-1", "broken"));
            rig.answer("r-1", "{}");
            assertThat(rig.read(Topics.LIFECYCLE_EVENTS)).anySatisfy(event -> {
                assertThat(event.path("type").asText()).isEqualTo("HELD");
                assertThat(event.path("detail").asText()).contains("policy 'broken' threw");
            });
            assertMovesOn(rig);
        }
    }

    @Test
    void anAnswerOverTheLimitFailsItsRequest() {
        try (TopologyRig rig = new TopologyRig(dir).opened()) {
            rig.request(RichHistory.plain("r-1"));
            rig.answer("r-1", "a".repeat(ProtocolSettings.defaults().snapshotMaxBytes() + 1));
            assertThat(rig.read(Topics.FAILED_REQUESTS))
                    .singleElement()
                    .satisfies(
                            failed -> assertThat(failed.path("reason").asText()).isEqualTo("SNAPSHOT_TOO_LARGE"));
            assertMovesOn(rig);
        }
    }

    /** Within the limit for answers, and yet its record is larger than the topic takes, as is the failure that would keep it. */
    @Test
    void aSnapshotThatFitsNoRecordFailsItsRequest() {
        try (TopologyRig rig = new TopologyRig(dir, small(Encoding.AVRO, new Billing("billing"))).opened()) {
            rig.request(RichHistory.plain("r-1"));
            rig.answer("r-1", "a".repeat(SMALL));

            assertThat(rig.read(Topics.REJECTED_REQUESTS)).singleElement().satisfies(record -> {
                assertThat(record.path("reason").asText()).isEqualTo("TOO_LARGE");
                assertThat(record.path("source_topic").asText()).isEqualTo(Topics.MODEL_RESPONSES);
            });
            assertThat(rig.read(Topics.FAILED_REQUESTS)).singleElement().satisfies(failed -> {
                assertThat(failed.path("request_id").asText()).isEqualTo("r-1");
                assertThat(failed.path("detail").asText()).contains("record");
            });
            assertMovesOn(rig);
        }
    }

    /** An answer that cannot wait for its request is put aside; the request is called again. */
    @Test
    void anEarlyAnswerThatFitsNoRecordIsPutAside() {
        try (TopologyRig rig = new TopologyRig(dir, small(Encoding.AVRO, new Billing("billing"))).opened()) {
            rig.journal(TopologyRig.answered("r-1", 1, "a".repeat(SMALL)));
            assertThat(rig.read(Topics.REJECTED_REQUESTS)).singleElement().satisfies(record -> {
                assertThat(record.path("reason").asText()).isEqualTo("TOO_LARGE");
                assertThat(record.path("stage").asText()).isEqualTo("generate");
            });
            rig.request(RichHistory.plain("r-1"));
            assertThat(rig.gateway.calls).hasSize(1);
            assertMovesOn(rig);
        }
    }

    /** Told so much by a receiver that the state does not fit: a person is asked, instead of the effect for ever. */
    @Test
    void anOutcomeThatDoesNotFitHoldsItsRequest() {
        try (TopologyRig rig = new TopologyRig(dir, small(Encoding.AVRO, new Billing("billing"))).opened()) {
            rig.request(RichHistory.plain("r-1"));
            rig.answer("r-1", "{}");
            rig.pipe(Topics.EFFECT_OUTCOMES, Codecs.EFFECT_OUTCOME.encode(talkative("r-1:0.0")));

            assertThat(rig.read(Topics.REJECTED_REQUESTS)).singleElement().satisfies(record -> {
                assertThat(record.path("reason").asText()).isEqualTo("TOO_LARGE");
                assertThat(record.path("stage").asText()).isEqualTo("commit");
                assertThat(record.path("source_topic").asText()).isEqualTo(Topics.EFFECT_OUTCOMES);
                assertThat(record.path("original_value").asText()).isNotEmpty();
            });
            assertThat(rig.read(Topics.LIFECYCLE_EVENTS))
                    .extracting(event -> event.path("type").asText())
                    .contains("HELD");
            rig.command("r-1", Verb.CANCEL);
            rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
            assertThat(rig.read(Topics.FAILED_REQUESTS)).hasSize(1);
            assertMovesOn(rig);
        }
    }

    /** Control characters take six bytes each in JSON: the copy of the original is cut, or the stream would die of it. */
    @Test
    void aRejectionFitsItsTopicInJsonToo() {
        byte[] poison = new byte[900_000];
        Arrays.fill(poison, (byte) 1);
        TopologySettings standard = TopologySettings.defaults(Router.IN_PLACE);
        TopologySettings json = new TopologySettings(
                standard.router(),
                standard.timerInterval(),
                standard.timerBatch(),
                standard.commitSpacing(),
                standard.maxRecordBytes(),
                Encoding.JSON);
        try (TopologyRig rig = new TopologyRig(
                        dir, new TopologyRig.Setup(ProtocolSettings.defaults(), BillingPolicy.NONE, json, List.of()))
                .opened()) {
            rig.pipe(Topics.REQUESTS, poison);
            assertThat(rig.records(Topics.REJECTED_REQUESTS)).singleElement().satisfies(record -> {
                assertThat(record.value().length).isLessThanOrEqualTo(standard.maxRecordBytes());
                assertThat(new String(record.value(), StandardCharsets.UTF_8))
                        .contains("\"original_value_bytes\":900000");
            });
            assertMovesOn(rig);
        }
    }

    /** A request like any other is taken to its end after the poison. */
    private static void assertMovesOn(TopologyRig rig) {
        rig.request(RichHistory.plain("next"));
        rig.answer("next", "{}");
        rig.outcome("next:0.0", 1, Result.SUCCEEDED);
        assertThat(rig.records(Topics.COMMITTED_RESULTS))
                .as("the partition moves on")
                .singleElement()
                .satisfies(record -> assertThat(new String(record.key(), StandardCharsets.UTF_8))
                        .isEqualTo("next"));
    }

    private static EffectOutcome talkative(String effectId) {
        EffectOutcome plain = TopologyRig.outcomeOf(effectId, 1, Result.SUCCEEDED);
        return new EffectOutcome(
                EffectId.parse(effectId),
                1,
                plain.result(),
                plain.detail(),
                Optional.of("r".repeat(SMALL)),
                Optional.empty(),
                Optional.empty(),
                plain.at(),
                plain.requestReceivedAt(),
                false);
    }

    private static TopologyRig.Setup small(Encoding answers, BillingPolicy billing) {
        TopologySettings standard = TopologySettings.defaults(Router.IN_PLACE);
        return new TopologyRig.Setup(
                ProtocolSettings.defaults(),
                billing,
                new TopologySettings(
                        standard.router(),
                        standard.timerInterval(),
                        standard.timerBatch(),
                        standard.commitSpacing(),
                        SMALL,
                        answers),
                List.of());
    }

    /** The state has grown up to its record's limit, and holding it for a person takes more still: what was said is cut. */
    @Test
    void aStateAtItsLimitIsHeldAllTheSame() {
        try (TopologyRig rig = new TopologyRig(dir, small(Encoding.AVRO, new Billing("billing"))).opened()) {
            rig.request(RichHistory.plain("r-1"));
            rig.answer("r-1", "{}");
            int room = SMALL - 20 - stateSize(rig, "r-1");
            rig.pipe(Topics.EFFECT_OUTCOMES, retryable(1, "d".repeat(room)));
            assertThat(stateSize(rig, "r-1")).isBetween(SMALL - 50, SMALL);
            rig.advance(Duration.ofMinutes(1));

            rig.pipe(Topics.EFFECT_OUTCOMES, retryable(2, "d".repeat(SMALL)));
            assertThat(rig.read(Topics.LIFECYCLE_EVENTS))
                    .extracting(event -> event.path("type").asText())
                    .contains("HELD");
            assertThat(rig.read(Topics.REJECTED_REQUESTS)).hasSize(1);
            assertMovesOn(rig);
        }
    }

    /** What is accepted must still have room for what will be heard of its effects. */
    @Test
    void aDecisionThatLeavesItsStateNoRoomIsNotTaken() {
        try (TopologyRig rig = new TopologyRig(dir, small(Encoding.AVRO, new Billing("billing"))).opened()) {
            int held = 0;
            for (int size = 500; size < SMALL / 2; size += 20) {
                String id = "r-" + size;
                rig.request("{\"request_id\":\"" + id + "\",\"model\":\"m\",\"input\":\"x\",\"policy\":\"declared\","
                        + "\"effects\":[" + copying("a") + "," + copying("b") + "]}");
                rig.answer(id, "{\"text\":\"" + "t".repeat(size) + "\"}");
                held += stateSize(rig, id) > SMALL / 2 ? 1 : 0;
                assertThat(stateSize(rig, id)).isLessThanOrEqualTo(SMALL - SMALL / 8);
            }
            assertThat(held).as("some do fit").isPositive();
        }
    }

    /** An effect whose payload holds the answer. */
    private static String copying(String name) {
        return "{\"name\":\"" + name + "\",\"route\":\"signing\",\"stage\":0,\"payload\":{},"
                + "\"pointers\":{\"/document\":\"/text\"}}";
    }

    private static int stateSize(TopologyRig rig, String id) {
        KeyValueStore<Bytes, byte[]> requests = rig.driver().getKeyValueStore(Stores.REQUESTS_BY_ID);
        return requests.get(Keys.of(new RequestId(id))).length;
    }

    private static byte[] retryable(int attempt, String detail) {
        return Codecs.EFFECT_OUTCOME.encode(new EffectOutcome(
                EffectId.parse("r-1:0.0"),
                attempt,
                Result.RETRYABLE,
                detail,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                TopologyRig.START,
                TopologyRig.START,
                false));
    }
}
