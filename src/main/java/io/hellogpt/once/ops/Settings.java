package io.hellogpt.once.ops;

import org.apache.kafka.common.config.ConfigDef;

/**
 * Every setting: name, type, default, what is valid and what each choice costs. Named here, declared once in
 * {@link SettingsOfRequests} and {@link SettingsOfTheProcess}; the reference page is generated from them.
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
    public static final String COMMIT_SPACING_MS = "commit.spacing.ms";
    public static final String TRANSACTION_TIMEOUT_MS = "transaction.timeout.ms";
    public static final String REPLAY_RECORDING = "replay.recording";
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

    public static final String TRACING_OTLP_ENDPOINT = "tracing.otlp.endpoint";
    public static final String TRACING_SAMPLE_RATIO = "tracing.sample.ratio";

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
        SettingsDeclaration all = new SettingsDeclaration();
        SettingsOfTheProcess.cluster(all);
        SettingsOfRequests.declare(all);
        SettingsOfTheProcess.runtime(all);
        SettingsOfTheProcess.http(all);
        SettingsOfTheProcess.tracing(all);
        SettingsOfTheProcess.reconciliation(all);
        return all.definition();
    }
}
