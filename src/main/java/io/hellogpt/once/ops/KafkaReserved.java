package io.hellogpt.once.ops;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** The settings of Kafka clients that cannot be passed through, because the promise rests on their values. Listed here and nowhere else. */
final class KafkaReserved {
    /** Each with the reason, as the end of a sentence. */
    static final Map<String, String> REASONS = reasons();

    /** Kafka Streams looks behind these for the settings of its own clients; one may stand before another. */
    private static final List<String> PREFIXES = List.of(
            KafkaClients.PREFIX,
            "streams.",
            StreamsConfig.PRODUCER_PREFIX,
            StreamsConfig.CONSUMER_PREFIX,
            StreamsConfig.MAIN_CONSUMER_PREFIX,
            StreamsConfig.RESTORE_CONSUMER_PREFIX,
            StreamsConfig.GLOBAL_CONSUMER_PREFIX,
            StreamsConfig.ADMIN_CLIENT_PREFIX);

    private KafkaReserved() {}

    private static Map<String, String> reasons() {
        Map<String, String> all = new LinkedHashMap<>();
        String partition = "each record must be in the partition of its request_id, or its task looks for it in vain";
        all.put(ProducerConfig.PARTITIONER_CLASS_CONFIG, partition);
        all.put(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG, partition);
        all.put(
                StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                "input, state and output of a step must be committed together: it is always exactly_once_v2");
        String handler = "a handler that goes on after an error loses the record without an ending for its request";
        all.put(StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, handler);
        all.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, handler);
        all.put("default.production.exception.handler", handler);
        all.put(StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, handler);
        all.put("default.deserialization.exception.handler", handler);
        all.put(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "what an aborted transaction wrote must not be read: it is always read_committed");
        all.put(
                StreamsConfig.DEFAULT_INTERACTIVE_QUERY_ISOLATION_LEVEL_CONFIG,
                "a look-up must not show what may still be aborted: it is always READ_COMMITTED");
        String producer =
                "an acknowledged record must neither be lost nor stand twice: always idempotent, with acks=all";
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, producer);
        all.put(ProducerConfig.ACKS_CONFIG, producer);
        all.put(
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                "Kafka Streams names its transactions itself, and the journal must be written outside of any");
        String cache = "every change of a store must be in its changelog when its step is committed: there is no cache";
        all.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, cache);
        all.put("cache.max.bytes.buffering", cache);
        all.put(
                StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG,
                "a store must not keep what an aborted transaction wrote: it is always true");
        all.put(
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "a partition without a committed position must be read from its beginning: `latest` skips requests");
        all.put(
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                "a position must be committed with what was made of it, and never by itself");
        return all;
    }

    /**
     * Refuses what must not be passed through.
     *
     * @param name with its prefix, as the operator wrote it
     * @throws ConfigError naming the setting and the reason
     */
    static void check(String name) {
        if (!name.startsWith(KafkaClients.PREFIX)) {
            return;
        }
        String reason = REASONS.get(bare(name));
        if (reason != null) {
            throw new ConfigError(name + " cannot be set: " + reason + "; remove it");
        }
    }

    private static String bare(String name) {
        String rest = name;
        while (true) {
            String known = rest;
            String shorter = PREFIXES.stream()
                    .filter(known::startsWith)
                    .findFirst()
                    .map(prefix -> known.substring(prefix.length()))
                    .orElse(known);
            if (shorter.equals(rest)) {
                return rest;
            }
            rest = shorter;
        }
    }
}
