package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.schema.Codecs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a person cannot do is refused with the reason, and changes nothing. */
class OperateTest {
    @TempDir
    Path dir;

    private TopologyRig rig;

    @BeforeEach
    void start() {
        rig = new TopologyRig(dir, RichHistory.setup()).opened();
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void anApprovalAfterTheDeadlineIsRefused() {
        rig.request(RichHistory.by("r-1", "asking")
                .replace("\"hello\"", "\"hello\",\"deadline\":\"2026-01-01T00:10:00Z\""));
        rig.answer("r-1", "{}");
        rig.advance(Duration.ofMinutes(11));
        rig.read(Topics.EFFECTS);
        rig.command("r-1", Verb.APPROVE);

        assertThat(rig.read(Topics.LIFECYCLE_EVENTS)).last().satisfies(event -> {
            assertThat(event.path("type").asText()).isEqualTo("COMMAND_REFUSED");
            assertThat(event.path("detail").asText()).contains("its deadline has passed");
            assertThat(event.path("actor").asText()).isEqualTo("ada");
        });
        assertThat(rig.read(Topics.EFFECTS)).as("carried out").isEmpty();
    }

    @Test
    void anApprovalBeforeTheDeadlineIsCarriedOut() {
        rig.request(RichHistory.by("r-1", "asking")
                .replace("\"hello\"", "\"hello\",\"deadline\":\"2026-01-01T00:10:00Z\""));
        rig.answer("r-1", "{}");
        rig.advance(Duration.ofMinutes(9));
        rig.read(Topics.EFFECTS);
        rig.command("r-1", Verb.APPROVE);
        assertThat(rig.read(Topics.EFFECTS)).hasSize(1);
    }

    /** A command that nothing is known of must not vanish: its sender believes it was followed. */
    @ParameterizedTest
    @EnumSource
    void aCommandForAnUnknownIdIsRejectedWithItsBytes(Verb verb) {
        byte[] command = TopologyRig.commanded("nobody", verb, Optional.empty());
        rig.pipe(Topics.COMMANDS, command);
        assertThat(rig.read(Topics.REJECTED_REQUESTS)).singleElement().satisfies(rejected -> {
            assertThat(rejected.path("request_id").asText()).isEqualTo("nobody");
            assertThat(rejected.path("reason").asText()).isEqualTo("INVALID");
            assertThat(rejected.path("stage").asText()).isEqualTo("operate");
            assertThat(rejected.path("detail").asText()).startsWith(verb.name());
            byte[] kept = java.util.Base64.getDecoder()
                    .decode(rejected.path("original_value").asText());
            assertThat(Codecs.COMMAND.decode(kept)).isEqualTo(Codecs.COMMAND.decode(command));
        });
        assertThat(rig.read(Topics.LIFECYCLE_EVENTS)).isEmpty();
    }
}
