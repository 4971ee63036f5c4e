package io.hellogpt.once.ops;

import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;

import io.hellogpt.once.topology.policy.Policies;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigException;

/**
 * Every setting: name, type, default, what is valid and what each choice costs. Declared here and nowhere else; the reference
 * page is generated from it. Longer than a class should be, because one declaration in one place is the point of it.
 */
public final class Settings {
    public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
    public static final String APPLICATION_ID = "application.id";
    public static final String REPLICATION_FACTOR = "replication.factor";
    public static final String SCHEMA_REGISTRY_URL = "schema.registry.url";

    public static final String REQUEST_ID_PATTERN = "request.id.pattern";
    public static final String REQUEST_ID_MAX_LENGTH = "request.id.max.length";
    public static final String REQUEST_MAX_BYTES = "request.max.bytes";
    public static final String DEDUP_RETENTION = "dedup.retention";
    public static final String STASH_RETENTION = "stash.retention";

    public static final String MODEL_CLIENT = "model.client";
    public static final String MODEL_PRICE_TABLE = "model.price.table";
    public static final String MODEL_MAX_IN_FLIGHT = "model.max.in.flight";
    public static final String MODEL_CALL_TIMEOUT_MS = "model.call.timeout.ms";
    public static final String MODEL_MAX_ATTEMPTS = "model.max.attempts";
    public static final String MODEL_MAX_ELAPSED = "model.max.elapsed";
    public static final String MODEL_RETRY_BASE_MS = "model.retry.backoff.base.ms";
    public static final String MODEL_RETRY_MAX_MS = "model.retry.backoff.max.ms";
    public static final String SNAPSHOT_MAX_BYTES = "snapshot.max.bytes";

    public static final String POLICY_TOOL_CALLS_FILE = "policy.tool.calls.file";
    public static final String DECISION_MAX_EFFECTS = "decision.max.effects";

    public static final String EFFECT_MAX_ATTEMPTS = "effect.max.attempts";
    public static final String EFFECT_RETRY_BASE_MS = "effect.retry.backoff.base.ms";
    public static final String EFFECT_RETRY_MAX_MS = "effect.retry.backoff.max.ms";
    public static final String EFFECT_OUTCOME_TIMEOUT_MS = "effect.outcome.timeout.ms";
    public static final String HOLD_TIMEOUT = "hold.timeout";
    public static final String RESULTS_FORMAT = "results.format";
    public static final String BILLING_ENABLED = "billing.enabled";
    public static final String BILLING_ROUTE = "billing.route";

    public static final String NUM_STREAM_THREADS = "num.stream.threads";
    public static final String NUM_STANDBY_REPLICAS = "num.standby.replicas";
    public static final String STATE_DIR = "state.dir";
    public static final String COMMIT_INTERVAL_MS = "commit.interval.ms";
    public static final String TRANSACTION_TIMEOUT_MS = "transaction.timeout.ms";
    public static final String SHUTDOWN_DRAIN_TIMEOUT = "shutdown.drain.timeout";
    public static final String THREAD_REPLACEMENTS_PER_HOUR = "thread.replacements.per.hour";
    public static final String ROCKSDB_BLOCK_CACHE_BYTES = "rocksdb.block.cache.bytes";
    public static final String ROCKSDB_WRITE_BUFFER_BYTES = "rocksdb.write.buffer.bytes";

    public static final String HTTP_HOST = "http.host";
    public static final String HTTP_PORT = "http.port";
    public static final String HTTP_TOKENS_FILE = "http.tokens.file";
    public static final String HTTP_BODY_MAX_BYTES = "http.body.max.bytes";
    public static final String HTTP_HEADER_MAX_BYTES = "http.header.max.bytes";
    public static final String HTTP_CLIENT_TIMEOUT_MS = "http.client.timeout.ms";
    public static final String HTTP_MAX_CONNECTIONS = "http.max.connections";
    public static final String HTTP_MAX_STREAMS = "http.max.streams";
    public static final String HTTP_WAIT_MAX_MS = "http.wait.max.ms";
    public static final String HTTP_BACKLOG_MAX = "http.backlog.max";
    public static final String CHAT_POLICY = "chat.policy";
    public static final String CHAT_WAIT_MAX_MS = "chat.wait.max.ms";
    public static final String CHAT_DEDUP_WINDOW_MS = "chat.dedup.window.ms";
    public static final String CALLBACKS_FILE = "callbacks.file";
    public static final String CALLBACKS_TOLERANCE = "callbacks.tolerance";

