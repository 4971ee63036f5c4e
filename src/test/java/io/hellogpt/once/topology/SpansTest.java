package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.TraceContext;
import io.hellogpt.once.ops.tracing.Collector;
import io.hellogpt.once.ops.tracing.Tracing;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the real topology's work looks like as spans, as a collector receives them. */
class SpansTest {
    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CALLER = "00f067aa0ba902b7";
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    Path dir;

    private Collector collector;
    private TopologyRig rig;

    @BeforeEach
    void start() throws Exception {
        collector = new Collector();
        rig = new TopologyRig(dir).opened();
    }

    @AfterEach
    void stop() {
        rig.close();
        collector.close();
    }

    @Test
    void aRequestIsASpanBelowItsCallersWithAChildForEachThingDone() {
        send("01");
        rig.pipe(
                Topics.MODEL_RESPONSES,
                io.hellogpt.once.schema.Codecs.JOURNAL.encode(
                        RichHistory.failed("r-1", 1, CallError.Kind.RETRYABLE, TopologyRig.START)));
        rig.advance(MINUTE);
        rig.answer("r-1", "{}");
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        rig.outcome("r-1:0.1", 1, Result.RETRYABLE);
        rig.advance(MINUTE);
        rig.outcome("r-1:0.1", 2, Result.SUCCEEDED);
        export(1);

        List<Collector.Told> spans = collector.of(TRACE_ID);
        assertThat(spans)
                .extracting(Collector.Told::name)
                .containsExactlyInAnyOrder(
                        "receive",
                        "chat m",
                        "chat m",
                        "decide",
                        "effect billing",
                        "effect sign",
                        "effect sign",
                        "commit",
                        "request");
        Collector.Told request = named(spans, "request").getFirst();
        assertThat(request.parent()).isEqualTo(CALLER);
        assertThat(request.about()).containsEntry("once.request_id", "r-1").containsEntry("once.ending", "committed");
        assertThat(request.from()).isEqualTo(TopologyRig.START);
        assertThat(spans)
                .filteredOn(span -> span != request)
                .extracting(Collector.Told::parent)
                .containsOnly(request.id());
        assertThat(spans).extracting(Collector.Told::id).doesNotHaveDuplicates();
        assertThat(spans).extracting(Collector.Told::service).containsOnly("once-test");
    }

    @Test
    void attemptsTellHowTheyEndedAndHowLongTheyTook() {
        send("01");
        rig.pipe(
                Topics.MODEL_RESPONSES,
                io.hellogpt.once.schema.Codecs.JOURNAL.encode(
                        RichHistory.failed("r-1", 1, CallError.Kind.RETRYABLE, TopologyRig.START)));
        rig.advance(MINUTE);
        rig.answer("r-1", "{}");
        rig.advance(Duration.ofSeconds(3));
        rig.outcome("r-1:0.1", 1, Result.UNKNOWN);
        export(1);

        List<Collector.Told> spans = collector.of(TRACE_ID);
        assertThat(named(spans, "chat m"))
                .extracting(Collector.Told::error)
                .containsExactlyInAnyOrder("call_failed", "");
        assertThat(named(spans, "chat m"))
                .filteredOn(span -> span.error().isEmpty())
                .singleElement()
                .satisfies(span -> assertThat(span.about())
                        .containsEntry("gen_ai.usage.output_tokens", "4")
                        .containsEntry("once.attempt", "2"));
        assertThat(named(spans, "effect sign")).singleElement().satisfies(span -> {
            assertThat(span.error()).isEqualTo("unknown");
            assertThat(span.about()).containsEntry("once.effect_id", "r-1:0.1");
            assertThat(Duration.between(span.from(), span.to())).isEqualTo(Duration.ofSeconds(3));
        });
        assertThat(named(spans, "request")).as("it has not ended").isEmpty();
    }

