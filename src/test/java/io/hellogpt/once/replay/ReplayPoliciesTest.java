package io.hellogpt.once.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.ops.ConfigError;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.Settings;
import io.hellogpt.once.replay.capture.Manifest;
import io.hellogpt.once.topology.policy.Policies;
import io.hellogpt.once.topology.policy.ToolCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayPoliciesTest {
    private static final String RULES =
            "{\"tools\":{\"sign\":{\"route\":\"sign\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}}}";

    @TempDir
    Path dir;

    @Test
    void theRecordedRulesDecideWhereTheirFileIsNot() {
        String elsewhere = dir.resolve("rules.json").toString();

        Policies policies = policies(elsewhere, Map.of(Settings.POLICY_TOOL_CALLS_FILE, RULES), Map.of());

        assertThat(policies.isKnown(ToolCalls.NAME)).isTrue();
    }

    @Test
    void otherRulesDecideWhenTheyAreAskedFor() throws Exception {
        Path others = Files.writeString(dir.resolve("others.json"), "{\"tools\":{}}");

        assertThatThrownBy(() -> policies(
                        "rules.json",
                        Map.of(Settings.POLICY_TOOL_CALLS_FILE, RULES),
                        Map.of(Settings.POLICY_TOOL_CALLS_FILE, others.toString())))
                .isInstanceOf(ConfigError.class)
                .hasMessageContaining("others.json")
                .hasMessageContaining("names no tool");
    }

    /** As version 0.1.0 made them. */
    @Test
    void aCaptureWithoutTheContentNeedsTheFile() {
        String missing = dir.resolve("rules.json").toString();

        assertThatThrownBy(() -> policies(missing, Map.of(), Map.of()))
                .isInstanceOf(ConfigError.class)
                .hasMessageContaining("rules.json, which is not there");
    }

    private static Policies policies(String file, Map<String, String> files, Map<String, String> asked) {
        Manifest manifest = new Manifest(
                Manifest.FORMAT,
                "1",
                Manifest.Selection.EVERYTHING,
                0,
                false,
                1,
                List.of(),
                new TreeMap<>(Map.of(Settings.POLICY_TOOL_CALLS_FILE, file)),
                new TreeMap<>(files),
                new TreeMap<>(),
                new TreeMap<>());
        Manifest read = Manifest.parse(manifest.json().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
        Map<String, String> settings = new TreeMap<>(read.configuration());
        settings.putAll(asked);
        return ReplayPolicies.of(
                OnceConfig.of(settings), read, new ReplayOptions(Optional.empty(), asked, Optional.empty()));
    }
}
