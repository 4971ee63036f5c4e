package io.hellogpt.once.connect.config;

import java.util.Locale;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;

/** Declares the settings of one group, in the order in which the reference page shows them. */
final class KeyGroup {
    private final ConfigDef def;
    private final String name;

    KeyGroup(ConfigDef def, String name) {
        this.def = def;
        this.name = name;
    }

    /** A setting that must be given. */
    KeyGroup required(String key, Type type, ConfigDef.Validator valid, String doc) {
        return define(key, type, ConfigDef.NO_DEFAULT_VALUE, valid, Importance.HIGH, doc);
    }

    /** A setting without which some class or type of route cannot be; null when it is not given. */
    KeyGroup optional(String key, Type type, String doc) {
        return define(key, type, null, null, Importance.MEDIUM, doc);
    }

    /** A setting in whose place the connector's own holds; null when it is not given. */
    KeyGroup unless(String key, Type type, ConfigDef.Range valid, String doc) {
        return define(key, type, null, CircuitKeys.ifGiven(valid), Importance.LOW, doc);
    }

    /** A setting with a default. */
    KeyGroup standard(String key, Type type, Object defaultValue, ConfigDef.Validator valid, String doc) {
        return define(key, type, defaultValue, valid, Importance.MEDIUM, doc);
    }

    private KeyGroup define(
            String key, Type type, Object defaultValue, ConfigDef.Validator valid, Importance importance, String doc) {
        String display = key.replace('.', ' ').toLowerCase(Locale.ROOT);
        int order = def.configKeys().size();
        def.define(key, type, defaultValue, valid, importance, doc, name, order, Width.MEDIUM, display);
        return this;
    }
}
