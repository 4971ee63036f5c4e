package io.hellogpt.once.connect.config;

import org.apache.kafka.common.config.ConfigDef;

/** The settings of one route, below {@code once.route.<name>.}; each concern declares and reads its own. */
public final class RouteKeys {
    /** What stands before a route's name. */
    public static final String PREFIX = "once.route.";

    private static final ConfigDef DEFINITION = define();

    private RouteKeys() {}

    /** The full name of {@code key} for {@code route}. */
    public static String of(String route, String key) {
        return PREFIX + route + "." + key;
    }

    /** The settings of one route, named without the prefix. */
    public static ConfigDef definition() {
        return DEFINITION;
    }

    private static ConfigDef define() {
        ConfigDef def = new ConfigDef();
        TargetKeys.define(def);
        RecoveryKeys.define(def);
        ResponseKeys.define(def);
        PayloadKeys.define(def);
        LimitKeys.define(def);
        CircuitKeys.define(def);
        CredentialKeys.define(def);
        SigningKeys.define(def);
        NetworkKeys.define(def);
        MailKeys.define(def);
        return def;
    }
}