    public static final String RECONCILE_INTERVAL = "reconcile.interval";
    public static final String RECONCILE_WINDOW = "reconcile.window";
    public static final String RECONCILE_GRACE = "reconcile.grace";
    public static final String RECONCILE_LEDGER_URL = "reconcile.ledger.url";
    public static final String RECONCILE_LEDGER_USER = "reconcile.ledger.user";
    public static final String RECONCILE_LEDGER_PASSWORD_FILE = "reconcile.ledger.password.file";

    /** The declaration. */
    public static final ConfigDef DEFINITION = define();

    private Settings() {}

    private static ConfigDef define() {
        Declaration all = new Declaration();
        cluster(all);
        intake(all);
        model(all);
        decisions(all);
        effects(all);
        runtime(all);
        http(all);
        reconciliation(all);
        return all.definition;
    }

    private static void cluster(Declaration all) {
        all.group("Cluster")
                .text(BOOTSTRAP_SERVERS, "localhost:9092", "Brokers to start from, host:port separated by commas.")
                .text(
                        APPLICATION_ID,
                        "hellogpt-once",
                        "Name of the application: consumer group, changelog topics and transactional ids carry it. Instances"
                                + " with the same id share the work. Another id starts with empty stores and reads every"
                                + " request again, so that everything is called, paid for and carried out a second time:"
                                + " never change it on a living system.")
                .number(
                        REPLICATION_FACTOR,
                        1,
                        between(1, 100),
                        "Copies of every topic and changelog. 1 loses acknowledged data with the one broker that holds it"
                                + " and is for one machine; use 3 wherever a request matters, with min.insync.replicas 2,"
                                + " which `once topics create` sets from it.")
                .text(
                        SCHEMA_REGISTRY_URL,
                        "",
                        "Schema registry to read Confluent-framed requests with. Empty: such records are rejected as"
                                + " MALFORMED. Nothing the system writes needs a registry. While the registry is down, framed"
                                + " requests with a schema not seen before wait.")
                .choice(
                        RESULTS_FORMAT,
                        "avro",
                        List.of("avro", "json"),
                        "How committed-results, failed-requests, duplicate-requests and rejected-requests are written: `avro`"
                                + " (single-object encoding, compact, evolvable) or `json` (readable with any client, about half"
                                + " as large again). Both can be read side by side after a change; `once tail` and `once verify`"
                                + " read either.");
    }

    private static void intake(Declaration all) {
        all.group("Requests")
                .text(
                        REQUEST_ID_PATTERN,
                        "[A-Za-z0-9._:-]+",
                        Settings::requirePattern,
                        "Regular expression a whole request_id must match; anything else is rejected as INVALID. Wider"
                                + " patterns let through characters that receivers, URLs and logs may not bear.")
                .number(
                        REQUEST_ID_MAX_LENGTH,
                        128,
                        between(1, 512),
                        "Longest request_id in characters. Each character is kept in every store and topic for every request.")
                .number(
                        REQUEST_MAX_BYTES,
                        900_000,
                        between(1_000, 2_000_000),
                        "Largest request record accepted; larger ones are rejected as TOO_LARGE with their first bytes kept."
                                + " The request is stored until its answer is recorded, so large ones cost changelog and disk.")
                .duration(
                        DEDUP_RETENTION,
                        "7d",
                        "How long after its ending a request_id is remembered, in the time of the requests topic and not of the"
                                + " clock. A duplicate inside the window is answered with the original ending; a record known to be"
                                + " older than the window is rejected as EXPIRED. Longer costs disk and restore time in proportion"
                                + " to the number of requests; shorter refuses producers that retry late.")
                .duration(
                        STASH_RETENTION,
                        "1d",
                        "How long an answer that arrived before its request waits for it. Must outlast the longest outage after"
                                + " which a request may still be read; when it passes, the request is called, and paid for, again.");
    }

