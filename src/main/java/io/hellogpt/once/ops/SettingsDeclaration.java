package io.hellogpt.once.ops;

import static org.apache.kafka.common.config.ConfigDef.Range.between;

import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;

/** Writes a {@link ConfigDef} group by group. */
final class SettingsDeclaration {
    private final ConfigDef definition = new ConfigDef();
    private String group = "";
    private int order;

    SettingsDeclaration group(String name) {
        group = name;
        order = 0;
        return this;
    }

    SettingsDeclaration text(String name, String standard, String doc) {
        return add(name, Type.STRING, standard, null, doc);
    }

    SettingsDeclaration text(String name, String standard, ConfigDef.Validator validator, String doc) {
        return add(
                name,
                Type.STRING,
                standard,
                ConfigDef.LambdaValidator.with(validator::ensureValid, () -> "a regular expression"),
                doc);
    }

    SettingsDeclaration choice(String name, String standard, List<String> choices, String doc) {
        return add(name, Type.STRING, standard, ConfigDef.ValidString.in(choices.toArray(String[]::new)), doc);
    }

    SettingsDeclaration duration(String name, String standard, String doc) {
        return add(name, Type.STRING, standard, Durations.POSITIVE, doc);
    }

    SettingsDeclaration millis(String name, long standard, String doc) {
        return add(name, Type.LONG, standard, between(1, Integer.MAX_VALUE), doc);
    }

    SettingsDeclaration number(String name, int standard, ConfigDef.Validator validator, String doc) {
        return add(name, Type.INT, standard, validator, doc);
    }

    SettingsDeclaration number64(String name, long standard, ConfigDef.Validator validator, String doc) {
        return add(name, Type.LONG, standard, validator, doc);
    }

    SettingsDeclaration ratio(String name, double standard, String doc) {
        return add(name, Type.DOUBLE, standard, between(0, 1), doc);
    }

    SettingsDeclaration flag(String name, boolean standard, String doc) {
        return add(name, Type.BOOLEAN, standard, null, doc);
    }

    private SettingsDeclaration add(
            String name, Type type, Object standard, ConfigDef.Validator validator, String doc) {
        definition.define(name, type, standard, validator, Importance.MEDIUM, doc, group, order++, Width.MEDIUM, name);
        return this;
    }

    ConfigDef definition() {
        return definition;
    }
}
