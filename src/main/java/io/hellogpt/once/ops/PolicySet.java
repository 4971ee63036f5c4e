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

/** The decision policies of a configuration: those on the class path, and {@code tool-calls} where its rules are given. */
public final class PolicySet {
    private PolicySet() {}

    /** @throws ConfigError when the rules cannot be read, are not valid, or two policies have one name */
    public static Policies of(OnceConfig config) {
        String file = config.text(Settings.POLICY_TOOL_CALLS_FILE);
        List<DecisionPolicy> configured = file.isEmpty() ? List.of() : List.of(toolCalls(Path.of(file)));
        try {
            return Policies.installed(configured, config.number(Settings.DECISION_MAX_EFFECTS));
        } catch (IllegalStateException ambiguous) {
            throw new ConfigError(ambiguous.getMessage(), ambiguous);
        }
    }

    private static ToolCalls toolCalls(Path file) {
        try {
            return new ToolCalls(ToolRulesJson.read(Files.readString(file, StandardCharsets.UTF_8)));
        } catch (NoSuchFileException missing) {
            throw new ConfigError(Settings.POLICY_TOOL_CALLS_FILE + " names " + file + ", which is not there", missing);
        } catch (IOException unreadable) {
            throw new ConfigError(
                    Settings.POLICY_TOOL_CALLS_FILE + " names " + file + ", which cannot be read", unreadable);
        } catch (IllegalArgumentException invalid) {
            throw new ConfigError(file + ": " + invalid.getMessage(), invalid);
        }
    }
}
