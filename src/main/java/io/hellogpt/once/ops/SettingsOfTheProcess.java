package io.hellogpt.once.ops;

import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;

import java.util.List;

/** Declares what an instance is and how it is reached: cluster, threads and stores, HTTP, reconciliation. */
final class SettingsOfTheProcess {
    private SettingsOfTheProcess() {}

    static void cluster(SettingsDeclaration all) {
        all.group("Cluster")
                .text(
                        Settings.BOOTSTRAP_SERVERS,
                        "localhost:9092",
                        "Brokers to start from, host:port separated by commas.")
                .text(
                        Settings.APPLICATION_ID,
                        "hellogpt-once",
                        "Name of the application: consumer group, changelog topics and transactional ids carry it. Instances"
                                + " with the same id share the work. Another id starts with empty stores and reads every"
                                + " request again, so that everything is called, paid for and carried out a second time:"
                                + " never change it on a living system.")
                .number(
                        Settings.REPLICATION_FACTOR,
                        1,
                        between(1, 100),
                        "Copies of every topic and changelog. 1 loses acknowledged data with the one broker that holds it"
                                + " and is for one machine; use 3 wherever a request matters, with min.insync.replicas 2,"
                                + " which `once topics create` sets from it.")
                .text(
                        Settings.SCHEMA_REGISTRY_URL,
                        "",
                        "Schema registry to read Confluent-framed requests with. Empty: such records are rejected as"
                                + " MALFORMED. Nothing the system writes needs a registry. While the registry is down, framed"
                                + " requests with a schema not seen before wait.")
                .choice(
                        Settings.RESULTS_FORMAT,
                        "avro",
                        List.of("avro", "json"),
                        "How committed-results, failed-requests, duplicate-requests and rejected-requests are written: `avro`"
                                + " (single-object encoding, compact, evolvable) or `json` (readable with any client, about half"
                                + " as large again). Both can be read side by side after a change; `once tail` and `once verify`"
                                + " read either.");
    }

    static void runtime(SettingsDeclaration all) {
        all.group("Process")
                .number(
                        Settings.NUM_STREAM_THREADS,
                        2,
                        between(1, 256),
                        "Stream threads of this instance. More than its share of partitions idle. Model calls do not use them.")
                .number(
                        Settings.NUM_STANDBY_REPLICAS,
                        0,
                        between(0, 8),
                        "Warm copies of each store on other instances. 0: a takeover restores from the changelog first, which takes"
                                + " minutes per million requests; 1 makes it seconds and doubles disk and restore traffic.")
                .text(
                        Settings.STATE_DIR,
                        "state",
                        "Directory of the RocksDB stores, one per instance, never a copy of another's: the instance's name in the"
                                + " consumer group is in it. Losing it loses nothing, but the stores are restored from"
                                + " their changelogs before work goes on. A temporary directory makes every restart such a restore.")
                .millis(
                        Settings.COMMIT_INTERVAL_MS,
                        100,
                        "Longest time between transaction commits under load, in milliseconds. Consumers of the results see them"
                                + " that much later; shorter costs broker work for every partition, longer costs latency.")
                .millis(
                        Settings.COMMIT_SPACING_MS,
                        5,
                        "Shortest time between commits at low load, in milliseconds: then a commit is asked for as soon as there is"
                                + " something to show, instead of waiting for commit.interval.ms. Under load it has no effect. Shorter"
                                + " shows results earlier and costs a transaction each time; with commit.interval.ms or more early"
                                + " commits come no oftener than the others.")
                .millis(
                        Settings.TRANSACTION_TIMEOUT_MS,
                        10_000,
                        "After how long the broker aborts the transaction of an instance that died. Until then, readers of every"
                                + " topic it wrote stand still at that point. No transaction spans a model call, so start-up refuses"
                                + " more than half of model.call.timeout.ms, and less than twice commit.interval.ms.")
                .flag(
                        Settings.REPLAY_RECORDING,
                        false,
                        "Whether each step of a task leaves a record on task-steps: which record it read, when, and who got a slot."
                                + " With it `once capture` takes what happened and `once replay` repeats it exactly. It costs about two"
                                + " more small records for each request, on top of its five, and what happens while it is off can"
                                + " never be captured.")
                .duration(
                        Settings.SHUTDOWN_DRAIN_TIMEOUT,
                        "130s",
                        "How long a SIGTERM waits for running model calls; it ends as soon as none runs. Calls still running then"
                                + " are repeated by another instance and paid for twice, so keep it above model.call.timeout.ms; the"
                                + " start warns otherwise. The supervisor must wait a minute longer than this before it kills"
                                + " (Kubernetes: terminationGracePeriodSeconds, 30 s unless set).")
                .number(
                        Settings.THREAD_REPLACEMENTS_PER_HOUR,
                        20,
                        between(0, 100_000),
                        "How many stream threads that died of an unexpected error are replaced within an hour before the process"
                                + " ends instead, so that a supervisor and an operator see it. 0: the first one ends the process.")
                .number64(
                        Settings.ROCKSDB_BLOCK_CACHE_BYTES,
                        128 * 1024L * 1024,
                        atLeast(8 * 1024 * 1024),
                        "Memory for blocks, indexes and bloom filters of all stores of the process together. Too small sends dedup"
                                + " look-ups to disk. Not part of the Java heap: add it to the container's limit.")
                .number64(
                        Settings.ROCKSDB_WRITE_BUFFER_BYTES,
                        64 * 1024L * 1024,
                        atLeast(4 * 1024 * 1024),
                        "Memory for unflushed writes of all stores of the process together, counted within the block cache's limit."
                                + " Smaller flushes more often.");
    }

