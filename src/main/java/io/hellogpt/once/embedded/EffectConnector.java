package io.hellogpt.once.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** The sink connector as the embedded worker runs it: where its archive is, and how it is set up. */
public final class EffectConnector {
    static final String NAME = "once-effects";
    static final String SIGN = "sign";
    static final String NOTIFY = "notify";
    static final String BILLING = "billing";

    private static final String PLUGIN_PATH = "once.connect.plugin.path";
    /** The simulated receivers never forget a key; a day is what a real one promises. */
    private static final String KEY_WINDOW_MS = "86400000";

    private EffectConnector() {}

    /**
     * The directory with the unpacked archive, as the launcher or the build names it.
     *
     * @throws EmbeddedException if there is none
     */
    public static Path plugins() {
        String path = System.getProperty(PLUGIN_PATH);
        if (path == null || path.isBlank()) {
            throw new EmbeddedException(
                    "where the connector's archive is unpacked is not known: start this with bin/once, or set -D"
                            + PLUGIN_PATH);
        }
        Path plugins = Path.of(path);
        try (Stream<Path> found = Files.isDirectory(plugins) ? Files.list(plugins) : Stream.empty()) {
            if (found.findAny().isEmpty()) {
                throw new EmbeddedException("the connector's archive is not in " + plugins + ": run make build");
            }
        } catch (java.io.IOException e) {
            throw new EmbeddedException("the directory " + plugins + " cannot be read", e);
        }
        return plugins;
    }

    static Map<String, String> config(String brokers, String database, String receivers) {
        return Map.ofEntries(
                Map.entry("connector.class", "io.hellogpt.once.connect.EffectSinkConnector"),
                Map.entry("tasks.max", "2"),
                Map.entry("topics", "effects"),
                Map.entry("consumer.override.isolation.level", "read_committed"),
                Map.entry("once.outcomes.bootstrap.servers", brokers),
                Map.entry("once.outcomes.topic", "effect-outcomes"),
                Map.entry("once.ledger.jdbc.url", database),
                Map.entry("once.ledger.jdbc.user", EmbeddedDatabase.USER),
                Map.entry("once.routes", String.join(",", SIGN, NOTIFY, BILLING)),
                Map.entry("once.route.sign.class", "KEYED"),
                Map.entry("once.route.sign.private.addresses", "true"),
                Map.entry("once.route.sign.url", receivers + SimulatedReceivers.SIGN),
                Map.entry("once.route.sign.key.window.ms", KEY_WINDOW_MS),
                Map.entry("once.route.notify.class", "KEYED"),
                Map.entry("once.route.notify.private.addresses", "true"),
                Map.entry("once.route.notify.url", receivers + SimulatedReceivers.NOTIFY),
                Map.entry("once.route.notify.key.window.ms", KEY_WINDOW_MS),
                Map.entry("once.route.billing.class", "LOCAL"),
                Map.entry("once.route.billing.type", "billing"));
    }
}
