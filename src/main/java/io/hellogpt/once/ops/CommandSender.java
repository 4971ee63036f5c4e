package io.hellogpt.once.ops;

import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Gives an operator's commands to the request they are about. Not safe for use by several threads. */
public final class CommandSender implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;

    public CommandSender(OnceConfig config) {
        this.producer = new KafkaProducer<>(config.producer());
    }

    /**
     * Sends a command; returns when all in-sync replicas have it.
     *
     * @throws KafkaException when it was not acknowledged; sending it again with the same command id is safe
     */
    public void send(OperatorCommand command) {
        byte[] key = command.requestId().value().getBytes(StandardCharsets.UTF_8);
        try {
            producer.send(new ProducerRecord<>(Topics.COMMANDS, key, Codecs.COMMAND.encode(command)))
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

    @Override
    public void close() {
        producer.close();
    }
}
