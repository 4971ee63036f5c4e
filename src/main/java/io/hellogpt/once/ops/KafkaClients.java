package io.hellogpt.once.ops;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The configuration of every Kafka client of the process: what the promise needs, then what the operator passed through. What
 * the promise needs cannot be passed through away.
 */
final class KafkaClients {
    static final String PREFIX = "kafka.";

    private static final List<String> KINDS = List.of("streams.", "producer.", "consumer.");

    private static final int PROMPT_DELIVERY_MS = 20_000;

    private final OnceConfig config;

    KafkaClients(OnceConfig config) {
        this.config = config;
    }

    Properties streams() {
        Properties all = common();
        all.putAll(config.passedOn(PREFIX + "streams."));
        config.passedOn(PREFIX + "producer.")
                .forEach((name, value) -> all.put(StreamsConfig.producerPrefix(name), value));
        config.passedOn(PREFIX + "consumer.")
                .forEach((name, value) -> all.put(StreamsConfig.consumerPrefix(name), value));
        all.put(StreamsConfig.APPLICATION_ID_CONFIG, config.text(Settings.APPLICATION_ID));
        all.put(StreamsConfig.STATE_DIR_CONFIG, config.text(Settings.STATE_DIR));
        all.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.number(Settings.NUM_STREAM_THREADS));
        all.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, config.number(Settings.NUM_STANDBY_REPLICAS));
        all.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, config.number(Settings.REPLICATION_FACTOR));
        all.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, config.millis(Settings.COMMIT_INTERVAL_MS));
        exactlyOnce(all);
        stores(all);
        KafkaDefaults.complete(all);
        return all;
    }

    private void exactlyOnce(Properties all) {
        all.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        all.put(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, true);
        // What is looked up is shown to clients: an ending whose transaction is then aborted must not be among it.
        all.put(StreamsConfig.DEFAULT_INTERACTIVE_QUERY_ISOLATION_LEVEL_CONFIG, IsolationLevel.READ_COMMITTED.name());
        all.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        all.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), (int)
                config.millis(Settings.TRANSACTION_TIMEOUT_MS));
        all.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), TopicCatalogue.RECORD_MAX_BYTES);
    }

    private void stores(Properties all) {
        all.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        all.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class.getName());
        all.put(Settings.ROCKSDB_BLOCK_CACHE_BYTES, config.millis(Settings.ROCKSDB_BLOCK_CACHE_BYTES));
        all.put(Settings.ROCKSDB_WRITE_BUFFER_BYTES, config.millis(Settings.ROCKSDB_WRITE_BUFFER_BYTES));
        all.put(StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG), TopicCatalogue.RECORD_MAX_BYTES);
        all.put(
                StreamsConfig.topicPrefix(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG),
                TopicCatalogue.minInSync(config.number(Settings.REPLICATION_FACTOR)));
    }

    Properties journalProducer() {
        Properties all = producer();
        KafkaDefaults.JOURNAL.forEach(each -> all.putIfAbsent(each.name(), each.value()));
        return all;
    }

    Properties producer() {
        Properties all = common();
        all.putAll(config.passedOn(PREFIX + "producer."));
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        all.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, TopicCatalogue.RECORD_MAX_BYTES);
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        return all;
    }

    /** For records a client over HTTP waits for: it is told soon when they cannot be written. */
    Properties promptProducer() {
        Properties all = producer();
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, PROMPT_DELIVERY_MS);
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, PROMPT_DELIVERY_MS / 2);
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PROMPT_DELIVERY_MS / 2);
        all.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        return all;
    }

    Properties reader() {
        Properties all = common();
        all.putAll(config.passedOn(PREFIX + "consumer."));
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        return all;
    }

    Properties admin() {
        return common();
    }

    private Properties common() {
        Properties all = new Properties();
        all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, config.text(Settings.BOOTSTRAP_SERVERS));
        for (Map.Entry<String, String> setting : config.passedOn(PREFIX).entrySet()) {
            if (KINDS.stream().noneMatch(setting.getKey()::startsWith)) {
                all.put(setting.getKey(), setting.getValue());
            }
        }
        return all;
    }
}
