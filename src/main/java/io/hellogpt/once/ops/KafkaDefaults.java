package io.hellogpt.once.ops;

import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** Where the defaults of Kafka Streams do not fit and others stand in their place, unless the operator passes a value through. */
final class KafkaDefaults {
    /**
     * One of them.
     *
     * @param client whose it is, as the prefix of Kafka Streams: empty for its own
     * @param name without prefix
     * @param why what was found, and what a change of it does
     */
    record Default(String client, String name, Object value, String why) {
        /** As an operator writes it. */
        String passedAs() {
            return KafkaClients.PREFIX + (client.isEmpty() ? "streams." : client) + name;
        }

        private void putInto(Properties streams) {
            if (!streams.containsKey(name)) {
                streams.putIfAbsent(client + name, value);
            }
        }
    }

    /** Those with a fixed value; what the group member is named is found out at the start. */
    static final List<Default> ALL = List.of(
            new Default(
                    "",
                    StreamsConfig.POLL_MS_CONFIG,
                    5,
                    "an early commit is looked for when a poll returns, and with 100 ms that is when the next record comes: at 50"
                            + " requests/s half of them waited 27 ms longer. Costs an idle thread 200 looks a second"),
            new Default(
                    StreamsConfig.CONSUMER_PREFIX,
                    ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                    64 * 1024,
                    "an answer is read after everything that was fetched before it: with 4 MB from each partition, answers waited 3.4 s"
                            + " behind a backlog of requests, and with this 0.2 to 0.3 s. A larger record, or batch, is fetched all the same, one"
                            + " at a time (KIP-74)"),
            new Default(
                    StreamsConfig.RESTORE_CONSUMER_PREFIX,
                    ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                    TopicCatalogue.RECORD_MAX_BYTES,
                    "nobody waits for a single record while a store is restored"),
            new Default(
                    StreamsConfig.PRODUCER_PREFIX,
                    CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG,
                    20,
                    "a transaction that begins while the brokers still finish the one before is told to try again, which frequent"
                            + " commits meet often: with 100 ms the slowest hundredth of the requests took 99 ms instead of 32 at 50"
                            + " requests/s. While a transaction's coordinator is away each stream thread asks again that often"));

    /** Of the journal's producer; see {@link io.hellogpt.once.model.Journal}. */
    static final List<Default> JOURNAL = List.of(
            new Default(
                    StreamsConfig.PRODUCER_PREFIX,
                    ProducerConfig.LINGER_MS_CONFIG,
                    0,
                    "the journal's producer: an answer that waits for company is an answer the caller waits for"),
            new Default(
                    StreamsConfig.PRODUCER_PREFIX,
                    ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                    600_000,
                    "the journal's producer: longer than a broker restart, so that a paid answer is not given up while the cluster"
                            + " is away"));

    private KafkaDefaults() {}

    /** Adds what is not set to the configuration of Kafka Streams. */
    static void complete(Properties streams) {
        ALL.forEach(each -> each.putInto(streams));
    }
}