    private static void model(Declaration all) {
        all.group("Model")
                .text(
                        MODEL_CLIENT,
                        "openai",
                        "Who answers: `openai` (any OpenAI-compatible chat completions server), `simulated`, or the name of a"
                                + " ModelClient found on the class path. Its own settings follow as `model.<client>.*`.")
                .text(
                        MODEL_PRICE_TABLE,
                        "",
                        "File with what each model's tokens cost. Empty: a built-in example, whose sums are not what a provider"
                                + " bills. The table's version is kept with every cost computed from it.")
                .number(
                        MODEL_MAX_IN_FLIGHT,
                        64,
                        between(1, 100_000),
                        "Model calls one instance runs at the same time; what does not fit waits in the store, in arrival order for"
                                + " each model."
                                + " Higher finishes a backlog sooner if the provider's rate limit allows it; it also raises the"
                                + " number of calls a crash may repeat, and each holds its answer in memory.")
                .millis(
                        MODEL_CALL_TIMEOUT_MS,
                        120_000,
                        "How long one model call may take before it is given up and counted as a retryable failure. Too short"
                                + " pays for answers that are thrown away; too long leaves a request of a dead instance waiting for"
                                + " as long.")
                .number(
                        MODEL_MAX_ATTEMPTS,
                        10,
                        between(1, 1_000),
                        "Failed model calls after which a request fails as MODEL_EXHAUSTED. Calls cut off by a shutdown or"
                                + " refused for an invalid key do not count.")
                .duration(
                        MODEL_MAX_ELAPSED,
                        "1h",
                        "No model call is begun later than this after the first one that failed began; the request fails as"
                                + " MODEL_EXHAUSTED instead, also when attempts are left or a Retry-After reaches beyond it. Waits"
                                + " for a slot, for an invalid key or for an open circuit do not count. Longer outlasts longer"
                                + " outages of the provider; shorter tells callers sooner.")
                .millis(
                        MODEL_RETRY_BASE_MS,
                        1_000,
                        "Upper bound of the first wait between model calls; it doubles with each failure, with full jitter. A"
                                + " longer Retry-After of the provider is honoured.")
                .millis(
                        MODEL_RETRY_MAX_MS,
                        60_000,
                        "Upper bound of every wait between model calls of our own. Shorter loads a provider that is down; longer"
                                + " delays requests after it is back.")
                .number(
                        SNAPSHOT_MAX_BYTES,
                        900_000,
                        between(1_000, 2_000_000),
                        "Largest answer recorded, in bytes; a larger one fails its request as SNAPSHOT_TOO_LARGE, although it is"
                                + " paid for. Every answer is kept in a store, a changelog and three topics.");
    }

    private static void decisions(Declaration all) {
        all.group("Decisions")
                .text(
                        POLICY_TOOL_CALLS_FILE,
                        "",
                        "JSON file with the tools a model may call under the policy `tool-calls`, and what each call becomes; see"
                                + " topology-docs/policies.md. Read at the start; every instance must have the same one, and a"
                                + " changed one decides answers recorded from then on. Empty: there is no such policy, and requests"
                                + " that name it are rejected as INVALID.")
                .number(
                        DECISION_MAX_EFFECTS,
                        Policies.MAX_EFFECTS,
                        between(1, 10_000),
                        "Most effects of one decision, whatever its policy; with more the request is held as POLICY_ERROR. They"
                                + " are kept in one record of the store: many large ones do not fit into it, and fail the request.");
    }

