package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.JournalRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A producer that an error has put out of service is replaced; one that may yet recover is not. */
class JournalReplacementTest {
    private final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();
    private RuntimeException refusal;
    private final Journal journal = new Journal(this::open, "model-responses");

    static List<RuntimeException> fatal() {
        return List.of(
                new ClusterAuthorizationException("no IdempotentWrite"),
                new ProducerFencedException("another took the id"),
                new UnsupportedVersionException("old broker"),
                new KafkaException("the producer is in an error state", new ClusterAuthorizationException("earlier")));
    }

    static List<RuntimeException> passing() {
        return List.of(new TimeoutException("broker away"), new TopicAuthorizationException("no Write"));
    }

    @ParameterizedTest
    @MethodSource("fatal")
    void afterAFatalErrorTheNextWriteHasANewProducer(RuntimeException error) {
        CompletableFuture<Long> refused = write();
        producers.getFirst().errorNext(error);
        assertThat(refused).isCompletedExceptionally();

        CompletableFuture<Long> again = write();
        assertThat(producers).hasSize(2);
        assertThat(producers.getFirst().closed()).isTrue();
        producers.getLast().completeNext();
        assertThat(again).isCompleted();
    }

    @ParameterizedTest
    @MethodSource("passing")
    void afterAnErrorThatMayPassTheProducerStays(RuntimeException error) {
        write();
        producers.getFirst().errorNext(error);

        write();
        assertThat(producers).hasSize(1);
    }

    @Test
    void aProducerClosedByAnErrorIsReplaced() {
        producers.getFirst().close();

        assertThat(write()).isCompletedExceptionally();
        write();
        assertThat(producers).hasSize(2);
    }

    @Test
    void aReplacementThatCannotBeOpenedIsTriedAgain() {
        write();
        producers.getFirst().errorNext(new ClusterAuthorizationException("no IdempotentWrite"));
        refusal = new KafkaException("no address resolves");
        assertThat(write()).isCompletedExceptionally();

        refusal = null;
        write();
        assertThat(producers).hasSize(2);
    }

    @Test
    void aClosedJournalOpensNoProducer() {
        write();
        producers.getFirst().errorNext(new ClusterAuthorizationException("no IdempotentWrite"));
        journal.close();

        assertThat(write()).isCompletedExceptionally();
        assertThat(producers).hasSize(1);
    }

    private CompletableFuture<Long> write() {
        return journal.write(0, new JournalRecord.Barrier("b")).toCompletableFuture();
    }

    private Producer<byte[], byte[]> open() {
        if (refusal != null) {
            throw refusal;
        }
        producers.add(new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()));
        return producers.getLast();
    }
}
