package io.hellogpt.once.connect.config;

import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigException;

/** The settings that are not of one route. */
public final class SinkKeys {
    public static final String ISOLATION = "consumer.override.isolation.level";
    public static final String MAX_POLL_INTERVAL = "consumer.override.max.poll.interval.ms";
    public static final String ROUTES = "once.routes";
    public static final String ALLOWED_HOSTS = "once.allowed.hosts";
    public static final String LEDGER_URL = "once.ledger.jdbc.url";
    public static final String LEDGER_USER = "once.ledger.jdbc.user";
    public static final String LEDGER_PASSWORD = "once.ledger.jdbc.password";
    public static final String LEDGER_POOL_SIZE = "once.ledger.pool.size";
    public static final String LEDGER_CONNECT_TIMEOUT = "once.ledger.connect.timeout.ms";
    public static final String LEDGER_STATEMENT_TIMEOUT = "once.ledger.statement.timeout.ms";
    public static final String OUTCOMES_BOOTSTRAP = "once.outcomes.bootstrap.servers";
    public static final String OUTCOMES_TOPIC = "once.outcomes.topic";
    public static final String OUTCOMES_FORMAT = "once.outcomes.format";
    public static final String OUTCOMES_ACK_TIMEOUT = "once.outcomes.ack.timeout.ms";

    static final String AVRO = "avro";
    static final String JSON = "json";
    static final String PRODUCER_PREFIX = "once.outcomes.producer.";
    static final ConfigDef DEFINITION = definition();

    private SinkKeys() {}

    private static ConfigDef definition() {
        ConfigDef def = new ConfigDef();
        reading(def);
        TaskKeys.define(def);
        ledger(def);
        outcomes(def);
        return def;
    }

    private static void reading(ConfigDef def) {
        String group = "Reading and executing";
        define(
                def,
                ISOLATION,
                Type.STRING,
                ConfigDef.NO_DEFAULT_VALUE,
                SinkKeys::readCommitted,
                group,
                "Must be read_committed. Connect's default would carry out effects of transactions that were aborted.");
        define(
                def,
                ROUTES,
                Type.LIST,
                ConfigDef.NO_DEFAULT_VALUE,
                null,
                group,
                "Names of the routes, separated by commas; each is set up below once.route.<name>. An effect for any other"
                        + " route is answered MALFORMED.");
        define(
                def,
                ALLOWED_HOSTS,
                Type.LIST,
                List.of(),
                null,
                group,
                "Hosts that routes may name in their URLs, token and probe URLs and as mail servers, separated by commas; *.example.com"
                        + " is everything below example.com. A route with any other is refused. Empty allows every host; no host is"
                        + " reached that no setting names, since redirects are not followed and payloads make no URLs.");
    }

    private static void ledger(ConfigDef def) {
        String group = "Ledger";
        define(
                def,
                LEDGER_URL,
                Type.STRING,
                ConfigDef.NO_DEFAULT_VALUE,
                SinkKeys::postgresql,
                group,
                "The PostgreSQL database that holds the ledger, as a JDBC URL. All tasks of all workers share one; two ledgers"
                        + " for one topic would carry out effects twice.");
        define(
                def,
                LEDGER_USER,
                Type.STRING,
                ConfigDef.NO_DEFAULT_VALUE,
                null,
                group,
                "Database user; may create the schema once_ledger, or finds it there.");
        define(def, LEDGER_PASSWORD, Type.PASSWORD, "", null, group, "Its password.");
        define(def, LEDGER_POOL_SIZE, Type.INT, 4, Range.between(1, 100), group, "Connections of one task.");
        define(
                def,
                LEDGER_CONNECT_TIMEOUT,
                Type.INT,
                5_000,
                Range.between(1_000, 60_000),
                group,
                "How long connecting may take, in milliseconds, before the batch is put off.");
        define(
                def,
                LEDGER_STATEMENT_TIMEOUT,
                Type.INT,
                30_000,
                Range.between(1_000, 120_000),
                group,
                "How long the database may be silent, in milliseconds, before the connection counts as lost and the batch is"
                        + " put off.");
    }

    private static void outcomes(ConfigDef def) {
        String group = "Outcomes";
        define(
                def,
                OUTCOMES_BOOTSTRAP,
                Type.LIST,
                ConfigDef.NO_DEFAULT_VALUE,
                null,
                group,
                "Brokers of the cluster that holds the topic of outcomes.");
        define(
                def,
                OUTCOMES_TOPIC,
                Type.STRING,
                "effect-outcomes",
                new ConfigDef.NonEmptyString(),
                group,
                "Topic of outcomes, keyed by request_id. The application reads it.");
        define(
                def,
                OUTCOMES_FORMAT,
                Type.STRING,
                AVRO,
                ConfigDef.ValidString.in(AVRO, JSON),
                group,
                "avro: single-object encoding with schemas/EffectOutcome.avsc, which the application needs. json: the same fields as"
                        + " one JSON object, for readers without Avro; the application cannot read those.");
        define(
                def,
                OUTCOMES_ACK_TIMEOUT,
                Type.LONG,
                30_000L,
                Range.between(100, 120_000),
                group,
                "How long to wait for the brokers to acknowledge an outcome, in milliseconds; then it is published again."
                        + " Offsets never move without the acknowledgement.");
    }

    private static void readCommitted(String key, Object value) {
        if (!"read_committed".equals(value)) {
            throw new ConfigException(
                    key, value, "must be read_committed, or effects of aborted transactions would be carried out");
        }
    }

    private static void postgresql(String key, Object value) {
        if (!(value instanceof String url) || !LedgerSettings.isJdbcUrl(url)) {
            throw new ConfigException(key, "hidden", "must be jdbc:postgresql://host:port/database");
        }
    }

    private static void define(
            ConfigDef def,
            String key,
            Type type,
            Object defaultValue,
            ConfigDef.Validator valid,
            String group,
            String doc) {
        Importance importance = ConfigDef.NO_DEFAULT_VALUE.equals(defaultValue) ? Importance.HIGH : Importance.MEDIUM;
        int order = def.configKeys().size();
        def.define(key, type, defaultValue, valid, importance, doc, group, order, Width.MEDIUM, key);
    }
}