    private static void effects(Declaration all) {
        all.group("Effects")
                .number(
                        EFFECT_MAX_ATTEMPTS,
                        10,
                        between(1, 1_000),
                        "Attempts of one effect in all. When they are used up the effect has failed: what was carried out is"
                                + " compensated, or, past the pivot, a person is asked.")
                .millis(
                        EFFECT_RETRY_BASE_MS,
                        500,
                        "Upper bound of the first wait between attempts of an effect; it doubles with each, with full jitter.")
                .millis(
                        EFFECT_RETRY_MAX_MS,
                        300_000,
                        "Upper bound of every wait between attempts of an effect. Together with effect.max.attempts it decides how"
                                + " long a receiver may be down before its requests fail.")
                .millis(
                        EFFECT_OUTCOME_TIMEOUT_MS,
                        600_000,
                        "How long an issued attempt may stay without an outcome before it is issued again. Safe at any value, since"
                                + " the connector's ledger executes an attempt once; shorter writes more records while the"
                                + " connector is down, longer notices a lost outcome later.")
                .duration(
                        HOLD_TIMEOUT,
                        "1d",
                        "How long a request that waits for a person stays quiet before it is reported again. It never ends by"
                                + " itself.")
                .flag(
                        BILLING_ENABLED,
                        true,
                        "Book every recorded answer in the billing ledger before its request ends. Off: no ledger row is written,"
                                + " and what was spent can only be summed from the snapshots.")
                .text(
                        BILLING_ROUTE,
                        "billing",
                        "The connector's route for billing. The connector must know it, or every request is held as"
                                + " BILLING_FAILED.");
    }

    private static void runtime(Declaration all) {
        all.group("Process")
                .number(
                        NUM_STREAM_THREADS,
                        2,
                        between(1, 256),
                        "Stream threads of this instance. More than its share of partitions idle. Model calls do not use them.")
                .number(
                        NUM_STANDBY_REPLICAS,
                        0,
                        between(0, 8),
                        "Warm copies of each store on other instances. 0: a takeover restores from the changelog first, which takes"
                                + " minutes per million requests; 1 makes it seconds and doubles disk and restore traffic.")
                .text(
                        STATE_DIR,
                        "state",
                        "Directory of the RocksDB stores, one per instance. Losing it loses nothing, but the stores are restored from"
                                + " their changelogs before work goes on. A temporary directory makes every restart such a restore.")
                .millis(
                        COMMIT_INTERVAL_MS,
                        100,
                        "Longest time between transaction commits under load, in milliseconds. Consumers of the results see them"
                                + " that much later; shorter costs broker work for every partition, longer costs latency.")
                .millis(
                        TRANSACTION_TIMEOUT_MS,
                        10_000,
                        "After how long the broker aborts the transaction of an instance that died. Until then, readers of every"
                                + " topic it wrote stand still at that point. No transaction spans a model call, so start-up refuses"
                                + " more than half of model.call.timeout.ms, and less than twice commit.interval.ms.")
                .duration(
                        SHUTDOWN_DRAIN_TIMEOUT,
                        "130s",
                        "How long a SIGTERM waits for running model calls; it ends as soon as none runs. Calls still running then"
                                + " are repeated by another instance and paid for twice, so keep it above model.call.timeout.ms; the"
                                + " start warns otherwise. The supervisor must wait a minute longer than this before it kills"
                                + " (Kubernetes: terminationGracePeriodSeconds, 30 s unless set).")
                .number(
                        THREAD_REPLACEMENTS_PER_HOUR,
                        20,
                        between(0, 100_000),
                        "How many stream threads that died of an unexpected error are replaced within an hour before the process"
                                + " ends instead, so that a supervisor and an operator see it. 0: the first one ends the process.")
                .number64(
                        ROCKSDB_BLOCK_CACHE_BYTES,
                        128 * 1024L * 1024,
                        atLeast(8 * 1024 * 1024),
                        "Memory for blocks, indexes and bloom filters of all stores of the process together. Too small sends dedup"
                                + " look-ups to disk. Not part of the Java heap: add it to the container's limit.")
                .number64(
                        ROCKSDB_WRITE_BUFFER_BYTES,
                        64 * 1024L * 1024,
                        atLeast(4 * 1024 * 1024),
                        "Memory for unflushed writes of all stores of the process together, counted within the block cache's limit."
                                + " Smaller flushes more often.");
    }

