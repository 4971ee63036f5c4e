package io.hellogpt.once.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hellogpt.once.embedded.EmbeddedBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real broker: whose transactions are committed. */
class FencedClientsIT {
    private static final Duration SEEN = Duration.ofSeconds(60);
    private static final TopicPartition INPUT = new TopicPartition("input", 0);
    private static final String OUTPUT = "output";
    private static final String GROUP = "fenced";
    private static final String PATIENCE_MS = "5000";

    private final FencedClients clients = new FencedClients(new LostTransactions());
    private EmbeddedBroker broker;
    private Consumer<byte[], byte[]> member;
    private Producer<byte[], byte[]> producer;

    @BeforeEach
    void start(@TempDir Path dir) throws Exception {
        broker = EmbeddedBroker.create(dir.resolve("broker"));
        broker.start();
        try (Admin admin = clients.getAdmin(Map.of("bootstrap.servers", broker.address()))) {
            admin.createTopics(List.of(new NewTopic(INPUT.topic(), 1, (short) 1), new NewTopic(OUTPUT, 1, (short) 1)))
                    .all()
                    .get();
        }
        member = clients.getConsumer(consumer("one"));
        join(member);
        producer = clients.getProducer(
                config(Map.of("client.id", "one-producer", "transactional.id", "one", "max.block.ms", PATIENCE_MS)));
        producer.initTransactions();
    }

    @AfterEach
    void stop() {
        producer.close(Duration.ZERO);
        member.close(CloseOptions.timeout(Duration.ZERO));
        broker.close();
    }

    @Test
    void thoseOfAMemberAreCommitted() {
        commit("member's", Map.of(INPUT, new OffsetAndMetadata(5)));

        assertThat(written()).containsExactly("member's");
    }

    @Test
    void thoseOfWhoeverTheGroupHasGivenUpAreNot() throws Exception {
        commit("owner's", Map.of(INPUT, new OffsetAndMetadata(5)));
        giveUp();

        assertThatThrownBy(() -> commit("zombie's", Map.of(INPUT, new OffsetAndMetadata(6))))
                .isInstanceOf(CommitFailedException.class);
        producer.abortTransaction();
        assertThat(written()).containsExactly("owner's");
    }

    /** The group is not asked about these: a zombie's would be committed. */
    @Test
    void thoseWithoutOffsetsAreNotEvenOfAMember() {
        assertThatThrownBy(() -> commit("anybody's", Map.of())).isInstanceOf(CommitFailedException.class);
        producer.abortTransaction();
        assertThat(written()).isEmpty();
    }

    /** What an idle thread does ten times a second stays without a word to the brokers. */
    @Test
    void oneInWhichNothingWasWrittenCommitsNothing() {
        producer.beginTransaction();
        producer.sendOffsetsToTransaction(Map.of(), member.groupMetadata());
        producer.commitTransaction();

        assertThat(committed()).isNull();
    }

    /** Streams would keep in its stores what tasks without offsets have changed in it. */
    @Test
    void oneWhoseOffsetsAreNotTakenInTimeCountsAsLost() {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(OUTPUT, new byte[1]));
        producer.flush();
        broker.stop();

        assertThatThrownBy(() -> producer.sendOffsetsToTransaction(
                        Map.of(INPUT, new OffsetAndMetadata(5)), member.groupMetadata()))
                .isInstanceOf(CommitFailedException.class)
                .hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void oneThatIsNotEndedInTimeCountsAsLost() {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(OUTPUT, new byte[1]));
        producer.sendOffsetsToTransaction(Map.of(INPUT, new OffsetAndMetadata(5)), member.groupMetadata());
        broker.stop();

        assertThatThrownBy(producer::commitTransaction)
                .isInstanceOf(CommitFailedException.class)
                .hasCauseInstanceOf(TimeoutException.class);
    }

    /** Streams would go on with the tasks that did not fail: their writes are gone, and their offsets would be committed. */
    @Test
    void noneIsCommittedAfterOneThatWasAborted() {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(OUTPUT, new byte[1]));
        producer.abortTransaction();

        assertThatThrownBy(() -> commit("later", Map.of(INPUT, new OffsetAndMetadata(5))))
                .isInstanceOf(CommitFailedException.class);
        producer.abortTransaction();
        assertThat(written()).isEmpty();
    }

    /** What is aborted with nothing in it leaves nothing behind. */
    @Test
    void oneIsCommittedAfterAnEmptyOneWasAborted() {
        producer.beginTransaction();
        producer.abortTransaction();
        commit("later", Map.of(INPUT, new OffsetAndMetadata(5)));

        assertThat(written()).containsExactly("later");
    }

    /** Streams would commit what one task's step had written so far, with the offsets of the others. */
    @Test
    void oneInWhichATopicsPartitionsWereNotFoundInTimeCountsAsLost() {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(OUTPUT, new byte[1]));
        assertThatThrownBy(() -> producer.partitionsFor("absent")).isInstanceOf(TimeoutException.class);

        assertThatThrownBy(() -> producer.sendOffsetsToTransaction(
                        Map.of(INPUT, new OffsetAndMetadata(5)), member.groupMetadata()))
                .isInstanceOf(CommitFailedException.class);
        producer.abortTransaction();
        assertThat(written()).isEmpty();
    }

    private void commit(String value, Map<TopicPartition, OffsetAndMetadata> offsets) {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(OUTPUT, value.getBytes(StandardCharsets.UTF_8)));
        producer.sendOffsetsToTransaction(offsets, member.groupMetadata());
        producer.commitTransaction();
    }

    /** As the group does with one it has heard nothing from; it has not noticed yet. */
    private void giveUp() throws Exception {
        try (Admin admin = clients.getAdmin(Map.of("bootstrap.servers", broker.address()))) {
            admin.removeMembersFromConsumerGroup(GROUP, new RemoveMembersFromConsumerGroupOptions())
                    .all()
                    .get();
        }
    }

    private OffsetAndMetadata committed() {
        return member.committed(Set.of(INPUT)).get(INPUT);
    }

    /** Waits for what is open. */
    private List<String> written() {
        List<String> values = new ArrayList<>();
        TopicPartition output = new TopicPartition(OUTPUT, 0);
        Map<String, Object> committedOnly = Map.of("client.id", "reader", "isolation.level", "read_committed");
        try (Consumer<byte[], byte[]> all = clients.getRestoreConsumer(config(Map.of("client.id", "all")));
                Consumer<byte[], byte[]> reader = clients.getRestoreConsumer(config(committedOnly))) {
            long end = all.endOffsets(List.of(output)).get(output);
            reader.assign(List.of(output));
            reader.seekToBeginning(List.of(output));
            await().atMost(SEEN).until(() -> {
                reader.poll(Duration.ofMillis(100))
                        .forEach(record -> values.add(new String(record.value(), StandardCharsets.UTF_8)));
                return reader.position(output) >= end;
            });
        }
        return values;
    }

    private void join(Consumer<byte[], byte[]> consumer) {
        consumer.subscribe(List.of(INPUT.topic()));
        await().atMost(SEEN).until(() -> {
            consumer.poll(Duration.ofMillis(50));
            return consumer.assignment().contains(INPUT);
        });
    }

    private Map<String, Object> consumer(String thread) {
        return config(Map.of(
                "client.id",
                thread + "-consumer",
                "group.id",
                GROUP,
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                "false",
                "default.api.timeout.ms",
                PATIENCE_MS,
                "isolation.level",
                "read_committed"));
    }

    private Map<String, Object> config(Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap.servers", broker.address());
        return config;
    }
}
