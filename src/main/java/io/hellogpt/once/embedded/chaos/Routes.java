package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.SimulatedReceivers;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** The connector's routes in the rig: one for each class of effect, one to undo, one that calls back, and one that always fails. */
final class Routes {
    static final String SIGN = "sign";
    static final String REVOKE = "revoke";
    static final String NOTIFY = "notify";
    static final String CHARGE = "charge";
    static final String MAIL = "mail";
    static final String ORDER = "order";
    static final String IMPOSSIBLE = "impossible";
    static final String BILLING = "billing";

    /** How long a callback is waited for. */
    static final Duration CALLBACK = Duration.ofSeconds(5);

    /** Which class each route is of. */
    static final Map<String, String> CLASSES = Map.of(
            SIGN, "KEYED",
            REVOKE, "KEYED",
            NOTIFY, "KEYED",
            IMPOSSIBLE, "KEYED",
            ORDER, "KEYED",
            CHARGE, "PROBEABLE",
            MAIL, "OPAQUE",
            BILLING, "LOCAL");

    private static final Map<String, String> PATHS = Map.of(
            SIGN, SimulatedReceivers.SIGN,
            REVOKE, SimulatedReceivers.REVOKE,
            NOTIFY, SimulatedReceivers.NOTIFY,
            IMPOSSIBLE, SimulatedReceivers.IMPOSSIBLE,
            ORDER, SimulatedReceivers.ORDERS,
            CHARGE, SimulatedReceivers.CHARGES,
            MAIL, SimulatedReceivers.MAIL);

    private Routes() {}

    /** The connector's configuration; addresses come from each worker's environment, where its own proxies stand. */
    static Map<String, String> connector(String databaseUser) {
        Map<String, String> config = new TreeMap<>();
        config.put("connector.class", "io.hellogpt.once.connect.EffectSinkConnector");
        config.put("tasks.max", "2");
        config.put("topics", "effects");
        config.put("consumer.override.isolation.level", "read_committed");
        config.put("once.outcomes.bootstrap.servers", "${env:ONCE_BROKERS}");
        config.put("once.outcomes.ack.timeout.ms", "10000");
        config.put("once.ledger.jdbc.url", "${env:ONCE_LEDGER}");
        config.put("once.ledger.jdbc.user", databaseUser);
        config.put("once.ledger.connect.timeout.ms", "2000");
        config.put("once.ledger.statement.timeout.ms", "5000");
        config.put("once.send.timeout.ms", "5000");
        config.put("once.circuit.open.ms", "2000");
        config.put("once.routes", String.join(",", CLASSES.keySet()));
        CLASSES.forEach((route, effectClass) -> config.put("once.route." + route + ".class", effectClass));
        PATHS.forEach((route, path) -> {
            config.put("once.route." + route + ".url", "${env:ONCE_RECEIVERS}" + path);
            config.put("once.route." + route + ".private.addresses", "true");
            config.put("once.route." + route + ".timeout.ms", "3000");
            if (CLASSES.get(route).equals("KEYED")) {
                config.put("once.route." + route + ".key.window.ms", "86400000");
            }
        });
        config.put(
                "once.route.charge.probe.url", "${env:ONCE_RECEIVERS}" + SimulatedReceivers.CHARGES + "/{effect_id}");
        // Longer than a receiver can be paused, and than anything can be on its way.
        config.put("once.route.charge.probe.settle.ms", "8000");
        config.put("once.route.order.callback.timeout.ms", Long.toString(CALLBACK.toMillis()));
        config.put("once.route.billing.type", "billing");
        return config;
    }
}