    private static void http(Declaration all) {
        all.group("HTTP")
                .text(
                        HTTP_HOST,
                        "127.0.0.1",
                        "Address the HTTP API listens on. The default answers this machine only; any other address needs"
                                + " http.tokens.file, or the start is refused.")
                .number(
                        HTTP_PORT,
                        8080,
                        between(0, 65_535),
                        "Port of the HTTP API. 0 takes a free one and logs which. Other instances hand requests on to it: it must be"
                                + " reachable for them.")
                .text(
                        HTTP_TOKENS_FILE,
                        "",
                        "File with who may call: a line per token with its name, its SHA-256 in hex, its roles (submit, read, operate,"
                                + " payload, separated by commas) and perhaps when it expires (ISO 8601). Read again when it"
                                + " changes. Every instance needs the same one. Empty: whoever reaches the API on this machine may do"
                                + " everything, which the start warns of.")
                .number(
                        HTTP_BODY_MAX_BYTES,
                        2_000_000,
                        between(1_000, 100_000_000),
                        "Longest body read; longer ones get 413. Each is held in memory while it is worked on. A request may not be"
                                + " larger than request.max.bytes whatever this says.")
                .number(
                        HTTP_HEADER_MAX_BYTES,
                        16_384,
                        between(1_024, 1_000_000),
                        "Longest request line and headers; longer ones are refused and the connection is closed.")
                .millis(
                        HTTP_CLIENT_TIMEOUT_MS,
                        30_000,
                        "How long a client may take for its headers, for its body, to take a piece of an answer, and between two requests."
                                + " Slower ones get 408 or are cut off. Longer lets slow clients hold connections; shorter cuts"
                                + " off clients on bad lines.")
                .number(
                        HTTP_MAX_CONNECTIONS,
                        2_000,
                        between(1, 1_000_000),
                        "Connections open at the same time; further ones wait to be accepted. A client that waits for an answer holds"
                                + " one.")
                .number(
                        HTTP_MAX_STREAMS,
                        20,
                        between(0, 10_000),
                        "Clients of /v1/stream at the same time; further ones get 429. Each reads all events with a consumer of its own,"
                                + " some MB of memory.")
                .millis(
                        HTTP_WAIT_MAX_MS,
                        300_000,
                        "Longest wait for an ending that `Prefer: wait` is given. A proxy in between must wait longer than that.")
                .number(
                        HTTP_BACKLOG_MAX,
                        10_000,
                        between(1, 10_000_000),
                        "How many requests may wait for a model call on an instance before it answers new ones over HTTP with 429. Requests"
                                + " from the topic are taken all the same. Higher makes clients wait longer instead of being told"
                                + " to come back; counting costs a scan of as many keys every two seconds under load.");
        all.group("Chat completions")
                .text(
                        CHAT_POLICY,
                        "commit-only",
                        "Policy that decides about answers to /v1/chat/completions. With `tool-calls` the tools a model calls become"
                                + " effects, carried out once, before the client sees the answer.")
                .millis(
                        CHAT_WAIT_MAX_MS,
                        590_000,
                        "How long a chat completion is waited for before the client gets 503 and is to ask again with the same key; the"
                                + " request goes on. Keep it below the client's own timeout, 10 minutes for OpenAI's.")
                .number64(
                        CHAT_DEDUP_WINDOW_MS,
                        0,
                        between(0, 86_400_000),
                        "How long the same content from the same token is the same request when a chat client sends no Idempotency-Key."
                                + " 0: never, every one is called and paid for. With a window a client's own retries cost nothing;"
                                + " a client that really wants two answers to the same prompt gets one within it.");
        all.group("Callbacks")
                .text(
                        CALLBACKS_FILE,
                        "",
                        "Properties file with the routes whose receivers call back: `<route>.secrets` (whsec_ and base64, several"
                                + " separated by spaces while one is being changed) and, where the receiver's body is not"
                                + " {effect_id, received_at, result, reference, detail}, JSON pointers `<route>.effect.id`,"
                                + " `.received.at` (none: the body never says it), `.result`,"
                                + " `.reference`, `.detail` and the words `.result.succeeded`, `.result.failed`,"
                                + " `.result.ignored`. Empty: every callback is refused with 401.")
                .duration(
                        CALLBACKS_TOLERANCE,
                        "5m",
                        "How far the time a callback was signed at may be from this machine's. Longer lets a callback that was"
                                + " listened in on be sent again for longer, which changes nothing, since it counts once;"
                                + " shorter refuses senders whose clocks are off.");
    }

