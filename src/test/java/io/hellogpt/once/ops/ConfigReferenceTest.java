package io.hellogpt.once.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigReferenceTest {
    private static final Path PAGE = Path.of("topology-docs", "configuration.md");

    @Test
    void thePageSaysWhatTheCodeSays() throws IOException {
        assertThat(PAGE).as("run `make docs`").exists();
        assertThat(Files.readString(PAGE)).as("run `make docs`").isEqualTo(ConfigReference.markdown());
    }

    @Test
    void everySettingStatesItsConsequence() {
        assertThat(Settings.DEFINITION.configKeys().values())
                .allSatisfy(key ->
                        assertThat(key.documentation).hasSizeGreaterThan(40).endsWith("."));
    }
}
