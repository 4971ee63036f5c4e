package io.hellogpt.once.ops;

import io.hellogpt.once.model.ModelLimits;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigException;

/**
 * The settings {@code model.limits.<model>.*}. Names of models may hold dots, so a setting is told by its end.
 */
public final class ModelLimitSettings {
    public static final String PREFIX = "model.limits.";
    /** In place of a model's name: every model that has no setting of that kind of its own. */
    public static final String OTHERS = "*";

    static final String MAX_IN_FLIGHT = "max.in.flight";
    static final String REQUESTS_PER_MINUTE = "requests.per.minute";
    static final String TOKENS_PER_MINUTE = "tokens.per.minute";

    /** The declaration, without prefix and model. 0 is no limit. */
    static final ConfigDef DEFINITION = define();

    private ModelLimitSettings() {}

    private static ConfigDef define() {
        ConfigDef definition = new ConfigDef();
        add(
                definition,
                MAX_IN_FLIGHT,
                Type.INT,
                0,
                Range.between(0, 100_000),
                "Calls of this model one instance runs at the same time, within model.max.in.flight. 0: no limit of its own, so"
                        + " that one slow model can take every slot and the requests of the others wait for it.");
        add(
                definition,
                REQUESTS_PER_MINUTE,
                Type.LONG,
                0L,
                Range.between(0, 100_000_000),
                "Calls of this model one instance starts in a minute, failed ones included. Spread evenly, with up to ten seconds'"
                        + " worth at once after a pause. Each instance counts for itself: divide what the provider allows by the"
                        + " number of instances. 0: no limit; what goes beyond the provider's is answered 429 and costs attempts.");
        add(
                definition,
                TOKENS_PER_MINUTE,
                Type.LONG,
                0L,
                Range.between(0, 1_000_000_000_000L),
                "Tokens of this model one instance uses in a minute, prompts and answers together, spread as above. Before a call a"
                        + " quarter of its bytes and its max_tokens are set aside (without max_tokens: model.<client>.max.tokens, or"
                        + " 1000); the answer's own usage corrects that, a failed call keeps it. A request that needs more than ten"
                        + " seconds' worth goes out when that much is free, and the next ones wait longer. Each instance counts for"
                        + " itself. 0: no limit.");
        return definition;
    }

    private static void add(
            ConfigDef definition, String name, Type type, Object standard, ConfigDef.Validator valid, String doc) {
        definition.define(name, type, standard, valid, Importance.MEDIUM, doc, "Model limits", -1, Width.MEDIUM, name);
    }

    /**
     * The limits of each model named, {@link #OTHERS} among them.
     *
     * @param values names without {@link #PREFIX}
     * @throws ConfigException naming the setting that is not known, names no model or is not valid
     */
    static Map<String, ModelLimits> parse(Map<String, String> values) {
        Map<String, Map<String, String>> byModel = new TreeMap<>();
        values.forEach((name, value) -> {
            String end = end(name)
                    .orElseThrow(() -> new ConfigException("there is no setting " + PREFIX + name
                            + "; a limit of a model is " + PREFIX + "<model>. followed by one of "
                            + DEFINITION.names().stream().sorted().toList()));
            String model = name.substring(0, name.length() - end.length() - 1);
            byModel.computeIfAbsent(model, key -> new HashMap<>()).put(end, value);
        });
        Map<String, String> others = byModel.getOrDefault(OTHERS, Map.of());
        Map<String, ModelLimits> limits = new TreeMap<>();
        byModel.forEach((model, own) -> {
            Map<String, String> all = new HashMap<>(others);
            all.putAll(own);
            limits.put(model, limits(model, all));
        });
        return limits;
    }

    private static Optional<String> end(String name) {
        return DEFINITION.names().stream()
                .filter(end -> name.endsWith("." + end) && name.length() > end.length() + 1)
                .findFirst();
    }

    private static ModelLimits limits(String model, Map<String, String> values) {
        try {
            Map<String, Object> parsed = DEFINITION.parse(values);
            int inFlight = (Integer) parsed.get(MAX_IN_FLIGHT);
            return new ModelLimits(
                    inFlight == 0 ? OptionalInt.empty() : OptionalInt.of(inFlight),
                    limit(parsed.get(REQUESTS_PER_MINUTE)),
                    limit(parsed.get(TOKENS_PER_MINUTE)));
        } catch (ConfigException invalid) {
            throw new ConfigException("of " + PREFIX + model + ": " + invalid.getMessage());
        }
    }

    private static OptionalLong limit(Object perMinute) {
        return (Long) perMinute == 0 ? OptionalLong.empty() : OptionalLong.of((Long) perMinute);
    }
}
