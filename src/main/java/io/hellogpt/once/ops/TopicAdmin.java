package io.hellogpt.once.ops;

import io.hellogpt.once.ops.TopicCatalogue.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;

/** Creates and checks the topics of a {@link TopicCatalogue}. Not safe for use by several threads. */
public final class TopicAdmin implements AutoCloseable {
    private final Admin admin;
    private final TopicCatalogue catalogue;

    /** Connects with the given client configuration; {@link #close} ends the connection. */
    public TopicAdmin(Properties client, TopicCatalogue catalogue) {
        this.admin = Admin.create(client);
        this.catalogue = catalogue;
    }

    /**
     * Returns when a broker answers.
     *
     * @throws KafkaException when none does in time; the message names the addresses that were tried
     */
    public static void awaitCluster(Properties client, Duration patience) {
        int millis = Math.toIntExact(patience.toMillis());
        try (Admin admin = Admin.create(client)) {
            admin.describeCluster(new DescribeClusterOptions().timeoutMs(millis))
                    .nodes()
                    .get();
        } catch (ExecutionException refused) {
            throw new KafkaException(
                    "no broker answered at %s within %d s: is it running, and is the address right (-b HOST:PORT)?"
                            .formatted(client.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG), patience.toSeconds()),
                    refused.getCause());
        } catch (InterruptedException stopped) {
            throw interrupted(stopped);
        }
    }

    /**
     * What is not as it should be.
     *
     * @param found what is there instead
     * @param remedy what to do about it
     */
    public record Difference(String topic, String found, String remedy) {
        @Override
        public String toString() {
            return topic + ": " + found + "; " + remedy;
        }
    }

    /**
     * What an operator must know about the brokers themselves, if anything.
     *
     * @throws KafkaException when the cluster cannot be reached
     */
    public Optional<String> brokerWarning() {
        try {
            return BrokerRelease.warning(
                    admin.describeFeatures().featureMetadata().get());
        } catch (ExecutionException refused) {
            throw failure("ask the brokers what they support", refused);
        } catch (InterruptedException stopped) {
            throw interrupted(stopped);
        }
    }

    /**
     * Creates the topics that are missing and leaves the others alone.
     *
     * @return the names of those created
     * @throws KafkaException when the cluster refuses or cannot be reached
     */
    public List<String> create(int partitions, int replication) {
        CreateTopicsResult result = admin.createTopics(catalogue.topics().stream()
                .map(topic -> new NewTopic(topic.name(), partitions, (short) replication)
                        .configs(topic.configuration(replication)))
                .toList());
        List<String> created = new ArrayList<>();
        for (Topic topic : catalogue.topics()) {
            try {
                result.values().get(topic.name()).get();
                created.add(topic.name());
            } catch (ExecutionException refused) {
                if (!(refused.getCause() instanceof TopicExistsException)) {
                    throw failure("create topic " + topic.name(), refused);
                }
            } catch (InterruptedException stopped) {
                throw interrupted(stopped);
            }
        }
        return created;
    }

    /**
     * Compares the cluster with the catalogue.
     *
     * @return every difference, empty when all is as it should be
     * @throws KafkaException when the cluster cannot be asked
     */
    public List<Difference> check() {
        Set<String> wanted = catalogue.topics().stream().map(Topic::name).collect(Collectors.toSet());
        try {
            Set<String> existing = admin.listTopics().names().get().stream()
                    .filter(wanted::contains)
                    .collect(Collectors.toSet());
            Map<String, TopicDescription> descriptions =
                    admin.describeTopics(existing).allTopicNames().get();
            return compare(descriptions, configurations(existing));
        } catch (ExecutionException refused) {
            throw failure("check the topics", refused);
        } catch (InterruptedException stopped) {
            throw interrupted(stopped);
        }
    }

    /**
     * How many partitions a topic has.
     *
     * @throws KafkaException when there is no such topic or the cluster cannot be asked
     */
    public int partitions(String topic) {
        try {
            return admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions()
                    .size();
        } catch (ExecutionException refused) {
            throw failure("describe topic " + topic, refused);
        } catch (InterruptedException stopped) {
            throw interrupted(stopped);
        }
    }

    private Map<String, Config> configurations(Collection<String> topics)
            throws ExecutionException, InterruptedException {
        List<ConfigResource> resources = topics.stream()
                .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                .toList();
        return admin.describeConfigs(resources).all().get().entrySet().stream()
                .collect(Collectors.toMap(entry -> entry.getKey().name(), Map.Entry::getValue));
    }

    private List<Difference> compare(Map<String, TopicDescription> descriptions, Map<String, Config> configs) {
        List<Difference> differences = new ArrayList<>();
        for (Topic topic : catalogue.topics()) {
            TopicDescription description = descriptions.get(topic.name());
            if (description == null) {
                differences.add(new Difference(topic.name(), "does not exist", "run `once topics create`"));
            } else {
                int replication = description.partitions().get(0).replicas().size();
                compareConfiguration(topic, replication, configs.get(topic.name()), differences);
            }
        }
        comparePartitions(descriptions, differences);
        return differences;
    }

    private static void compareConfiguration(
            Topic topic, int replication, Config config, List<Difference> differences) {
        topic.configuration(replication).forEach((name, wanted) -> {
            String found = config.get(name).value();
            if (!isAcceptable(name, found, wanted)) {
                differences.add(new Difference(
                        topic.name(),
                        name + " is " + found,
                        "set it with `kafka-configs.sh --alter --entity-type topics --entity-name %s --add-config %s=%s`"
                                .formatted(topic.name(), name, wanted)));
            }
        });
    }

    /** Limits an operator may widen are not errors; what the promise rests on is. */
    private static boolean isAcceptable(String name, String found, String wanted) {
        return switch (name) {
            case TopicConfig.RETENTION_MS_CONFIG ->
                Long.parseLong(found) < 0 || Long.parseLong(found) >= Long.parseLong(wanted);
            case TopicConfig.MAX_MESSAGE_BYTES_CONFIG, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG ->
                Long.parseLong(found) >= Long.parseLong(wanted);
            default -> found.equals(wanted);
        };
    }

    private void comparePartitions(Map<String, TopicDescription> descriptions, List<Difference> differences) {
        Map<String, Integer> counts = new TreeMap<>();
        catalogue.topics().stream()
                .filter(topic -> topic.input() && descriptions.containsKey(topic.name()))
                .forEach(topic -> counts.put(
                        topic.name(),
                        descriptions.get(topic.name()).partitions().size()));
        if (Set.copyOf(counts.values()).size() > 1) {
            differences.add(new Difference(
                    String.join(", ", counts.keySet()),
                    "have different partition counts " + counts,
                    "they must be equal, because one task reads the same partition of each; on a system that holds no"
                            + " requests yet, delete and create them again with `once topics create --partitions N`"));
        }
    }

    @Override
    public void close() {
        admin.close();
    }

    private static KafkaException failure(String what, ExecutionException refused) {
        return new KafkaException(
                "could not " + what + ": " + refused.getCause().getMessage(), refused.getCause());
    }

    private static KafkaException interrupted(InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return new KafkaException("interrupted while asking the cluster", stopped);
    }
}
