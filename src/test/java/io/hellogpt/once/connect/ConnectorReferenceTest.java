package io.hellogpt.once.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.config.EffectSinkConfig;
import io.hellogpt.once.connect.config.RouteKeys;
import io.hellogpt.once.schema.EffectDecoder;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;

class ConnectorReferenceTest {
    private static final Path PAGE = Path.of("topology-docs", "connector.md");
    private static final Path GUIDE = Path.of("topology-docs", "connector-guide.md");

    @Test
    void thePageSaysWhatTheCodeSays() throws IOException {
        assertThat(PAGE).as("run `make docs`").exists();
        assertThat(Files.readString(PAGE)).as("run `make docs`").isEqualTo(ConnectorReference.markdown());
    }

    @Test
    void everySettingStatesWhatItIs() {
        assertThat(Stream.of(EffectSinkConfig.definition(), RouteKeys.definition())
                        .flatMap(definition -> definition.configKeys().values().stream()))
                .allSatisfy(key -> assertThat(key.documentation).as(key.name).endsWith("."));
    }

    @Test
    void everySecretIsAPassword() {
        assertThat(Stream.of(EffectSinkConfig.definition(), RouteKeys.definition())
                        .flatMap(definition -> definition.configKeys().values().stream())
                        .filter(key -> key.name.matches(".*(password|secret|auth\\.token$).*")))
                .hasSizeGreaterThan(5)
                .allSatisfy(key -> assertThat(key.type).as(key.name).isEqualTo(ConfigDef.Type.PASSWORD));
    }

    @Test
    void theGuidesExampleIsAccepted() throws IOException {
        Properties example = new Properties();
        example.load(new StringReader(block(Files.readString(GUIDE), "properties")));
        Map<String, String> props = new HashMap<>();
        example.forEach((key, value) -> props.put(key.toString(), value.toString()));

        assertThat(EffectSinkConfig.problems(props)).isEqualTo(List.of());
        assertThat(new EffectSinkConfig(props).routes()).containsOnlyKeys("sign");
    }

    @Test
    void theGuidesRecordIsAnEffect() throws IOException {
        String json = block(Files.readString(GUIDE), "json");

        assertThat(EffectDecoder.decode(json.getBytes()).route()).isEqualTo("sign");
    }

    private static String block(String page, String language) {
        int from = page.indexOf("```" + language + "\n") + language.length() + 4;
        return page.substring(from, page.indexOf("```", from));
    }
}
