package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.RequestId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever partitioner a producer has, a request comes to the one task that knows its id. */
class RoutingTest {
    @TempDir
    Path dir;

    @Test
    void keyedOutputsGoWhereTheRouterLooksForThemAndWhereTheJavaClientPutsThem() {
        for (String id : List.of("r-1", "contract-3f2c8a52", "x")) {
            byte[] key = id.getBytes(StandardCharsets.UTF_8);
            Optional<Set<Integer>> chosen = new ByRequestId().partitions(Topics.EFFECTS, key, new byte[0], 7);
            int partition = chosen.orElseThrow().iterator().next();
            assertThat(chosen.get()).hasSize(1);
            assertThat(partition).isEqualTo(BuiltInPartitioner.partitionForKey(key, 7));
            Router router = Router.murmur2(7);
            assertThat(IntStream.range(0, 7).filter(each -> router.belongs(new RequestId(id), each)))
                    .containsExactly(partition);
        }
    }

    @Test
    void anOutputWithoutAKeyMayGoAnywhere() {
        assertThat(new ByRequestId().partitions(Topics.REJECTED_REQUESTS, null, new byte[0], 7))
                .isEmpty();
    }

    /** The headers are the producer's and of any size; a copy with them might be larger than the topic takes. */
    @Test
    void aReroutedRequestKeepsItsTraceAndNoneOfTheProducersOtherHeaders() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".getBytes());
        headers.add("tracestate", new byte[100_000]);
        headers.add("secret", new byte[1_000_000]);
        headers.add(Headers.SOURCE_OFFSET, "999".getBytes());
        try (TopologyRig rig = misplacing()) {
            rig.pipe(
                    Topics.REQUESTS,
                    new TestRecord<>(null, RichHistory.plain("r-1").getBytes(), headers, TopologyRig.START));
            TestRecord<byte[], byte[]> rerouted =
                    rig.records(Topics.REQUESTS_REROUTED).getFirst();
            assertThat(rerouted.headers())
                    .extracting(Header::key)
                    .containsExactlyInAnyOrder(
                            "traceparent",
                            Headers.SOURCE_TOPIC,
                            Headers.SOURCE_PARTITION,
                            Headers.SOURCE_OFFSET,
                            Headers.RECEIVED_AT);
            assertThat(Headers.source(rerouted.headers()).orElseThrow().offset())
                    .isZero();
        }
    }

    private TopologyRig misplacing() {
        return new TopologyRig(
                        dir, ProtocolSettings.defaults(), BillingPolicy.NONE, (id, partition) -> false, List.of())
                .opened();
    }
}
