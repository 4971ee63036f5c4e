package io.hellogpt.once.ops;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Router;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/** Gives an operator's commands to the request they are about, and hears what became of them. Not safe for use by several threads. */
public final class CommandSender implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final OnceConfig config;

    public CommandSender(OnceConfig config) {
        this.config = config;
        this.producer = new KafkaProducer<>(config.producer());
    }

    /** What the application said to a command. */
    public sealed interface Answer {
        /** @param state of the request after it */
        record Applied(String state, String detail) implements Answer {}

        /** @param detail the reason */
        record Refused(String state, String detail) implements Answer {}
    }

    /**
     * Sends a command to the partition of its request; returns when all replicas have it.
     *
     * @throws KafkaException when it was not acknowledged; sending it again with the same command id is safe
     */
    public void send(OperatorCommand command) {
        byte[] key = key(command);
        int partition =
                Router.partitionOf(key, producer.partitionsFor(Topics.COMMANDS).size());
        try {
            producer.send(new ProducerRecord<>(Topics.COMMANDS, partition, key, Codecs.COMMAND.encode(command)))
                    .get();
        } catch (ExecutionException refused) {
            throw new KafkaException(
                    "the command for " + command.requestId() + " was not acknowledged: "
                            + refused.getCause().getMessage(),
                    refused.getCause());
        } catch (InterruptedException stopped) {
            throw new InterruptException(stopped);
        }
    }

    /**
     * Sends a command and waits for the answer in the audit log.
     *
     * @return empty when no instance has answered in time; the command waits on its topic then
     */
    public Optional<Answer> sendAndHear(OperatorCommand command, Duration patience) {
        byte[] key = key(command);
        try (CommittedReader reader = new CommittedReader(config.reader())) {
            Hearing hearing = new Hearing(command, key, System.nanoTime() + patience.toNanos());
            reader.follow(
                    Stream.of(Topics.LIFECYCLE_EVENTS, Topics.REJECTED_REQUESTS)
                            .map(topic -> new TopicPartition(
                                    topic,
                                    Router.partitionOf(
                                            key, reader.partitions(topic).size())))
                            .toList(),
                    false,
                    () -> hearing.goesOn(this),
                    hearing::hear);
            return hearing.answer;
        }
    }

    private static byte[] key(OperatorCommand command) {
        return command.requestId().value().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        producer.close();
    }

    /** One command's answer. The command leaves when the reader stands at the end of the log, so that its answer is not passed over. */
    private static final class Hearing {
        private final OperatorCommand command;
        private final byte[] key;
        private final long deadline;
        private boolean sent;
        private Optional<Answer> answer = Optional.empty();

        Hearing(OperatorCommand command, byte[] key, long deadline) {
            this.command = command;
            this.key = key;
            this.deadline = deadline;
        }

        boolean goesOn(CommandSender sender) {
            if (!sent) {
                sender.send(command);
                sent = true;
            }
            return answer.isEmpty() && System.nanoTime() < deadline;
        }

        void hear(ConsumerRecord<byte[], byte[]> record) {
            if (!Arrays.equals(record.key(), key)) {
                return;
            }
            ObjectNode event = RecordJson.read(record.value());
            String detail = event.path("detail").asText();
            if (!detail.startsWith(command.verb().name())) {
                return;
            }
            if (record.topic().equals(Topics.REJECTED_REQUESTS)) {
                answer = Optional.of(new Answer.Refused("unknown", detail));
                return;
            }
            if (!event.path("actor").asText().equals(command.actor())) {
                return;
            }
            String state = event.path("to").asText();
            String type = event.path("type").asText();
            if (type.equals(LifecycleEvent.Type.COMMAND_APPLIED.name())) {
                answer = Optional.of(new Answer.Applied(state, detail));
            } else if (type.equals(LifecycleEvent.Type.COMMAND_REFUSED.name())) {
                answer = Optional.of(new Answer.Refused(state, detail));
            }
        }
    }
}