    static void http(SettingsDeclaration all) {
        all.group("HTTP")
                .text(
                        Settings.HTTP_HOST,
                        "127.0.0.1",
                        "Address the HTTP API listens on. The default answers this machine only; any other address needs"
                                + " http.tokens.file, or the start is refused.")
                .number(
                        Settings.HTTP_PORT,
                        8080,
                        between(0, 65_535),
                        "Port of the HTTP API. 0 takes a free one and logs which. Other instances hand requests on to it: it must be"
                                + " reachable for them.")
                .text(
                        Settings.HTTP_TOKENS_FILE,
                        "",
                        "File with who may call: a line per token with its name, its SHA-256 in hex, its roles (submit, read, operate,"
                                + " payload, separated by commas) and perhaps when it expires (ISO 8601). Read again when it"
                                + " changes. Every instance needs the same one. Empty: whoever reaches the API on this machine may do"
                                + " everything, which the start warns of.")
                .number(
                        Settings.HTTP_BODY_MAX_BYTES,
                        2_000_000,
                        between(1_000, 100_000_000),
                        "Longest body read; longer ones get 413. Each is held in memory while it is worked on. A request may not be"
                                + " larger than request.max.bytes whatever this says.")
                .number(
                        Settings.HTTP_HEADER_MAX_BYTES,
                        16_384,
                        between(1_024, 1_000_000),
                        "Longest request line and headers; longer ones are refused and the connection is closed.")
                .millis(
                        Settings.HTTP_CLIENT_TIMEOUT_MS,
                        30_000,
                        "How long a client may take for its headers, for its body, to take a piece of an answer, and between two requests."
                                + " Slower ones get 408 or are cut off. Longer lets slow clients hold connections; shorter cuts"
                                + " off clients on bad lines.")
                .number(
                        Settings.HTTP_MAX_CONNECTIONS,
                        2_000,
                        between(1, 1_000_000),
                        "Connections open at the same time; further ones wait to be accepted. A client that waits for an answer holds"
                                + " one.")
                .number(
                        Settings.HTTP_MAX_STREAMS,
                        20,
                        between(0, 10_000),
                        "Clients of /v1/stream at the same time; further ones get 429. Each reads all events with a consumer of its own,"
                                + " some MB of memory.")
                .millis(
                        Settings.HTTP_WAIT_MAX_MS,
                        300_000,
                        "Longest wait for an ending that `Prefer: wait` is given. A proxy in between must wait longer than that.")
                .number(
                        Settings.HTTP_BACKLOG_MAX,
                        10_000,
                        between(1, 10_000_000),
                        "How many requests may wait for a model call on an instance before it answers new ones over HTTP with 429. Requests"
                                + " from the topic are taken all the same. Higher makes clients wait longer instead of being told"
                                + " to come back; counting costs a scan of as many keys every two seconds under load.");
        all.group("Chat completions")
                .text(
                        Settings.CHAT_POLICY,
                        "commit-only",
                        "Policy that decides about answers to /v1/chat/completions. With `tool-calls` the tools a model calls become"
                                + " effects, carried out once, before the client sees the answer.")
                .millis(
                        Settings.CHAT_WAIT_MAX_MS,
                        590_000,
                        "How long a chat completion is waited for before the client gets 503 and is to ask again with the same key; the"
                                + " request goes on. Keep it below the client's own timeout, 10 minutes for OpenAI's.")
                .number64(
                        Settings.CHAT_DEDUP_WINDOW_MS,
                        0,
                        between(0, 86_400_000),
                        "How long the same content from the same token is the same request when a chat client sends no Idempotency-Key."
                                + " 0: never, every one is called and paid for. With a window a client's own retries cost nothing;"
                                + " a client that really wants two answers to the same prompt gets one within it.");
        all.group("Callbacks")
                .text(
                        Settings.CALLBACKS_FILE,
                        "",
                        "Properties file with the routes whose receivers call back: `<route>.secrets` (whsec_ and base64, several"
                                + " separated by spaces while one is being changed) and, where the receiver's body is not"
                                + " {effect_id, received_at, result, reference, detail}, JSON pointers `<route>.effect.id`,"
                                + " `.received.at` (none: the body never says it), `.result`,"
                                + " `.reference`, `.detail` and the words `.result.succeeded`, `.result.failed`,"
                                + " `.result.ignored`. Empty: every callback is refused with 401.")
                .duration(
                        Settings.CALLBACKS_TOLERANCE,
                        "5m",
                        "How far the time a callback was signed at may be from this machine's. Longer lets a callback that was"
                                + " listened in on be sent again for longer, which changes nothing, since it counts once;"
                                + " shorter refuses senders whose clocks are off.");
    }

