package io.hellogpt.once.ops;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/** Writes the reference page of the configuration, in Markdown, from {@link Settings} and {@link TopicCatalogue}. */
public final class ConfigReference {
    private static final String HEAD = """
            # Configuration

            Generated from the code by `make docs`; a test compares the two.

            Settings come from a properties file (`--config FILE`), then from the environment, then from `--set name=value`; a
            later one wins. In the environment, `dedup.retention` is `ONCE_DEDUP_RETENTION`. A name that is not known stops the
            start and names its nearest neighbour.

            Passed on with the prefix taken off, and checked by whom they go to:

            | prefix | goes to |
            |---|---|
            | `kafka.` | every Kafka client, e.g. `kafka.security.protocol` |
            | `kafka.streams.`, `kafka.producer.`, `kafka.consumer.` | that kind of client only |
            | `model.<client>.` | the model client of that name, e.g. `model.openai.` |

            What the promise rests on cannot be set that way: the start is refused if one of these is, with whatever prefix.

            | setting of Kafka | why it is refused |
            |---|---|
            """;

    private ConfigReference() {}

    public static String markdown() {
        StringBuilder page = new StringBuilder(HEAD);
        KafkaReserved.REASONS.forEach((name, reason) -> page.append("| `%s` | %s |\n".formatted(name, reason)));
        page.append(defaults()).append(stores());
        ConfigDef definition = Settings.DEFINITION;
        for (String group : definition.groups()) {
            page.append("\n## ").append(group).append('\n');
            definition.configKeys().values().stream()
                    .filter(key -> key.group.equals(group))
                    .sorted((left, right) -> Integer.compare(left.orderInGroup, right.orderInGroup))
                    .forEach(key -> page.append(setting(key)));
        }
        page.append(modelLimits());
        return page.append(topics()).toString();
    }

    private static String defaults() {
        StringBuilder table = new StringBuilder("""

                Some defaults of Kafka do not fit. These stand in their place, and can be passed through:

                | setting | default | why |
                |---|---|---|
                """);
        Stream.concat(KafkaDefaults.ALL.stream(), KafkaDefaults.JOURNAL.stream())
                .forEach(each ->
                        table.append("| `%s` | %s | %s |\n".formatted(each.passedAs(), each.value(), each.why())));
        return table.append("| `%sconsumer.%s` | kept in `%s` | %s |\n"
                        .formatted(
                                KafkaClients.PREFIX,
                                ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
                                Settings.STATE_DIR,
                                "an instance that comes back to its stores after a crash is given its partitions at once,"
                                        + " instead of when the brokers miss the member it was, which takes session.timeout.ms, 45 s. A name passed"
                                        + " through must be another one for each instance"))
                .toString();
    }

    private static String stores() {
        return """

                The stores have what RocksDB calls a bloom filter, of 10 bits for each key, since nearly every dedup look-up is for an
                id never seen; blocks of 16 KiB; and indexes and filters within `rocksdb.block.cache.bytes`, since they grow with the
                number of ids. They have no cache above them: what a step changes is in the changelog when it is committed.
                """;
    }

    private static String modelLimits() {
        StringBuilder group = new StringBuilder("""

                ## Limits of each model

                For each model as requests name it, e.g. `model.limits.gpt-4.1.max.in.flight`. With `*` in place of the name: for
                each model that has no such setting of its own. What does not fit waits in the store, in arrival order, and holds
                up no other model's requests. Slots and budgets are shared out fairly between the partitions of an instance.
                """);
        ModelLimitSettings.DEFINITION.configKeys().values().stream()
                .map(key -> setting(ModelLimitSettings.PREFIX + "<model>." + key.name, key))
                .forEach(group::append);
        return group.toString();
    }

    private static String setting(ConfigKey key) {
        return setting(key.name, key);
    }

    private static String setting(String name, ConfigKey key) {
        String valid = key.validator == null ? "" : ", " + key.validator;
        String standard = key.defaultValue.toString().isEmpty() ? "empty" : "`" + key.defaultValue + "`";
        return "\n### `%s`\n\n%s%s. Default: %s.\n\n%s\n"
                .formatted(name, typeName(key.type), valid, standard, key.documentation);
    }

    private static String typeName(ConfigDef.Type type) {
        return switch (type) {
            case BOOLEAN -> "true or false";
            case INT, SHORT, LONG -> "Whole number";
            case DOUBLE -> "Number";
            case STRING, CLASS, PASSWORD, LIST -> "Text";
        };
    }

    private static String topics() {
        List<TopicCatalogue.Topic> topics = TopicCatalogue.standard().topics();
        return "\n## Topics\n\nCreated by `once topics create`, checked by `once topics check` and at every start. With three copies;"
                + " `min.insync.replicas` is one less than the copies, and at least 1.\n\n"
                + "| topic | holds | written by | read by | input | configuration |\n|---|---|---|---|---|---|\n"
                + topics.stream()
                        .map(topic -> "| `%s` | %s | %s | %s | %s | %s |\n"
                                .formatted(
                                        topic.name(),
                                        topic.holds(),
                                        topic.writers(),
                                        topic.readers(),
                                        topic.input() ? "yes" : "no",
                                        configuration(topic.configuration(3))))
                        .collect(Collectors.joining());
    }

    private static String configuration(Map<String, String> configuration) {
        return configuration.entrySet().stream()
                .map(entry -> "`" + entry.getKey() + "=" + entry.getValue() + "`")
                .collect(Collectors.joining(" "));
    }
}
