package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.schema.Codecs;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class JournalTest {
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final Journal journal = new Journal(() -> producer, "model-responses");
    private final JournalRecord answered =
            new JournalRecord.Answered(new RequestId("contract-1"), 0, 1, Calls.RECEIVED, PuppetClient.answer());

    @Test
    void anAnswerGoesToItsPartitionUnderItsRequestId() {
        CompletableFuture<Long> offset = journal.write(3, answered).toCompletableFuture();
        assertThat(offset).isNotDone();
        producer.completeNext();

        ProducerRecord<byte[], byte[]> record = producer.history().getFirst();
        assertThat(offset).isCompletedWithValue(0L);
        assertThat(record.partition()).isEqualTo(3);
        assertThat(record.key()).asString().isEqualTo("contract-1");
        assertThat(Codecs.JOURNAL.decode(record.value())).isEqualTo(answered);
    }

    @Test
    void aBarrierHasNoKey() {
        journal.write(0, new JournalRecord.Barrier("b-1"));

        assertThat(producer.history().getFirst().key()).isNull();
    }

    @Test
    void aRecordThatCannotBeEncodedIsReportedAndNotThrown() {
        JournalRecord unencodable =
                new JournalRecord.Answered(new RequestId("contract-1"), 0, 1, Instant.MAX, PuppetClient.answer());
        CompletableFuture<Long> offset = journal.write(0, unencodable).toCompletableFuture();

        assertThatThrownBy(offset::get).hasCauseInstanceOf(SerializationException.class);
        assertThat(producer.history()).isEmpty();
    }

    @Test
    void aFailedWriteIsReportedWithItsCause() {
        CompletableFuture<Long> offset = journal.write(0, answered).toCompletableFuture();
        producer.errorNext(new TimeoutException("broker away"));

        assertThatThrownBy(offset::get).hasCauseInstanceOf(TimeoutException.class);
    }
}
