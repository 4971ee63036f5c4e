package io.hellogpt.once.connect.config;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigException;

/** The settings of how a task works, whatever the route. */
public final class TaskKeys {
    public static final String SEND_TIMEOUT = "once.send.timeout.ms";
    public static final String DRAIN_TIMEOUT = "once.drain.timeout.ms";
    public static final String QUEUE_RECORDS = "once.queue.max.records";
    public static final String QUEUE_BYTES = "once.queue.max.bytes";
    public static final String CIRCUIT_CALLS = "once.circuit.calls";
    public static final String CIRCUIT_FAILURE_RATE = "once.circuit.failure.rate.percent";
    public static final String CIRCUIT_OPEN = "once.circuit.open.ms";
    public static final String RETENTION = "once.ledger.retention.ms";
    public static final String PURGE_INTERVAL = "once.ledger.purge.interval.ms";

    static final Range CALLS_VALID = Range.between(1, 10_000);
    static final Range RATE_VALID = Range.between(1, 100);
    static final Range OPEN_VALID = Range.between(10, 3_600_000);

    private static final long DEFAULT_SEND_TIMEOUT = 10_000;
    private static final long DEFAULT_DRAIN_TIMEOUT = 15_000;
    private static final long DEFAULT_RETENTION = Duration.ofDays(30).toMillis();

    private TaskKeys() {}

    /** Adds the settings to the connector's definition. */
    static void define(ConfigDef def) {
        executing(def);
        circuit(def);
        retention(def);
    }

    private static void executing(ConfigDef def) {
        String group = "Executing";
        define(
                def,
                group,
                SEND_TIMEOUT,
                Type.LONG,
                DEFAULT_SEND_TIMEOUT,
                Range.between(100, 600_000),
                "After its claim in the ledger a call begins within this time, in milliseconds, or not at all: the claim is"
                        + " then given back. Longer means that after a crash an effect stays claimed for longer, shorter that"
                        + " a worker that was paused gives more claims back.");
        define(
                def,
                group,
                DRAIN_TIMEOUT,
                Type.LONG,
                DEFAULT_DRAIN_TIMEOUT,
                Range.between(0, 600_000),
                "How long calls that are out are waited for when partitions move to another task or the task stops, in"
                        + " milliseconds. A call that is cut off is in doubt, and UNKNOWN on an OPAQUE route, so it should be"
                        + " longer than the slowest route's timeout.ms; a worker gives a stopping task"
                        + " task.shutdown.graceful.timeout.ms, 5000 unless it is set, and the shorter of the two holds when its"
                        + " process ends. Must stay below the consumer's max.poll.interval.ms.");
        define(
                def,
                group,
                QUEUE_RECORDS,
                Type.INT,
                2_000,
                Range.between(1, 1_000_000),
                "Effects of one route a task holds, waiting or in a call, before it stops reading the partitions they come"
                        + " from. Until then a slow route holds up no other; more costs memory.");
        define(def, group, QUEUE_BYTES, Type.LONG, 33_554_432L, Range.atLeast(1), "The same in bytes of payload.");
    }

    private static void circuit(ConfigDef def) {
        String group = "Circuit breaker, for each route";
        define(
                def,
                group,
                CIRCUIT_CALLS,
                Type.INT,
                20,
                CALLS_VALID,
                "Over how many calls of a route the rate of failures is taken. Each route has a circuit breaker of its own, in each"
                        + " task; these settings hold for all that have none of their own, once.route.<name>.circuit.*.");
        define(
                def,
                group,
                CIRCUIT_FAILURE_RATE,
                Type.INT,
                50,
                RATE_VALID,
                "When this share of them, in percent, was not answered, or with a failure of the receiver's own, the route is"
                        + " given no further calls for a while. Its effects are answered RETRYABLE at once, with the time"
                        + " until it is tried again.");
        define(
                def,
                group,
                CIRCUIT_OPEN,
                Type.LONG,
                10_000L,
                OPEN_VALID,
                "How long a dead route is left alone before a few calls try it again, in milliseconds.");
    }

    private static void retention(ConfigDef def) {
        String group = "Retention";
        define(
                def,
                group,
                RETENTION,
                Type.LONG,
                DEFAULT_RETENTION,
                Range.atLeast(60_000),
                "How long the ledger keeps an effect after it has ended, in milliseconds. Must be longer than the topic of"
                        + " effects keeps its records and than the application's dedup.retention: an effect that is read again"
                        + " after it was forgotten is carried out again. What is open or UNKNOWN stays, and so does billing.");
        define(
                def,
                group,
                PURGE_INTERVAL,
                Type.LONG,
                3_600_000L,
                Range.atLeast(0),
                "How often each task removes rows past their retention, in milliseconds; 0 for never: then run `once ledger"
                        + " purge`, or the ledger grows for ever.");
    }

    /** Reads the settings. */
    static TaskSettings read(AbstractConfig config) {
        return new TaskSettings(
                Duration.ofMillis(config.getLong(SEND_TIMEOUT)),
                Duration.ofMillis(config.getLong(DRAIN_TIMEOUT)),
                config.getInt(QUEUE_RECORDS),
                config.getLong(QUEUE_BYTES),
                new TaskSettings.Circuit(
                        config.getInt(CIRCUIT_CALLS),
                        config.getInt(CIRCUIT_FAILURE_RATE),
                        Duration.ofMillis(config.getLong(CIRCUIT_OPEN))),
                new TaskSettings.Purge(
                        Duration.ofMillis(config.getLong(RETENTION)),
                        Duration.ofMillis(config.getLong(PURGE_INTERVAL))));
    }

    /** The send timeout alone, for the rules of the routes; its default for what is no number, which its own key reports. */
    static Duration sendTimeout(Map<String, String> props) {
        return Duration.ofMillis(number(props, SEND_TIMEOUT, DEFAULT_SEND_TIMEOUT));
    }

    /** The drain timeout alone, as {@link #sendTimeout}. */
    static Duration drainTimeout(Map<String, String> props) {
        return Duration.ofMillis(number(props, DRAIN_TIMEOUT, DEFAULT_DRAIN_TIMEOUT));
    }

    private static long number(Map<String, String> props, String key, long otherwise) {
        try {
            return (Long) ConfigDef.parseType(key, props.getOrDefault(key, Long.toString(otherwise)), Type.LONG);
        } catch (ConfigException reportedOnTheKeyItself) {
            return otherwise;
        }
    }

    private static void define(
            ConfigDef def,
            String group,
            String key,
            Type type,
            Object defaultValue,
            ConfigDef.Validator valid,
            String doc) {
        int order = def.configKeys().size();
        def.define(key, type, defaultValue, valid, Importance.MEDIUM, doc, group, order, Width.MEDIUM, key);
    }
}
