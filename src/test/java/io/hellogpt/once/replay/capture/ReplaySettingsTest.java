package io.hellogpt.once.replay.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplaySettingsTest {
    @TempDir
    Path dir;

    @Test
    void aFileASettingNamesIsKeptWithItsContent() throws Exception {
        Path rules = Files.writeString(dir.resolve("rules.json"), "{\"tools\": {}}");

        assertThat(ReplaySettings.files(config(rules)))
                .containsExactly(Map.entry(Settings.POLICY_TOOL_CALLS_FILE, "{\"tools\": {}}"));
        assertThat(ReplaySettings.files(OnceConfig.of(Map.of()))).isEmpty();
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> ReplaySettings.files(config(dir.resolve("none.json"))))
                .isInstanceOf(UnusableCaptureException.class)
                .hasMessageContaining("none.json, which is not there; a capture holds the rules");
    }

    private static OnceConfig config(Path file) {
        return OnceConfig.of(Map.of(Settings.POLICY_TOOL_CALLS_FILE, file.toString()));
    }
}
