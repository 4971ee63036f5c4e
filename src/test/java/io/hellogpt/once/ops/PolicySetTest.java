package io.hellogpt.once.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which policies an instance has, and what is said of one it does not have. */
class PolicySetTest {
    @TempDir
    Path dir;

    @Test
    void toolCallsIsThereWhereItsRulesAre() throws IOException {
        assertThat(PolicySet.of(OnceConfig.of(Map.of())).names())
                .containsExactly("commit-only", "contract", "declared");

        assertThat(PolicySet.of(withRules("{\"tools\":{\"t\":{\"route\":\"r\",\"parameters\":{}}}}"))
                        .names())
                .contains("tool-calls");
    }

    /** What the page shows is what can be used. */
    @Test
    void theExampleOfThePageIsValid() throws IOException {
        Matcher example = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("topology-docs", "policies.md")));
        assertThat(example.find()).isTrue();

        assertThat(PolicySet.of(withRules(example.group(1))).isKnown("tool-calls"))
                .isTrue();
    }

    @Test
    void rulesThatCannotBeReadStopTheStartAndNameTheFile() throws IOException {
        OnceConfig broken = withRules("{\"tools\":{}}");
        assertThatThrownBy(() -> PolicySet.of(broken))
                .isInstanceOf(ConfigError.class)
                .hasMessageContaining("rules.json: /tools names no tool");

        Files.delete(dir.resolve("rules.json"));
        assertThatThrownBy(() -> PolicySet.of(broken))
                .isInstanceOf(ConfigError.class)
                .hasMessageContaining("policy.tool.calls.file names")
                .hasMessageContaining("not there");
    }

    @Test
    void whoSendsRequestsIsToldOfPoliciesThatAreNotHere() {
        OnceConfig config = OnceConfig.of(Map.of());
        RequestSender.Parsed parsed = RequestSender.parse(
                config,
                List.of(
                        "{\"request_id\":\"r-1\",\"model\":\"m\",\"input\":\"x\",\"policy\":\"nowhere\"}",
                        "{\"request_id\":\"r-2\",\"model\":\"m\",\"input\":\"x\",\"policy\":\"nowhere\"}",
                        "{\"request_id\":\"r-3\",\"model\":\"m\",\"input\":\"x\"}"));

        assertThat(parsed.requests()).as("the instances may have it").hasSize(3);
        assertThat(RequestSender.unknownPolicies(config, parsed.requests()))
                .singleElement()
                .satisfies(
                        told -> assertThat(told).contains("policy 'nowhere' of 2 requests", "commit-only", "INVALID"));
    }

    private OnceConfig withRules(String json) throws IOException {
        Path file = Files.writeString(dir.resolve("rules.json"), json);
        return OnceConfig.of(Map.of("policy.tool.calls.file", file.toString()));
    }
}
