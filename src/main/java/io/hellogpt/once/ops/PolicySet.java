package io.hellogpt.once.ops;

import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.topology.policy.Policies;
import io.hellogpt.once.topology.policy.ToolCalls;
import io.hellogpt.once.topology.policy.ToolRulesJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The decision policies of a configuration: those on the class path, and {@code tool-calls} where its rules are given. */
public final class PolicySet {
    private PolicySet() {}

    /** @throws ConfigError when the rules cannot be read, are not valid, or two policies have one name */
    public static Policies of(OnceConfig config) {
        return of(config, toolRules(config));
    }

    /**
     * @param toolRules the rules of {@code tool-calls}, as JSON, wherever they stand; empty when that policy is not set up
     * @throws ConfigError when the rules are not valid, or two policies have one name
     */
    public static Policies of(OnceConfig config, Optional<String> toolRules) {
        List<DecisionPolicy> configured =
                toolRules
                        .<DecisionPolicy>map(rules -> toolCalls(config.text(Settings.POLICY_TOOL_CALLS_FILE), rules))
                        .stream()
                        .toList();
        try {
            return Policies.installed(configured, config.number(Settings.DECISION_MAX_EFFECTS));
        } catch (IllegalStateException ambiguous) {
            throw new ConfigError(ambiguous.getMessage(), ambiguous);
        }
    }

    /**
     * What stands in the file of rules, if a configuration names one.
     *
     * @throws ConfigError when it cannot be read
     */
    public static Optional<String> toolRules(OnceConfig config) {
        String file = config.text(Settings.POLICY_TOOL_CALLS_FILE);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.readString(Path.of(file), StandardCharsets.UTF_8));
        } catch (NoSuchFileException missing) {
            throw new ConfigError(Settings.POLICY_TOOL_CALLS_FILE + " names " + file + ", which is not there", missing);
        } catch (IOException unreadable) {
            throw new ConfigError(
                    Settings.POLICY_TOOL_CALLS_FILE + " names " + file + ", which cannot be read", unreadable);
        }
    }

    private static ToolCalls toolCalls(String file, String rules) {
        try {
            return new ToolCalls(ToolRulesJson.read(rules));
        } catch (IllegalArgumentException invalid) {
            throw new ConfigError(file + ": " + invalid.getMessage(), invalid);
        }
    }
}
