package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.RequestId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StraightPathTest {
    private static final String PLAIN = """
            {"request_id":"r-1","model":"m","input":"hello"}""";
    private static final String SIGNED = """
            {"request_id":"r-1","model":"m","input":"hello","policy":"declared","effects":[
              {"name":"sign","route":"signing","stage":0,"payload":{"kind":"nda"},"pointers":{"/document":"/text"}},
              {"name":"notify","route":"notify","stage":1,"payload":{"to":"ops"}}]}""";
    private static final String ANSWER = """
            {"text":"a contract"}""";

    @TempDir
    Path stateDir;

    private TopologyRig rig;

    @BeforeEach
    void start() {
        rig = new TopologyRig(stateDir).opened();
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void aRequestIsAnsweredBilledAndCommittedOnce() {
        rig.request(PLAIN);
        assertThat(rig.gateway.calls).hasSize(1);

        rig.answer("r-1", ANSWER);
        assertThat(rig.read(Topics.COMMITTED_RESULTS))
                .as("billing is not confirmed yet")
                .isEmpty();
        assertThat(rig.read(Topics.EFFECTS))
                .singleElement()
                .satisfies(bill -> assertThat(bill.path("effect_id").asText()).isEqualTo("r-1:0.0"));

        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        assertThat(rig.read(Topics.COMMITTED_RESULTS))
                .singleElement()
                .satisfies(result ->
                        assertThat(result.at("/snapshot/answer/body").asText()).isEqualTo(ANSWER));
        assertThat(types(rig.read(Topics.LIFECYCLE_EVENTS)))
                .containsExactly("ACCEPTED", "DECIDED", "EFFECT_ISSUED", "EFFECT_OUTCOME", "COMMITTED");
    }

    @Test
    void stagesRunOneAfterTheOtherAndPayloadsAreFilledFromTheAnswer() {
        rig.request(SIGNED);
        rig.answer("r-1", ANSWER);
        List<ObjectNode> first = rig.read(Topics.EFFECTS);
        assertThat(ids(first)).containsExactly("r-1:0.0", "r-1:0.1");
        assertThat(first.get(1).path("payload").asText()).contains("\"document\":\"a contract\"");

        rig.outcome("r-1:0.1", 1, Result.SUCCEEDED);
        assertThat(ids(rig.read(Topics.EFFECTS))).containsExactly("r-1:0.2");
        rig.outcome("r-1:0.2", 1, Result.SUCCEEDED);
        assertThat(rig.read(Topics.COMMITTED_RESULTS)).isEmpty();
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        assertThat(rig.read(Topics.COMMITTED_RESULTS)).hasSize(1);
    }

    @Test
    void aDuplicateIsAnsweredWithTheStateAndLaterWithTheEnding() {
        rig.request(PLAIN);
        rig.request(PLAIN);
        assertThat(rig.read(Topics.DUPLICATE_REQUESTS))
                .singleElement()
                .satisfies(duplicate ->
                        assertThat(duplicate.path("status").asText()).isEqualTo("GENERATING"));
        rig.answer("r-1", ANSWER);
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        rig.request(PLAIN);
        assertThat(rig.read(Topics.DUPLICATE_REQUESTS))
                .singleElement()
                .satisfies(duplicate -> assertThat(
                                duplicate.at("/committed/snapshot/answer/body").asText())
                        .isEqualTo(ANSWER));
        assertThat(rig.read(Topics.COMMITTED_RESULTS)).hasSize(1);
        assertThat(rig.gateway.calls).hasSize(1);
    }

    @Test
    void otherContentUnderAKnownIdIsAConflictWithBothFingerprints() {
        rig.request(PLAIN);
        rig.request(PLAIN.replace("hello", "other"));
        assertThat(rig.read(Topics.REJECTED_REQUESTS)).singleElement().satisfies(rejected -> {
            assertThat(rejected.path("reason").asText()).isEqualTo("CONFLICT");
            assertThat(rejected.path("fingerprint").asText())
                    .hasSize(64)
                    .isNotEqualTo(rejected.path("known_fingerprint").asText());
        });
    }

    @Test
    void garbageIsRejectedWithItsBytesAndThePartitionMovesOn() {
        rig.request("not a request");
        rig.request(PLAIN);
        assertThat(rig.read(Topics.REJECTED_REQUESTS)).singleElement().satisfies(rejected -> {
            assertThat(rejected.path("reason").asText()).isEqualTo("MALFORMED");
            assertThat(rejected.path("original_value").asText()).isEqualTo("not a request");
        });
        assertThat(rig.gateway.calls).hasSize(1);
    }

    @Test
    void garbageOnTheFeedbackTopicsIsRejectedToo() {
        rig.pipe(Topics.MODEL_RESPONSES, "x".getBytes(StandardCharsets.UTF_8));
        rig.pipe(Topics.EFFECT_OUTCOMES, "y".getBytes(StandardCharsets.UTF_8));
        rig.pipe(Topics.COMMANDS, "z".getBytes(StandardCharsets.UTF_8));
        assertThat(rig.read(Topics.REJECTED_REQUESTS))
                .extracting(rejected -> rejected.path("stage").asText())
                .containsExactly("generate", "commit", "operate");
    }

    @Test
    void theFirstAnswerWinsAndALateOneChangesNothing() {
        rig.request(PLAIN);
        rig.answer("r-1", ANSWER);
        rig.journal(TopologyRig.answered("r-1", 2, "{\"text\":\"another\"}"));
        assertThat(rig.read(Topics.SNAPSHOTS)).hasSize(1);
    }

    @Test
    void theAnswerOfAnEarlierAttemptWinsAndTheRunningCallIsGivenUp() {
        rig.request("{\"request_id\":\"r-1\",\"model\":\"m\",\"input\":\"hello\"}");
        rig.advance(Duration.ofMinutes(3));
        rig.advance(Duration.ofMillis(50));
        assertThat(rig.gateway.calls).as("no result by the deadline").hasSize(2);
        rig.journal(TopologyRig.answered("r-1", 1, "{}"));

        assertThat(rig.gateway.cancelled).containsExactly(new RequestId("r-1"));
        assertThat(rig.read(Topics.SNAPSHOTS)).hasSize(1);
    }

    @Test
    void anAnswerThatComesBeforeItsRequestIsKeptForIt() {
        rig.journal(TopologyRig.answered("r-1", 1, ANSWER));
        rig.request(PLAIN);
        assertThat(rig.gateway.calls).as("the paid answer is used").isEmpty();
        assertThat(rig.read(Topics.SNAPSHOTS)).hasSize(1);
    }

    @Test
    void aRetryableErrorIsTriedAgainAfterItsBackoff() {
        rig.request(PLAIN);
        rig.journal(failed(1, CallError.Kind.RETRYABLE, Optional.of(Duration.ofSeconds(3))));
        rig.advance(Duration.ofSeconds(2));
        assertThat(rig.gateway.calls).hasSize(1);
        rig.advance(Duration.ofSeconds(2));
        assertThat(rig.gateway.calls).hasSize(2);
        assertThat(rig.gateway.calls.get(1).attempt()).isEqualTo(2);
    }

    @Test
    void aRejectedCallFailsTheRequest() {
        rig.request(PLAIN);
        rig.journal(failed(1, CallError.Kind.REJECTED, Optional.empty()));
        assertThat(rig.read(Topics.FAILED_REQUESTS))
                .singleElement()
                .satisfies(failed -> assertThat(failed.path("reason").asText()).isEqualTo("MODEL_REJECTED"));
    }

    @Test
    void nothingIsDispatchedBeforeTheBarrierIsRead() {
        rig.close();
        rig = new TopologyRig(stateDir.resolve("fresh"));
        rig.request(PLAIN);
        rig.advance(Duration.ofSeconds(1));
        assertThat(rig.gateway.calls).isEmpty();
        rig.opened();
        assertThat(rig.gateway.calls).hasSize(1);
    }

    @Test
    void requestsWaitForSlotsInArrivalOrder() {
        rig.gateway.slots = 1;
        for (int i = 1; i <= 3; i++) {
            rig.request(PLAIN.replace("r-1", "r-" + i));
        }
        assertThat(rig.gateway.calls).hasSize(1);
        rig.gateway.slots = 1;
        rig.answer("r-1", ANSWER);
        rig.gateway.slots = 1;
        rig.answer("r-2", ANSWER);
        assertThat(rig.gateway.calls).extracting(call -> call.id().value()).containsExactly("r-1", "r-2", "r-3");
    }

    @Test
    void aMisplacedRequestIsReroutedAndKeepsItsFirstPosition() {
        rig.close();
        rig = new TopologyRig(
                        stateDir.resolve("routed"),
                        ProtocolSettings.defaults(),
                        BillingPolicy.NONE,
                        (id, partition) -> false,
                        List.of())
                .opened();
        rig.request(PLAIN);
        TestRecord<byte[], byte[]> rerouted =
                rig.records(Topics.REQUESTS_REROUTED).getFirst();
        assertThat(rerouted.key()).isEqualTo("r-1".getBytes(StandardCharsets.UTF_8));
        rig.pipe(Topics.REQUESTS_REROUTED, rerouted);
        rig.answer("r-1", ANSWER);
        assertThat(rig.read(Topics.COMMITTED_RESULTS)).singleElement().satisfies(result -> {
            assertThat(result.path("source_topic").asText()).isEqualTo(Topics.REQUESTS);
            assertThat(result.path("source_offset").asLong()).isZero();
        });
    }

    @Test
    void answersAreWrittenAsJsonWhereTheConfigurationSaysSo() {
        rig.close();
        TopologySettings standard = TopologySettings.defaults(Router.IN_PLACE);
        rig = new TopologyRig(
                        stateDir.resolve("json"),
                        ProtocolSettings.defaults(),
                        BillingPolicy.NONE,
                        new TopologySettings(
                                standard.router(),
                                standard.timerInterval(),
                                standard.timerBatch(),
                                standard.commitSpacing(),
                                standard.maxRecordBytes(),
                                TopologySettings.Encoding.JSON),
                        List.of())
                .opened();
        rig.request(PLAIN);
        rig.request("no request");
        rig.answer("r-1", ANSWER);
        for (String topic : List.of(Topics.COMMITTED_RESULTS, Topics.REJECTED_REQUESTS)) {
            assertThat(rig.records(topic))
                    .singleElement()
                    .satisfies(record -> assertThat(new String(record.value(), StandardCharsets.UTF_8))
                            .startsWith("{")
                            .endsWith("}"));
        }
        assertThat(rig.records(Topics.SNAPSHOTS))
                .singleElement()
                .satisfies(record -> assertThat(record.value()[0]).isEqualTo((byte) 0xC3));
    }

    @Test
    void aRequestWithoutEffectsCostsAtMostSixChangelogAndFiveOutputRecords() {
        rig.close();
        rig = new TopologyRig(
                        stateDir.resolve("counted"),
                        ProtocolSettings.defaults(),
                        BillingPolicy.NONE,
                        Router.IN_PLACE,
                        List.of())
                .opened();
        rig.request(PLAIN);
        rig.answer("r-1", ANSWER);
        long outputs = Topics.OUTPUTS.stream()
                .mapToLong(topic -> rig.records(topic).size())
                .sum();
        long changelog = Stores.ALL.stream()
                .mapToLong(store -> rig.records("rig-" + store + "-changelog").size())
                .sum();
        assertThat(outputs).isLessThanOrEqualTo(5);
        assertThat(changelog).isPositive().isLessThanOrEqualTo(6);
    }

    private static JournalRecord failed(int attempt, CallError.Kind kind, Optional<Duration> retryAfter) {
        return new JournalRecord.CallFailed(
                new RequestId("r-1"),
                0,
                attempt,
                TopologyRig.START,
                new CallError(kind, "test", retryAfter),
                TopologyRig.START);
    }

    private static List<String> types(List<ObjectNode> events) {
        return events.stream().map(event -> event.path("type").asText()).toList();
    }

    private static List<String> ids(List<ObjectNode> effects) {
        return effects.stream().map(effect -> effect.path("effect_id").asText()).toList();
    }
}