    /** The receiver goes on below the span it was told of, whichever instance tells of that span later. */
    @Test
    void theIdsAreThoseThatWereHandedOn() {
        send("01");
        rig.answer("r-1", "{}");
        rig.outcome("r-1:0.1", 1, Result.SUCCEEDED);
        export(1);

        OwnSpans traces = new OwnSpans(1);
        List<String> handedOn = new ArrayList<>();
        for (Fact fact : rig.facts) {
            switch (fact) {
                case Fact.StartCall(var call) -> handedOn.add(spanId(traces.of(call)));
                case Fact.IssueEffect(var effect)
                when effect.id().step() == 1 -> handedOn.add(spanId(traces.of(effect)));
                default -> {}
            }
        }
        List<Collector.Told> spans = collector.of(TRACE_ID);
        assertThat(handedOn)
                .containsExactly(
                        named(spans, "chat m").getFirst().id(),
                        named(spans, "effect sign").getFirst().id());
    }

    @Test
    void whatIsDoneAgainAfterACrashIsTheSameSpans() {
        send("01");
        rig.answer("r-1", "{}");
        export(1);
        Set<String> once = ids();

        export(1);

        assertThat(collector.of(TRACE_ID)).hasSize(2 * once.size());
        assertThat(ids()).isEqualTo(once);
    }

    @Test
    void aRequestThatFailsSaysWhy() {
        send("01");
        rig.pipe(
                Topics.MODEL_RESPONSES,
                io.hellogpt.once.schema.Codecs.JOURNAL.encode(
                        RichHistory.failed("r-1", 1, CallError.Kind.REJECTED, TopologyRig.START)));
        export(1);

        assertThat(named(collector.of(TRACE_ID), "request")).singleElement().satisfies(span -> {
            assertThat(span.about()).containsEntry("once.ending", "failed");
            assertThat(span.error()).isNotEmpty();
        });
    }

    @Test
    void whatTheCallerDoesNotRecordIsNotTold() {
        send("00");
        rig.answer("r-1", "{}");
        export(1);

        assertThat(collector.all()).isEmpty();
    }

    @Test
    void aRequestWithoutATraceIsTheFirstSpanOfItsOwn() {
        rig.request(RichHistory.plain("r-1"));
        rig.answer("r-1", "{}");
        rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
        export(0);
        assertThat(collector.all()).isEmpty();

        export(1);

        assertThat(collector.all())
                .extracting(Collector.Told::traceId)
                .doesNotContain(TRACE_ID)
                .containsOnly(collector.all().getFirst().traceId());
        assertThat(named(collector.all(), "request"))
                .singleElement()
                .satisfies(span -> assertThat(span.parent()).isEmpty());
    }

    @Test
    void noContentGoesIntoSpans() {
        send("01");
        rig.answer("r-1", "{\"secret\":\"answer-41\"}");
        rig.outcome("r-1:0.1", 1, Result.FAILED);
        export(1);

        assertThat(collector.all().toString()).doesNotContain("answer-41", "prompt-17", "payload-23");
    }

    private void send(String flags) {
        byte[] request = """
                {"request_id":"r-1","model":"m","input":"prompt-17","policy":"declared",
                 "effects":[{"name":"sign","route":"sign","payload":{"to":"payload-23"}}]}""".getBytes(StandardCharsets.UTF_8);
        TraceContext caller = new TraceContext("00-" + TRACE_ID + "-" + CALLER + "-" + flags, Optional.empty());
        rig.pipe(Topics.REQUESTS, new TestRecord<>(null, request, Headers.of(Optional.of(caller)), TopologyRig.START));
    }

    /** Tells of all that was done so far, as an instance does; a step ends with its state. */
    private void export(double ratio) {
        try (Tracing tracing = Tracing.to(
                collector.endpoint(),
                ratio,
                ProtocolSettings.defaults().outcomeTimeout(),
                Map.of("service.name", "once-test"))) {
            FactObserver observer = tracing.beside(FactObserver.NONE);
            List<Fact> step = new ArrayList<>();
            for (Fact fact : rig.facts) {
                step.add(fact);
                if (fact instanceof Fact.Save) {
                    observer.appliedTogether(List.copyOf(step));
                    step.clear();
                }
            }
        }
    }

    private Set<String> ids() {
        return collector.of(TRACE_ID).stream().map(Collector.Told::id).collect(Collectors.toSet());
    }

    private static List<Collector.Told> named(List<Collector.Told> spans, String name) {
        return spans.stream().filter(span -> span.name().equals(name)).toList();
    }

    private static String spanId(Optional<TraceContext> trace) {
        return trace.orElseThrow().spanId();
    }
}
