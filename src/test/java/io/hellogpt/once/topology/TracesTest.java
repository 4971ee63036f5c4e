package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.TraceContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a request's trace goes, and how spans get their ids. */
class TracesTest {
    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final TraceContext SENDER =
            new TraceContext("00-" + TRACE_ID + "-00f067aa0ba902b7-01", Optional.of("congo=t61rcWkgMzE"));
    private static final TraceContext UNSAMPLED =
            new TraceContext("00-" + TRACE_ID + "-00f067aa0ba902b7-00", Optional.empty());

    @TempDir
    Path dir;

    @Test
    void theSendersTraceGoesToTheModelTheReceiverAndWhoeverReadsTheEnding() {
        try (TopologyRig rig = rig(Router.IN_PLACE)) {
            send(rig, SENDER);
            rig.answer("r-1", "{}");
            rig.outcome("r-1:0.1", 1, Result.RETRYABLE);
            rig.advance(java.time.Duration.ofMinutes(1));
            rig.outcome("r-1:0.1", 2, Result.SUCCEEDED);

            assertThat(rig.gateway.calls).extracting(ModelCall::trace).containsExactly(Optional.of(SENDER));
            assertThat(rig.records(Topics.EFFECTS)).hasSize(2).allSatisfy(TracesTest::assertSenders);
            assertThat(rig.records(Topics.COMMITTED_RESULTS)).hasSize(1).allSatisfy(TracesTest::assertSenders);
            assertThat(rig.records(Topics.SNAPSHOTS))
                    .hasSize(1)
                    .allSatisfy(record -> assertThat(record.headers()).isEmpty());
        }
    }

    /** It comes back with the copy, and in the state of the request: what a task restores from is all that the next one has. */
    @Test
    void theTraceOfAMisplacedRequestIsNotLost() {
        TestRecord<byte[], byte[]> copy;
        try (TopologyRig rig = rig((id, partition) -> false)) {
            send(rig, SENDER);
            copy = rig.records(Topics.REQUESTS_REROUTED).getFirst();
        }
        try (TopologyRig rig = rig((id, partition) -> false)) {
            rig.pipe(Topics.REQUESTS_REROUTED, copy);

            assertThat(rig.gateway.calls).extracting(ModelCall::trace).containsExactly(Optional.of(SENDER));
        }
    }

    @Test
    void aRequestWithoutATraceGetsNone() {
        try (TopologyRig rig = rig(Router.IN_PLACE)) {
            RecordHeaders broken = new RecordHeaders();
            broken.add("traceparent", "none".getBytes(StandardCharsets.UTF_8));
            broken.add("tracestate", "congo=t61rcWkgMzE".getBytes(StandardCharsets.UTF_8));
            send(rig, broken);
            rig.answer("r-1", "{}");

            assertThat(rig.gateway.calls).extracting(ModelCall::trace).containsExactly(Optional.empty());
            assertThat(rig.records(Topics.EFFECTS))
                    .hasSize(1)
                    .allSatisfy(record -> assertThat(record.headers()).isEmpty());
        }
    }

    @Test
    void ofTwoCopiesTheFirstOnesTraceCounts() {
        try (TopologyRig rig = rig(Router.IN_PLACE)) {
            send(rig, SENDER);
            send(rig, UNSAMPLED);
            rig.answer("r-1", "{}");

            assertThat(rig.records(Topics.EFFECTS)).hasSize(1).allSatisfy(TracesTest::assertSenders);
        }
    }

    @Test
    void spansOfOurOwnAreTheSameWheneverTheyAreNamed() {
        Traces traces = new OwnSpans(1);
        Identity request = request("r-1", Optional.of(SENDER));

        TraceContext own = traces.of(request).orElseThrow();

        assertThat(own.traceId()).isEqualTo(TRACE_ID);
        assertThat(own.tracestate()).isEqualTo(SENDER.tracestate());
        assertThat(own.spanId())
                .isNotEqualTo(SENDER.spanId())
                .isEqualTo(OwnSpans.spanId(request, OwnSpans.request()))
                .isEqualTo(new OwnSpans(0).of(request).orElseThrow().spanId());
        assertThat(traces.of(request("r-2", Optional.of(SENDER))).orElseThrow().spanId())
                .isNotEqualTo(own.spanId());
    }

    @Test
    void aTraceItsSenderDoesNotRecordIsHandedOnAsItCame() {
        assertThat(new OwnSpans(1).of(request("r-1", Optional.of(UNSAMPLED)))).contains(UNSAMPLED);
    }

    @Test
    void ofRequestsWithoutATraceTheRatioBeginsOne() {
        List<String> ids = IntStream.range(0, 1000).mapToObj(i -> "r-" + i).toList();

        assertThat(begun(ids, 0)).isZero();
        assertThat(begun(ids, 0.25)).isBetween(180L, 320L);
        assertThat(begun(ids, 1)).isEqualTo(1000);
    }

    private static long begun(List<String> ids, double ratio) {
        return ids.stream()
                .flatMap(id -> new OwnSpans(ratio).of(request(id, Optional.empty())).stream())
                .filter(TraceContext::sampled)
                .map(TraceContext::traceId)
                .distinct()
                .count();
    }

    private static Identity request(String id, Optional<TraceContext> trace) {
        return new Identity(
                new RequestId(id),
                new io.hellogpt.once.core.Fingerprint("ab".repeat(32)),
                new io.hellogpt.once.core.SourcePosition(Topics.REQUESTS, 0, 1),
                TopologyRig.START,
                Optional.empty(),
                List.of(),
                trace);
    }

    private TopologyRig rig(Router router) {
        return new TopologyRig(dir, ProtocolSettings.defaults(), BillingPolicy.NONE, router, List.of()).opened();
    }

    private static void send(TopologyRig rig, TraceContext trace) {
        send(rig, (RecordHeaders) Headers.of(Optional.of(trace)));
    }

    private static void send(TopologyRig rig, RecordHeaders headers) {
        byte[] request = """
                {"request_id":"r-1","model":"m","input":"hello","policy":"declared",
                 "effects":[{"name":"sign","route":"sign","payload":{}}]}""".getBytes(StandardCharsets.UTF_8);
        rig.pipe(Topics.REQUESTS, new TestRecord<>(null, request, headers, TopologyRig.START));
    }

    private static void assertSenders(TestRecord<byte[], byte[]> record) {
        assertThat(record.headers())
                .extracting(Header::key, header -> new String(header.value(), StandardCharsets.UTF_8))
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("traceparent", SENDER.traceparent()),
                        org.assertj.core.groups.Tuple.tuple(
                                "tracestate", SENDER.tracestate().orElseThrow()));
    }
}
