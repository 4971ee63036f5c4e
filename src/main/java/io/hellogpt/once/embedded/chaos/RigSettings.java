package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.EmbeddedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How the parts of the rig are set up: everything that waits waits for seconds, so that a run of a minute sees it. */
final class RigSettings {
    /** A share of everything goes wrong all the time, whatever else is broken. */
    private static final String MODEL_FAULTS = """
            {"rate_limited": 0.04, "server_error": 0.04, "timeout": 0.01, "truncated": 0.02, "cut_json": 0.01, "refused": 0.01, "rejected": 0.005, "too_large": 0.001, "retry_after_seconds": 1, "hang_ms": 15000}""";

    /** An answer that calls no tool needs a person's yes; one that does is an effect. */
    private static final String TOOLS = """
            {"no_call": "hold", "refused_call": "hold",
             "tools": {"notify": {"route": "notify", "parameters": {"type": "object"}}}}""";

    private static final String RECEIVER_FAULTS =
            "{\"error\": 0.04, \"reset\": 0.03, \"slow\": 0.05, \"slow_millis\": 400}";

    private final Path dir;
    private final long seed;

    RigSettings(Path dir, ChaosSettings settings) {
        this.dir = dir;
        this.seed = settings.seed();
    }

    List<String> model() {
        return List.of(
                "--latency-ms", "150", "--token-ms", "8", "--faults", MODEL_FAULTS, "--seed", Long.toString(seed));
    }

    List<String> receivers() {
        return List.of("--faults", RECEIVER_FAULTS, "--seed", Long.toString(seed));
    }

    /** @param modelPort where this instance finds the model */
    Map<String, String> instance(String brokers, int modelPort) {
        Map<String, String> values = new TreeMap<>();
        values.put("bootstrap.servers", brokers);
        values.put("replication.factor", Integer.toString(Rig.REPLICATION));
        values.put("model.client", "openai");
        values.put("model.openai.base.url", "http://127.0.0.1:" + modelPort + "/v1");
        values.put("model.openai.api.key.file", apiKey().toString());
        values.put("model.openai.provider", "simulated");
        values.put("callbacks.file", callbacks().toString());
        values.put("policy.tool.calls.file", tools().toString());
        values.put("model.max.in.flight", "100");
        values.put("model.call.timeout.ms", "12000");
        values.put("model.retry.backoff.max.ms", "4000");
        values.put("effect.retry.backoff.max.ms", "4000");
        values.put("effect.outcome.timeout.ms", "20000");
        values.put("replay.recording", "true");
        values.put("num.stream.threads", "1");
        values.put("commit.interval.ms", "200");
        values.put("transaction.timeout.ms", "6000");
        values.put("shutdown.drain.timeout", "15s");
        values.put("kafka.consumer.session.timeout.ms", "6000");
        values.put("kafka.consumer.heartbeat.interval.ms", "1500");
        values.put("rocksdb.block.cache.bytes", Integer.toString(24 << 20));
        values.put("rocksdb.write.buffer.bytes", Integer.toString(8 << 20));
        return values;
    }

    /** The simulated model takes any key. */
    private Path apiKey() {
        return written("api-key", "simulated\n");
    }

    private Path callbacks() {
        return written("callbacks.properties", Routes.ORDER + ".secrets = " + CallbackSender.SECRET + "\n");
    }

    private Path tools() {
        return written("tools.json", TOOLS);
    }

    private Path written(String name, String text) {
        Path file = dir.resolve(name);
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new EmbeddedException("the file " + file + " could not be written", e);
        }
    }
}