    private static void reconciliation(Declaration all) {
        all.group("Reconciliation")
                .duration(
                        RECONCILE_INTERVAL,
                        "5m",
                        "How often topics, stores and ledger are compared. Each time the last window of four topics is read, for the"
                                + " partitions of this instance; of more than 20,000 requests a sample.")
                .duration(
                        RECONCILE_WINDOW,
                        "10m",
                        "How far back a comparison looks. At least twice the interval, or a difference cannot be confirmed by a"
                                + " second look and is never reported.")
                .duration(
                        RECONCILE_GRACE,
                        "1m",
                        "What is younger is not judged yet: its records may not be seen everywhere.")
                .text(
                        RECONCILE_LEDGER_URL,
                        "",
                        "JDBC URL of the connector's database. Empty: bills and effects are not compared with the ledger.")
                .text(RECONCILE_LEDGER_USER, "", "User of that database; only needs to read.")
                .text(
                        RECONCILE_LEDGER_PASSWORD_FILE,
                        "",
                        "File with that user's password. A file, so that it stands in no configuration and no process list.");
    }

    private static void requirePattern(String name, Object value) {
        try {
            Pattern.compile((String) value);
        } catch (PatternSyntaxException broken) {
            throw new ConfigException(name, value, "is not a regular expression: " + broken.getDescription());
        }
    }

    /** Writes a {@link ConfigDef} group by group. */
    private static final class Declaration {
        private final ConfigDef definition = new ConfigDef();
        private String group = "";
        private int order;

        Declaration group(String name) {
            group = name;
            order = 0;
            return this;
        }

        Declaration text(String name, String standard, String doc) {
            return add(name, Type.STRING, standard, null, doc);
        }

        Declaration text(String name, String standard, ConfigDef.Validator validator, String doc) {
            return add(
                    name,
                    Type.STRING,
                    standard,
                    ConfigDef.LambdaValidator.with(validator::ensureValid, () -> "a regular expression"),
                    doc);
        }

        Declaration choice(String name, String standard, List<String> choices, String doc) {
            return add(name, Type.STRING, standard, ConfigDef.ValidString.in(choices.toArray(String[]::new)), doc);
        }

        Declaration duration(String name, String standard, String doc) {
            return add(name, Type.STRING, standard, Durations.POSITIVE, doc);
        }

        Declaration millis(String name, long standard, String doc) {
            return add(name, Type.LONG, standard, between(1, Integer.MAX_VALUE), doc);
        }

        Declaration number(String name, int standard, ConfigDef.Validator validator, String doc) {
            return add(name, Type.INT, standard, validator, doc);
        }

        Declaration number64(String name, long standard, ConfigDef.Validator validator, String doc) {
            return add(name, Type.LONG, standard, validator, doc);
        }

        Declaration flag(String name, boolean standard, String doc) {
            return add(name, Type.BOOLEAN, standard, null, doc);
        }

        private Declaration add(String name, Type type, Object standard, ConfigDef.Validator validator, String doc) {
            definition.define(
                    name, type, standard, validator, Importance.MEDIUM, doc, group, order++, Width.MEDIUM, name);
            return this;
        }
    }
}
