package io.hellogpt.once.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.hellogpt.once.cli.Once;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.verify.Guarantee;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Holds README.md to the names of the code; {@link ReadmeIT} runs it. */
class ReadmeTest {
    private final Readme readme = Readme.read();

    @Test
    void everyTargetIsInTheMakefile() throws IOException {
        String makefile = Files.readString(Path.of("Makefile"));

        assertThat(readme.all("(?:`|\n|KEEP=1 )make ([a-z]+)"))
                .contains("demo", "test", "up", "help")
                .allSatisfy(target -> assertThat(makefile).containsPattern("(?m)^" + target + ":.*## "));
        assertThat(makefile).contains("$(KEEP)");
    }

    @Test
    void everyLinkLeadsSomewhere() {
        assertThat(readme.all("]\\(([^)#:]+)\\)"))
                .contains("topology-docs/configuration.md")
                .allSatisfy(path -> assertThat(Path.of(path)).exists());
    }

    @Test
    void everyCommandCanBeParsed() {
        assertThat(readme.commands())
                .hasSizeGreaterThan(10)
                .allSatisfy(words -> assertThatCode(() -> new CommandLine(new Once()).parseArgs(complete(words)))
                        .as(String.join(" ", words))
                        .doesNotThrowAnyException());
    }

    /** Verbs that are only named in the text get what they need to be parsed, and variables a value. */
    private static String[] complete(List<String> words) {
        return (words.size() == 1 ? Stream.of(words.getFirst(), "--help") : words.stream())
                .map(word -> word.replace("\"$LEDGER\"", "jdbc:postgresql://localhost/ledger"))
                .toArray(String[]::new);
    }

    @Test
    void everyGuaranteeIsPromised() {
        for (Guarantee guarantee : Guarantee.values()) {
            assertThat(readme.text()).contains("\n| " + guarantee.name() + " | ");
        }
    }

    @Test
    void everyTopicAConsumerReadsIsNamed() {
        assertThat(List.of(
                        Topics.REQUESTS,
                        Topics.COMMITTED_RESULTS,
                        Topics.FAILED_REQUESTS,
                        Topics.DUPLICATE_REQUESTS,
                        Topics.REJECTED_REQUESTS))
                .allSatisfy(topic -> assertThat(readme.text()).contains("`" + topic + "`"));
        assertThat(Stream.concat(Topics.INPUTS.stream(), Topics.OUTPUTS.stream()))
                .containsAll(readme.all("\\[/\"?([a-z-]+)"));
    }

    @Test
    void theWindowIsTheDefault() {
        assertThat(OnceConfig.of(Map.of()).duration("dedup.retention")).isEqualTo(Duration.ofDays(7));
        assertThat(readme.text()).contains("(`dedup.retention`, 7 days unless set)");
    }

    @Test
    void everyShellCommandOnAStackIsRun() {
        String run = readme.runnable().stream().map(Readme.Block::code).collect(Collectors.joining());

        assertThat(readme.all("(?m)^((?:bin/once|kcat) .*)$"))
                .allSatisfy(command -> assertThat(run).contains(command));
    }
}
