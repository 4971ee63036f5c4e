package io.hellogpt.once.connect.config;

import io.hellogpt.once.core.NearestName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** The connector's settings, read and judged as a whole. */
public final class EffectSinkConfig extends AbstractConfig {
    private static final Pattern ROUTE_NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final String PREFIX = "once.";
    private static final long DEFAULT_MAX_POLL_INTERVAL = 300_000;
    private static final Set<String> OWN_PRODUCER_SETTINGS = Set.of(
            "acks",
            "enable.idempotence",
            "key.serializer",
            "value.serializer",
            "partitioner.class",
            "partitioner.ignore.keys",
            "transactional.id");

    private final Map<String, Route> routes;

    /**
     * Reads the properties of a connector or of one of its tasks.
     *
     * @throws ConfigException naming the key at fault
     */
    public EffectSinkConfig(Map<String, String> props) {
        super(SinkKeys.DEFINITION, props, false);
        List<String> problems = problems(props);
        if (!problems.isEmpty()) {
            throw new ConfigException(String.join("; ", problems));
        }
        this.routes = new LinkedHashMap<>();
        for (String name : getList(SinkKeys.ROUTES)) {
            routes.put(name, RouteReader.read(name, props));
        }
    }

    /** Every setting that is not of one route. */
    public static ConfigDef definition() {
        return SinkKeys.DEFINITION;
    }

    /**
     * What is wrong beyond the single values: routes, settings that contradict each other, keys nobody knows.
     *
     * <p>All of it is reported on {@link SinkKeys#ROUTES}, since a Connect worker drops errors on keys that are not in the
     * static definition.
     */
    public static List<String> problems(Map<String, String> props) {
        List<String> problems = new ArrayList<>();
        List<String> names = routeNames(props);
        long slowest = 0;
        for (String name : names) {
            try {
                if (RouteReader.read(name, props) instanceof Route.Remote remote) {
                    slowest = Math.max(slowest, remote.limits().timeout().toMillis());
                }
            } catch (ConfigException e) {
                problems.add(e.getMessage());
            }
            if (!ROUTE_NAME.matcher(name).matches()) {
                problems.add(SinkKeys.ROUTES + ": a route's name is 1 to 64 of A-Z a-z 0-9 _ -, not '" + name + "'");
            }
        }
        if (names.size() != Set.copyOf(names).size()) {
            problems.add(SinkKeys.ROUTES + ": names a route twice");
        }
        pollInterval(props, slowest, problems);
        props.keySet().stream().sorted().forEach(key -> unknown(key, names, problems));
        return problems;
    }

