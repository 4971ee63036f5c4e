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
    private final Map<String, TaskSettings.Circuit> circuits;

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
        this.circuits = new LinkedHashMap<>();
        for (String name : getList(SinkKeys.ROUTES)) {
            routes.put(name, RouteReader.read(name, props));
            circuits.put(name, RouteReader.circuit(name, props, task().circuit()));
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
        for (String name : names) {
            try {
                RouteReader.read(name, props);
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
        pollInterval(props, problems);
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

    private static void pollInterval(Map<String, String> props, List<String> problems) {
        try {
            long interval = Long.parseLong(
                    props.getOrDefault(SinkKeys.MAX_POLL_INTERVAL, Long.toString(DEFAULT_MAX_POLL_INTERVAL)));
            long drain = TaskKeys.drainTimeout(props).toMillis();
            if (drain >= interval) {
                problems.add(TaskKeys.DRAIN_TIMEOUT + ": " + drain + " ms reach " + SinkKeys.MAX_POLL_INTERVAL + " of "
                        + interval + " ms; the group would go on without a task that waits for its calls");
            }
        } catch (NumberFormatException reportedOnTheKeyItself) {
            // Kafka's own validation of the key says so already.
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

    /** When a route counts as dead. */
    public TaskSettings.Circuit circuit(String route) {
        return circuits.get(route);
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

    /** Whether outcomes are written as JSON instead of Avro. */
    public boolean outcomesInJson() {
        return getString(SinkKeys.OUTCOMES_FORMAT).equals(SinkKeys.JSON);
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

    /** How a task works, whatever the route. */
    public TaskSettings task() {
        return TaskKeys.read(this);
    }

    /**
     * How long a claim holds: past the last moment at which its call can still be running, a probe before it included, with room
     * for a slow ledger.
     */
    public Duration lease() {
        Duration slowest = routes.values().stream()
                .map(route ->
                        route instanceof Route.Remote remote ? remote.limits().timeout() : Duration.ZERO)
                .reduce(Duration.ZERO, (a, b) -> a.compareTo(b) > 0 ? a : b);
        return task().sendTimeout().plus(slowest.multipliedBy(2)).plusSeconds(5);
    }
}