    static void tracing(SettingsDeclaration all) {
        all.group("Tracing")
                .text(
                        Settings.TRACING_OTLP_ENDPOINT,
                        "",
                        "URL of an OpenTelemetry collector that takes traces by OTLP over HTTP, as"
                                + " http://localhost:4318/v1/traces. Each request is then told of as spans, sent in the background;"
                                + " while the collector is away up to 16,384 are kept, further ones are left out, and requests"
                                + " are not held up. Empty: no spans, and a request's trace is handed on as it came.")
                .ratio(
                        Settings.TRACING_SAMPLE_RATIO,
                        1.0,
                        "Which share of the requests that come without a traceparent begin a trace, from 0 for none to 1 for all. A"
                                + " request that comes with one is told of if its sender records it. Means nothing without"
                                + " tracing.otlp.endpoint; about seven spans for each such request.");
    }

    static void reconciliation(SettingsDeclaration all) {
        all.group("Reconciliation")
                .duration(
                        Settings.RECONCILE_INTERVAL,
                        "5m",
                        "How often topics, stores and ledger are compared. Each time the last window of four topics is read, for the"
                                + " partitions of this instance; of more than 20,000 requests a sample.")
                .duration(
                        Settings.RECONCILE_WINDOW,
                        "10m",
                        "How far back a comparison looks. At least twice the interval, or a difference cannot be confirmed by a"
                                + " second look and is never reported.")
                .duration(
                        Settings.RECONCILE_GRACE,
                        "1m",
                        "What is younger is not judged yet: its records may not be seen everywhere.")
                .text(
                        Settings.RECONCILE_LEDGER_URL,
                        "",
                        "JDBC URL of the connector's database. Empty: bills and effects are not compared with the ledger.")
                .text(Settings.RECONCILE_LEDGER_USER, "", "User of that database; only needs to read.")
                .text(
                        Settings.RECONCILE_LEDGER_PASSWORD_FILE,
                        "",
                        "File with that user's password. A file, so that it stands in no configuration and no process list.");
    }
}
