package io.hellogpt.once.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.model.CallLimits;
import io.hellogpt.once.model.ModelLimits;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelLimitSettingsTest {
    @Test
    void withoutThemOnlyTheInstancesLimitHolds() {
        assertThat(OnceConfig.of(Map.of("model.max.in.flight", "7")).callLimits())
                .isEqualTo(CallLimits.slots(7));
    }

    @Test
    void aModelsNameMayHoldDotsAndWhatItDoesNotSetIsThatOfTheOthers() {
        CallLimits limits = OnceConfig.of(Map.of(
                        "model.limits.gpt-4.1.max.in.flight", "2",
                        "model.limits.org/m.1.tokens.per.minute", "0",
                        "model.limits.*.tokens.per.minute", "30000",
                        "model.limits.*.requests.per.minute", "60"))
                .callLimits();

        assertThat(limits.models())
                .containsEntry(
                        "gpt-4.1", new ModelLimits(OptionalInt.of(2), OptionalLong.of(60), OptionalLong.of(30_000)))
                .containsEntry(
                        "org/m.1", new ModelLimits(OptionalInt.empty(), OptionalLong.of(60), OptionalLong.empty()));
        assertThat(limits.others())
                .isEqualTo(new ModelLimits(OptionalInt.empty(), OptionalLong.of(60), OptionalLong.of(30_000)));
    }

    @Test
    void aClientsOwnLimitOfAnswersIsWhatIsSetAside() {
        assertThat(OnceConfig.of(Map.of("model.openai.max.tokens", "200"))
                        .callLimits()
                        .assumedOutputTokens())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "model.limits.m.max.inflight, 1, there is no setting model.limits.m.max.inflight",
        "model.limits.max.in.flight, 1, there is no setting model.limits.max.in.flight",
        "model.limits.m.max.in.flight, -1, of model.limits.m",
        "model.limits.m.tokens.per.minute, many, of model.limits.m"
    })
    void whatIsNotKnownOrNotValidStopsTheStart(String name, String value, String message) {
        assertThatThrownBy(() -> OnceConfig.of(Map.of(name, value)))
                .isInstanceOf(ConfigError.class)
                .hasMessageContaining(message);
    }

    @Test
    void everyLimitStatesItsConsequence() {
        assertThat(ModelLimitSettings.DEFINITION.configKeys().values())
                .allSatisfy(key ->
                        assertThat(key.documentation).hasSizeGreaterThan(40).endsWith("."));
    }
}
