package io.hellogpt.once.ops;

import io.hellogpt.once.core.NearestName;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.RequestIdFormat;
import io.hellogpt.once.core.RetryPolicy;
import io.hellogpt.once.model.CallLimits;
import io.hellogpt.once.model.ModelLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/**
 * A validated configuration. Immutable. What each setting means stands at {@link Settings}.
 *
 * <p>Names with a prefix are passed on without the prefix and are not checked here: {@code kafka.} to every Kafka client,
 * {@code kafka.streams.}, {@code kafka.producer.} and {@code kafka.consumer.} to that kind only, and {@code model.<client>.} to
 * the model client of that name. Only what {@link KafkaReserved} lists is refused. {@code model.limits.} is read by
 * {@link ModelLimitSettings}.
 */
public final class OnceConfig {
    private static final Set<String> BUILT_IN_CLIENTS = Set.of("openai", "simulated");

    private final Map<String, Object> settings;
    private final Map<String, String> passedOn;

    private OnceConfig(Map<String, Object> settings, Map<String, String> passedOn) {
        this.settings = Map.copyOf(settings);
        this.passedOn = Map.copyOf(passedOn);
    }

    /**
     * Checks names and values.
     *
     * @throws ConfigError naming the first unknown setting and its nearest known name, the one that must not be passed on, or the
     *     invalid value
     */
    public static OnceConfig of(Map<String, String> values) {
        Map<String, String> own = new TreeMap<>();
        Map<String, String> passedOn = new TreeMap<>();
        String client = values.getOrDefault(Settings.MODEL_CLIENT, "openai");
        values.forEach((name, value) -> {
            if (Settings.DEFINITION.names().contains(name)) {
                own.put(name, value);
            } else if (isPassedOn(name, client)) {
                KafkaReserved.check(name);
                passedOn.put(name, value);
            } else {
                throw new ConfigError(unknown(name));
            }
        });
        try {
            OnceConfig config = new OnceConfig(Settings.DEFINITION.parse(own), passedOn);
            config.requireConsistent();
            config.callLimits();
            return config;
        } catch (ConfigException invalid) {
            throw new ConfigError(invalid.getMessage(), invalid);
        }
    }

    private static boolean isPassedOn(String name, String client) {
        return name.startsWith(KafkaClients.PREFIX)
                || name.startsWith(ModelLimitSettings.PREFIX)
                || name.startsWith("model." + client + ".")
                || BUILT_IN_CLIENTS.stream().anyMatch(known -> name.startsWith("model." + known + "."));
    }

    private static String unknown(String name) {
        String nearest = NearestName.of(name, new TreeSet<>(Settings.DEFINITION.names()))
                .map(known -> "; did you mean " + known + "?")
                .orElse("; `once run --help` says where all settings are listed");
        return "there is no setting " + name + nearest;
    }

    private void requireConsistent() {
        long transaction = millis(Settings.TRANSACTION_TIMEOUT_MS);
        long call = millis(Settings.MODEL_CALL_TIMEOUT_MS);
        if (transaction > call / 2) {
            throw new ConfigError(
                    "%s is %d, more than half of %s (%d): a transaction must never live as long as a model call; lower the first or raise the second"
                            .formatted(
                                    Settings.TRANSACTION_TIMEOUT_MS,
                                    transaction,
                                    Settings.MODEL_CALL_TIMEOUT_MS,
                                    call));
        }
        if (transaction < 2 * millis(Settings.COMMIT_INTERVAL_MS)) {
            throw new ConfigError("%s is %d, less than twice %s: transactions would be aborted while in use"
                    .formatted(Settings.TRANSACTION_TIMEOUT_MS, transaction, Settings.COMMIT_INTERVAL_MS));
        }
        if (duration(Settings.RECONCILE_WINDOW)
                        .compareTo(duration(Settings.RECONCILE_INTERVAL).multipliedBy(2))
                < 0) {
            throw new ConfigError("%s is less than twice %s: no difference could be confirmed by a second look"
                    .formatted(Settings.RECONCILE_WINDOW, Settings.RECONCILE_INTERVAL));
        }
        requireUrl(Settings.TRACING_OTLP_ENDPOINT);
        requireOrdered(Settings.MODEL_RETRY_BASE_MS, Settings.MODEL_RETRY_MAX_MS);
        requireOrdered(Settings.EFFECT_RETRY_BASE_MS, Settings.EFFECT_RETRY_MAX_MS);
    }

    private void requireUrl(String name) {
        if (!text(name).isEmpty() && !text(name).matches("https?://[^/\\s]+(/\\S*)?")) {
            throw new ConfigError(name + " is '" + text(name) + "', which is no URL with http or https");
        }
    }

    private void requireOrdered(String base, String max) {
        if (millis(base) > millis(max)) {
            throw new ConfigError(base + " is " + millis(base) + ", more than " + max + " (" + millis(max) + ")");
        }
    }

    /** What can be run with, but has a consequence that may not be meant; one sentence each. */
    public List<String> warnings() {
        Duration drain = duration(Settings.SHUTDOWN_DRAIN_TIMEOUT);
        Duration call = Duration.ofMillis(millis(Settings.MODEL_CALL_TIMEOUT_MS));
        return drain.compareTo(call) >= 0
                ? List.of()
                : List.of(
                        "%s (%d s) is shorter than %s (%d s): a stop gives up calls that run longer, and each is made and paid for again"
                                .formatted(
                                        Settings.SHUTDOWN_DRAIN_TIMEOUT,
                                        drain.toSeconds(),
                                        Settings.MODEL_CALL_TIMEOUT_MS,
                                        call.toSeconds()));
    }

