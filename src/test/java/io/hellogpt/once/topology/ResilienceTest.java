package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Generate;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestIdFormat;
import io.hellogpt.once.core.RetryPolicy;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.RequestDecoder;
import io.hellogpt.once.topology.policy.Billing;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What must not stop a partition, lose a slot or repeat a call, whatever a record, a policy or a revived task brings. */
class ResilienceTest {
    private static final String PLAIN = "{\"request_id\":\"r-1\",\"model\":\"m\",\"input\":\"hello\"}";
    private static final String ANSWER = "{\"text\":\"a contract\"}";

    @TempDir
    Path stateDir;

    /** Streams revives a corrupted task with the same processor objects; init must shut the gate again. */
    @Test
    void aRevivedTaskDispatchesNothingBeforeItsNewBarrier() {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "mock");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:9092");
        var context = new MockProcessorContext<byte[], Object>(config, new TaskId(0, 0), stateDir.toFile());
        stores(context);
        context.setCurrentSystemTimeMs(TopologyRig.START.toEpochMilli());
        context.setCurrentStreamTimeMs(TopologyRig.START.toEpochMilli());
        var gateway = new TopologyRig.ManualGateway();
        var parts = new OnceTopology.Parts(
                TopologySettings.defaults(Router.IN_PLACE),
                new RequestDecoder(RequestIdFormat.DEFAULT, 1_000_000, Optional.empty()),
                gateway,
                FactObserver.NONE);
        var generate = new GenerateProcessor(
                parts,
                new Generate(ProtocolSettings.defaults()),
                new io.hellogpt.once.core.Rescue(ProtocolSettings.defaults()));
        generate.init(context);
        context.setRecordMetadata(Topics.MODEL_RESPONSES, 0, 0);
        generate.process(journaled(new JournalRecord.Barrier(gateway.barrier)));
        generate.close();

        generate.init(context);
        var received = new io.hellogpt.once.core.ReceivedRequest(
                ((io.hellogpt.once.schema.Decoded.Request) parts.decoder().decode(PLAIN.getBytes())).request(),
                ((io.hellogpt.once.schema.Decoded.Request) parts.decoder().decode(PLAIN.getBytes())).fingerprint(),
                new io.hellogpt.once.core.SourcePosition(Topics.REQUESTS, 0, 7),
                TopologyRig.START);
        var receive = new io.hellogpt.once.core.Receive(ProtocolSettings.defaults(), name -> true);
        var accepted = (io.hellogpt.once.core.Receive.Reception.Accepted) receive.receive(
                TaskStores.of(context, new DueTimes()),
                received,
                new io.hellogpt.once.core.Moment(TopologyRig.START, TopologyRig.START));
        context.setRecordMetadata(Topics.REQUESTS, 0, 7);
        generate.process(new Record<>(new byte[] {1}, new Message.Accepted(accepted.state(), Original.NONE), 0));