    private static List<String> routeNames(Map<String, String> props) {
        String value = props.getOrDefault(SinkKeys.ROUTES, "");
        return Pattern.compile(",")
                .splitAsStream(value)
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    private static void pollInterval(Map<String, String> props, long slowest, List<String> problems) {
        try {
            long interval = Long.parseLong(
                    props.getOrDefault(SinkKeys.MAX_POLL_INTERVAL, Long.toString(DEFAULT_MAX_POLL_INTERVAL)));
            long put = Long.parseLong(props.getOrDefault(SinkKeys.PUT_TIMEOUT, SinkKeys.DEFAULT_PUT_TIMEOUT));
            if (put + slowest >= interval) {
                problems.add(SinkKeys.PUT_TIMEOUT + ": " + put + " ms and the slowest route's timeout of " + slowest
                        + " ms reach " + SinkKeys.MAX_POLL_INTERVAL + " of " + interval
                        + " ms; the group would take the partitions away from a task that is still in its calls");
            }
        } catch (NumberFormatException reportedOnTheKeyItself) {
            // Kafka's own validation of the two keys says so already.
        }
    }

    private static void unknown(String key, List<String> names, List<String> problems) {
        if (!key.startsWith(PREFIX) || SinkKeys.DEFINITION.names().contains(key)) {
            return;
        }
        if (key.startsWith(SinkKeys.PRODUCER_PREFIX)) {
            if (OWN_PRODUCER_SETTINGS.contains(key.substring(SinkKeys.PRODUCER_PREFIX.length()))) {
                problems.add(key + ": cannot be set; outcomes rest on its value");
            }
            return;
        }
        Set<String> known = new TreeSet<>(SinkKeys.DEFINITION.names());
        names.forEach(
                name -> RouteKeys.definition().names().forEach(setting -> known.add(RouteKeys.of(name, setting))));
        if (!known.contains(key)) {
            String nearest = NearestName.of(key, known)
                    .map(name -> "; did you mean " + name + "?")
                    .orElse("");
            problems.add(key + ": unknown setting; a misspelt key would leave a default in force, so it is refused"
                    + nearest + (isOfNoRoute(key, names) ? " (is the route named in " + SinkKeys.ROUTES + "?)" : ""));
        }
    }

    private static boolean isOfNoRoute(String key, List<String> names) {
        return key.startsWith(RouteKeys.PREFIX)
                && names.stream().map(name -> RouteKeys.of(name, "")).noneMatch(key::startsWith);
    }

    /** The routes by name, in the order they were given. */
    public Map<String, Route> routes() {
        return Map.copyOf(routes);
    }

    /** How to reach the ledger. */
    public LedgerSettings ledger() {
        return new LedgerSettings(
                getString(SinkKeys.LEDGER_URL),
                getString(SinkKeys.LEDGER_USER),
                getPassword(SinkKeys.LEDGER_PASSWORD).value(),
                getInt(SinkKeys.LEDGER_POOL_SIZE),
                Duration.ofMillis(getInt(SinkKeys.LEDGER_CONNECT_TIMEOUT)),
                Duration.ofMillis(getInt(SinkKeys.LEDGER_STATEMENT_TIMEOUT)));
    }

    public String outcomesTopic() {
        return getString(SinkKeys.OUTCOMES_TOPIC);
    }

    /** How long to wait for the acknowledgement of a batch of outcomes. */
    public Duration outcomesAckTimeout() {
        return Duration.ofMillis(getLong(SinkKeys.OUTCOMES_ACK_TIMEOUT));
    }

    /** Settings of the producer of outcomes, the connector's own put last so that none of them can be weakened. */
    public Map<String, Object> outcomesProducer() {
        Map<String, Object> producer = new LinkedHashMap<>(originalsWithPrefix(SinkKeys.PRODUCER_PREFIX));
        producer.put("bootstrap.servers", getList(SinkKeys.OUTCOMES_BOOTSTRAP));
        producer.put("acks", "all");
        producer.put("enable.idempotence", "true");
        int ack = Math.toIntExact(getLong(SinkKeys.OUTCOMES_ACK_TIMEOUT));
        producer.putIfAbsent("max.block.ms", Integer.toString(ack));
        producer.putIfAbsent("delivery.timeout.ms", Integer.toString(ack));
        producer.putIfAbsent("request.timeout.ms", Integer.toString(Math.max(1, ack / 2)));
        producer.putIfAbsent("linger.ms", "0");
        return producer;
    }

    /** After this time one {@code put} starts no further call. */
    public Duration putTimeout() {
        return Duration.ofMillis(getLong(SinkKeys.PUT_TIMEOUT));
    }

    /**
     * How long a claim holds: past the last moment at which a call of the same {@code put} can still be running, with room
     * for a slow ledger.
     */
    public Duration lease() {
        Duration slowest = routes.values().stream()
                .map(route ->
                        route instanceof Route.Remote remote ? remote.limits().timeout() : Duration.ZERO)
                .reduce(Duration.ZERO, (a, b) -> a.compareTo(b) > 0 ? a : b);
        return putTimeout().plus(slowest.multipliedBy(2)).plusSeconds(5);
    }
}