    /** The value of a declared setting, as the definition types it. */
    public Object value(String name) {
        return settings.get(name);
    }

    public String text(String name) {
        return (String) settings.get(name);
    }

    public int number(String name) {
        return (Integer) settings.get(name);
    }

    /** A setting in milliseconds or bytes. */
    public long millis(String name) {
        return (Long) settings.get(name);
    }

    /** A setting from 0 to 1. */
    public double ratio(String name) {
        return (Double) settings.get(name);
    }

    public boolean flag(String name) {
        return (Boolean) settings.get(name);
    }

    public Duration duration(String name) {
        return Durations.parse(text(name));
    }

    /** The numbers the protocol depends on. */
    public ProtocolSettings protocol() {
        return new ProtocolSettings(
                duration(Settings.DEDUP_RETENTION),
                Duration.ofMillis(millis(Settings.MODEL_CALL_TIMEOUT_MS)),
                new RetryPolicy(
                        Duration.ofMillis(millis(Settings.MODEL_RETRY_BASE_MS)),
                        Duration.ofMillis(millis(Settings.MODEL_RETRY_MAX_MS)),
                        number(Settings.MODEL_MAX_ATTEMPTS),
                        Optional.of(duration(Settings.MODEL_MAX_ELAPSED))),
                new RetryPolicy(
                        Duration.ofMillis(millis(Settings.EFFECT_RETRY_BASE_MS)),
                        Duration.ofMillis(millis(Settings.EFFECT_RETRY_MAX_MS)),
                        number(Settings.EFFECT_MAX_ATTEMPTS)),
                Duration.ofMillis(millis(Settings.EFFECT_OUTCOME_TIMEOUT_MS)),
                duration(Settings.HOLD_TIMEOUT),
                duration(Settings.STASH_RETENTION),
                number(Settings.SNAPSHOT_MAX_BYTES));
    }

    /** Which strings may be a request_id. */
    public RequestIdFormat requestIds() {
        return new RequestIdFormat(
                Pattern.compile(text(Settings.REQUEST_ID_PATTERN)), number(Settings.REQUEST_ID_MAX_LENGTH));
    }

    /** The route of the billing effect, empty when billing is off. */
    public Optional<String> billingRoute() {
        return flag(Settings.BILLING_ENABLED) ? Optional.of(text(Settings.BILLING_ROUTE)) : Optional.empty();
    }

    /** What the chosen model client is to know, {@code model.openai.base.url} as {@code base.url}. */
    public Map<String, String> modelClient() {
        Map<String, String> client = passedOn("model." + text(Settings.MODEL_CLIENT) + ".");
        client.put("price.table", text(Settings.MODEL_PRICE_TABLE));
        client.put(Settings.SNAPSHOT_MAX_BYTES, Integer.toString(number(Settings.SNAPSHOT_MAX_BYTES)));
        return client;
    }

    /** What models may be asked for. */
    public CallLimits callLimits() {
        Map<String, ModelLimits> models = ModelLimitSettings.parse(passedOn(ModelLimitSettings.PREFIX));
        return new CallLimits(
                number(Settings.MODEL_MAX_IN_FLIGHT),
                models,
                models.getOrDefault(ModelLimitSettings.OTHERS, ModelLimits.NONE),
                assumedOutputTokens());
    }

    /** A client that limits every answer by itself says how long one may be; what it cannot read it will complain of. */
    private long assumedOutputTokens() {
        String own = passedOn.getOrDefault("model." + text(Settings.MODEL_CLIENT) + ".max.tokens", "");
        return own.matches("[1-9][0-9]{0,8}") ? Long.parseLong(own) : CallLimits.ASSUMED_OUTPUT_TOKENS;
    }

    /** What starts with {@code prefix}, without it. */
    Map<String, String> passedOn(String prefix) {
        Map<String, String> values = new TreeMap<>();
        passedOn.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                values.put(name.substring(prefix.length()), value);
            }
        });
        return values;
    }

    /** Configuration of the Streams client. */
    public Properties streams() {
        return new KafkaClients(this).streams();
    }

    /** Configuration of the gateway's producer for the journal: idempotent, not transactional. */
    public Properties journalProducer() {
        return new KafkaClients(this).journalProducer();
    }

    /** Configuration of a producer of requests. */
    public Properties producer() {
        return new KafkaClients(this).producer();
    }

    /** Configuration of a producer of single records that a client waits for. */
    public Properties promptProducer() {
        return new KafkaClients(this).promptProducer();
    }

    /** Configuration of a consumer without a group that sees committed records only. */
    public Properties reader() {
        return new KafkaClients(this).reader();
    }

    /**
     * Who reads the connector's database.
     *
     * @throws ConfigError when the password's file cannot be read
     */
    public Properties ledgerLogin() {
        Properties login = new Properties();
        if (!text(Settings.RECONCILE_LEDGER_USER).isEmpty()) {
            login.put("user", text(Settings.RECONCILE_LEDGER_USER));
        }
        String file = text(Settings.RECONCILE_LEDGER_PASSWORD_FILE);
        if (!file.isEmpty()) {
            try {
                login.put("password", Files.readString(Path.of(file)).strip());
            } catch (IOException unreadable) {
                throw new ConfigError(
                        Settings.RECONCILE_LEDGER_PASSWORD_FILE + " names " + file + ", which cannot be read",
                        unreadable);
            }
        }
        return login;
    }

    /** Configuration of an admin client. */
    public Properties admin() {
        return new KafkaClients(this).admin();
    }
}