        assertThat(gateway.calls)
                .as("dispatched before the second barrier was read")
                .isEmpty();
    }

    /** What a closed task had scheduled must not go on beside what the revived one schedules. */
    @Test
    void aRevivedTaskLeavesNoPunctuationOfItsFormerLife() {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "mock");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:9092");
        var context = new MockProcessorContext<byte[], Object>(config, new TaskId(0, 0), stateDir.toFile());
        context.setCurrentSystemTimeMs(TopologyRig.START.toEpochMilli());
        stores(context);
        var timers = new TimersProcessor(new OnceTopology.Parts(
                TopologySettings.defaults(Router.IN_PLACE),
                new RequestDecoder(RequestIdFormat.DEFAULT, 1_000_000, Optional.empty()),
                new TopologyRig.ManualGateway(),
                FactObserver.NONE));
        timers.init(context);
        var first = List.copyOf(context.scheduledPunctuators());
        timers.close();
        timers.init(context);

        assertThat(first).as("the timers' and the commits'").hasSize(2).allMatch(look -> look.cancelled());
        assertThat(context.scheduledPunctuators())
                .filteredOn(look -> !look.cancelled())
                .hasSize(2);
    }

    private static void stores(MockProcessorContext<byte[], Object> context) {
        for (String name : Stores.ALL) {
            KeyValueStore<Bytes, byte[]> store = org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
                            org.apache.kafka.streams.state.Stores.inMemoryKeyValueStore(name),
                            Serdes.Bytes(),
                            Serdes.ByteArray())
                    .withLoggingDisabled()
                    .build();
            store.init(context.getStateStoreContext(), store);
            context.getStateStoreContext().register(store, null);
        }
    }

    private static Record<byte[], Message> journaled(JournalRecord record) {
        return new Record<>(null, new Message.Raw(Codecs.JOURNAL.encode(record)), 0);
    }

    /** The error of a dispatch that was aborted is read before the barrier; it counts, or the next start waits for it. */
    @Test
    void anErrorOfAnUncommittedDispatchCountsAsThatAttempt() {
        try (TopologyRig rig = new TopologyRig(stateDir)) {
            rig.request(PLAIN);
            rig.journal(failed(1));
            rig.opened();
            rig.advance(Duration.ofMinutes(1).plusSeconds(1));
            assertThat(rig.gateway.calls)
                    .singleElement()
                    .satisfies(call -> assertThat(call.attempt())
                            .as("attempt 1 is journaled: its JVM's registry starts it no more")
                            .isEqualTo(2));
        }
    }

    private static JournalRecord.CallFailed failed(int attempt) {
        return new JournalRecord.CallFailed(
                new RequestId("r-1"),
                0,
                attempt,
                TopologyRig.START,
                new CallError(CallError.Kind.RETRYABLE, "refused", Optional.empty()),
                TopologyRig.START);
    }

    /** After a downtime longer than a call, the deadline fires before the journal is read. */
    @Test
    void aCallDeadlineDoesNotFailARequestWhoseAnswerIsInTheJournalUnread() {
        ProtocolSettings standard = ProtocolSettings.defaults();
        ProtocolSettings once = new ProtocolSettings(
                standard.dedupRetention(),
                standard.callTimeout(),
                new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(1), 1),
                standard.effects(),
                standard.outcomeTimeout(),
                standard.holdTimeout(),
                standard.stashRetention(),
                standard.snapshotMaxBytes());
        try (TopologyRig rig = new TopologyRig(stateDir, once, BillingPolicy.NONE, Router.IN_PLACE, List.of())) {
            rig.journal(new JournalRecord.Handover(
                    "other",
                    List.of(new JournalRecord.RunningCall(
                            new RequestId("r-1"), 1, TopologyRig.START.plus(Duration.ofMinutes(2))))));
            rig.request(PLAIN);
            // GENERATING, this start's barrier unread; the answer stands in the journal behind it.
            rig.advance(Duration.ofMinutes(3));
            rig.journal(TopologyRig.answered("r-1", 1, ANSWER));
            rig.opened();
            assertThat(rig.read(Topics.FAILED_REQUESTS)).isEmpty();
            assertThat(rig.read(Topics.COMMITTED_RESULTS)).hasSize(1);
        }
    }

    /** The transaction that accepted and dispatched it was aborted; its answer is read before the request is read again. */
    @Test
    void aRequestWhoseAnswerWasThereFirstIsAcceptedInTheAuditLogLikeAnyOther() {
        try (TopologyRig rig = new TopologyRig(stateDir)) {
            rig.opened();
            rig.journal(TopologyRig.answered("r-1", 1, ANSWER));
            rig.request(PLAIN);

            assertThat(rig.read(Topics.LIFECYCLE_EVENTS))
                    .extracting(event -> event.path("type").asText() + " from "
                            + event.path("from").asText("nothing"))
                    .startsWith("ACCEPTED from nothing", "DECIDED from PENDING");
            assertThat(rig.gateway.calls).as("it is paid for already").isEmpty();
        }
    }

    @Test
    void aRequestWhoseErrorWasThereFirstIsAcceptedInTheAuditLogLikeAnyOther() {
        try (TopologyRig rig = new TopologyRig(stateDir)) {
            rig.opened();
            rig.journal(failed(1));
            rig.request(PLAIN);

            assertThat(rig.read(Topics.LIFECYCLE_EVENTS))
                    .extracting(event -> event.path("type").asText() + " from "
                            + event.path("from").asText("nothing"))
                    .startsWith("ACCEPTED from nothing", "CALL_FAILED from PENDING");
        }
    }

    /** A decision that does not fit ends an accepted request; it does not make it pay for the answer again and again. */
    @Test
    void aPlanThatDoesNotFitEndsTheRequest() {
        StringBuilder effects = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            effects.append(i == 0 ? "" : ",")
                    .append("{\"name\":\"e" + i + "\",\"route\":\"signing\",\"stage\":0,\"payload\":{},"
                            + "\"pointers\":{\"/document\":\"/text\"}}");
        }
        String request = "{\"request_id\":\"r-1\",\"model\":\"m\",\"input\":\"x\",\"policy\":\"declared\",\"effects\":["
                + effects + "]}";
        try (TopologyRig rig = new TopologyRig(stateDir)) {
            rig.opened();
            rig.request(request);
            rig.answer("r-1", "{\"text\":\"" + "a".repeat(300_000) + "\"}");
            rig.advance(Duration.ofMinutes(3));
            assertThat(rig.gateway.calls).as("paid calls").hasSize(1);
            assertThat(rig.read(Topics.EFFECTS))
                    .as("the answer is billed, and nothing else is done with it")
                    .singleElement()
                    .satisfies(effect ->
                            assertThat(effect.path("effect_id").asText()).isEqualTo("r-1:0.0"));
            rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
            assertThat(rig.read(Topics.FAILED_REQUESTS)).as("an ending").hasSize(1);
        }
    }

    /** Dispatch or enqueue that does not fit is the record's fault, not the stream thread's, and keeps no slot. */
    @Test
    void aStateThatDoesNotFitIsRejectedAndKeepsNoSlot() {
        TopologySettings standard = TopologySettings.defaults(Router.IN_PLACE);
        TopologySettings small = new TopologySettings(
                standard.router(),
                standard.timerInterval(),
                standard.timerBatch(),
                standard.commitSpacing(),
                400,
                standard.answers());
        try (TopologyRig rig =
                new TopologyRig(stateDir, ProtocolSettings.defaults(), BillingPolicy.NONE, small, List.of())) {
            rig.opened();
            rig.advance(Duration.ofSeconds(1));
            rig.gateway.slots = 1;
            assertThatCode(() -> rig.request(PLAIN.replace("hello", "h".repeat(1_000))))
                    .doesNotThrowAnyException();
        }
    }

    /** A policy's null is a broken policy, not a dead stream thread. */
    @Test
    void aPolicyThatGivesNullHoldsTheRequest() {
        DecisionPolicy nothing = new DecisionPolicy() {
            @Override
            public String name() {
                return "nothing";
            }

            @Override
            public Decision decide(ModelRequest request, Snapshot snapshot) {
                return null;
            }
        };
        try (TopologyRig rig = new TopologyRig(
                stateDir, ProtocolSettings.defaults(), new Billing("billing"), Router.IN_PLACE, List.of(nothing))) {
            rig.opened();
            rig.request("{\"request_id\":\"r-1\",\"model\":\"m\",\"input\":\"x\",\"policy\":\"nothing\"}");
            assertThatCode(() -> rig.answer("r-1", ANSWER)).doesNotThrowAnyException();
        }
    }

    /** The window counts from the end, also when nothing else came in while the request was open. */
    @Test
    void anIdIsNotForgottenBeforeTheWindowAfterItsEnd() {
        ProtocolSettings standard = ProtocolSettings.defaults();
        ProtocolSettings patient = new ProtocolSettings(
                standard.dedupRetention(),
                standard.callTimeout(),
                standard.calls(),
                standard.effects(),
                Duration.ofDays(30),
                standard.holdTimeout(),
                standard.stashRetention(),
                standard.snapshotMaxBytes());
        try (TopologyRig rig = new TopologyRig(stateDir, patient, new Billing("billing"), Router.IN_PLACE, List.of())) {
            rig.opened();
            rig.request(PLAIN);
            rig.answer("r-1", ANSWER);
            rig.advance(Duration.ofDays(6));
            rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
            assertThat(rig.read(Topics.COMMITTED_RESULTS)).hasSize(1);

            // A day after its end.
            Instant later = TopologyRig.START.plus(Duration.ofDays(7)).plusSeconds(1);
            rig.advance(Duration.ofDays(1));
            rig.raw(PLAIN.replace("r-1", "r-2").getBytes(), later);
            rig.advance(Duration.ofSeconds(1));
            rig.raw(PLAIN.getBytes(), later.plusSeconds(1));
            assertThat(rig.read(Topics.DUPLICATE_REQUESTS)).hasSize(1);
            assertThat(rig.gateway.calls.stream()
                            .filter(call -> call.id().value().equals("r-1")))
                    .hasSize(1);
        }
    }

    /** A slot whose dispatch fails half-way is given back; a leaked half-open pass stops dispatch for good. */
    @Test
    void aDispatchThatFailsGivesItsSlotBack() {
        TopologySettings standard = TopologySettings.defaults(Router.IN_PLACE);
        TopologySettings small = new TopologySettings(
                standard.router(),
                standard.timerInterval(),
                standard.timerBatch(),
                standard.commitSpacing(),
                400,
                standard.answers());
        TopologyRig rig = new TopologyRig(stateDir, ProtocolSettings.defaults(), BillingPolicy.NONE, small, List.of());
        rig.opened();
        rig.advance(Duration.ofSeconds(1));
        rig.gateway.slots = 1;
        org.assertj.core.api.Assertions.catchThrowable(() -> rig.request(PLAIN.replace("hello", "h".repeat(1_000))));
        assertThat(rig.gateway.slots).isEqualTo(1);
    }

    /** A timer of the commit stage fires outside any record. */
    @Test
    void anEffectThatIsDueAgainIsIssuedAgain() {
        try (TopologyRig rig = new TopologyRig(stateDir)) {
            rig.opened();
            rig.request(PLAIN);
            rig.answer("r-1", ANSWER);
            rig.outcome("r-1:0.0", 1, Result.RETRYABLE);
            rig.advance(Duration.ofMinutes(1));
            assertThat(rig.read(Topics.EFFECTS)).hasSize(2);
        }
    }

    /** The same for the request's own deadline. */
    @Test
    void aHeldRequestIsReportedAgain() {
        try (TopologyRig rig = new TopologyRig(stateDir)) {
            rig.opened();
            rig.request(PLAIN.replace("}", ",\"deadline\":\"2026-01-01T00:01:00Z\"}"));
            rig.answer("r-1", ANSWER);
            rig.advance(Duration.ofMinutes(2));
            assertThat(rig.read(Topics.LIFECYCLE_EVENTS))
                    .extracting(event -> event.path("type").asText())
                    .contains("COMPENSATING");
        }
    }

    /** The same, when the answer was there first: the request is accepted or rejected, and not both. */
    @Test
    void aPlanThatDoesNotFitARequestAnsweredBeforeIsNotAlsoRejected() {
        StringBuilder effects = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            effects.append(i == 0 ? "" : ",")
                    .append("{\"name\":\"e" + i + "\",\"route\":\"signing\",\"stage\":0,\"payload\":{},"
                            + "\"pointers\":{\"/document\":\"/text\"}}");
        }
        String request = "{\"request_id\":\"r-1\",\"model\":\"m\",\"input\":\"x\",\"policy\":\"declared\",\"effects\":["
                + effects + "]}";
        try (TopologyRig rig = new TopologyRig(stateDir)) {
            rig.opened();
            rig.journal(TopologyRig.answered("r-1", 1, "{\"text\":\"" + "a".repeat(300_000) + "\"}"));
            rig.request(request);

            assertThat(rig.read(Topics.LIFECYCLE_EVENTS))
                    .extracting(event -> event.path("type").asText())
                    .containsOnlyOnce("ACCEPTED");
            assertThat(rig.read(Topics.REJECTED_REQUESTS)).isEmpty();
            rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
            assertThat(rig.read(Topics.FAILED_REQUESTS)).as("an ending").hasSize(1);
        }
    }
}
