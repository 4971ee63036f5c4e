package io.hellogpt.once.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PartitionOffsetsTest {
    private static final TopicPartition ZERO = new TopicPartition("effects", 0);
    private static final TopicPartition ONE = new TopicPartition("effects", 1);

    private final PartitionOffsets offsets = new PartitionOffsets();

    @BeforeEach
    void open() {
        offsets.open(List.of(ZERO, ONE));
    }

    @Test
    void anOffsetMovesOverWhatIsDoneFromTheFrontOnly() {
        PartitionOffsets.Ticket first = offsets.take(ZERO, 10);
        PartitionOffsets.Ticket second = offsets.take(ZERO, 11);
        // An aborted record, or a transaction marker, leaves a gap.
        PartitionOffsets.Ticket third = offsets.take(ZERO, 14);

        second.done();
        assertThat(committable(ZERO, 15)).isEqualTo(10);
        first.done();
        assertThat(committable(ZERO, 15)).isEqualTo(14);
        third.done();
        assertThat(committable(ZERO, 15)).isEqualTo(15);
    }

    @Test
    void partitionsDoNotHoldEachOtherUp() {
        offsets.take(ZERO, 10);
        offsets.take(ONE, 20).done();

        assertThat(committable(ZERO, 11)).isEqualTo(10);
        assertThat(committable(ONE, 21)).isEqualTo(21);
    }

    @Test
    void aRecordReadTwiceIsDoneWhenBothAre() {
        PartitionOffsets.Ticket first = offsets.take(ZERO, 10);
        PartitionOffsets.Ticket again = offsets.take(ZERO, 10);

        first.done();
        first.done();
        assertThat(committable(ZERO, 11)).isEqualTo(10);
        again.done();
        assertThat(committable(ZERO, 11)).isEqualTo(11);
    }

    @Test
    void whatIsDoneAfterItsPartitionWasTakenAwayMovesNothing() {
        PartitionOffsets.Ticket before = offsets.take(ZERO, 10);
        offsets.close(List.of(ZERO));
        assertThat(offsets.committable(Map.of(ZERO, new OffsetAndMetadata(11)))).isEmpty();
        offsets.open(List.of(ZERO));
        offsets.take(ZERO, 10);

        before.done();

        assertThat(committable(ZERO, 11)).isEqualTo(10);
    }

    @Test
    void anOffsetNeverRunsAheadOfWhatTheWorkerHasHandedOver() {
        offsets.take(ZERO, 10);

        assertThat(committable(ZERO, 10)).isEqualTo(10);
        assertThat(committable(ZERO, 5)).isEqualTo(5);
    }

    private long committable(TopicPartition partition, long consumed) {
        return offsets.committable(Map.of(partition, new OffsetAndMetadata(consumed)))
                .get(partition)
                .offset();
    }
}
