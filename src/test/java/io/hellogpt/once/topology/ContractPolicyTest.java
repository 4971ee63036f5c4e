package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.schema.Codecs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of a policy of one's own, found on the class path as anybody's is, in the real topology. */
class ContractPolicyTest {
    private static final String FILE = "c-1:0.1";
    private static final String SIGN = "c-1:0.2";
    private static final String MAIL = "c-1:0.3";

    @TempDir
    Path dir;

    private TopologyRig rig;

    @BeforeEach
    void start() {
        rig = new TopologyRig(dir).opened();
        rig.request("{\"request_id\":\"c-1\",\"model\":\"m\",\"input\":\"A lease\",\"policy\":\"contract\"}");
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void aSmallContractIsFiledThenSignedThenAnnounced() {
        reviewed("sign", 1_200, "");
        rig.outcome("c-1:0.0", 1, Result.SUCCEEDED);
        assertThat(issued()).containsExactly("c-1:0.0", FILE);
        rig.outcome(FILE, 1, Result.SUCCEEDED);
        assertThat(issued()).containsExactly(SIGN);
        rig.outcome(SIGN, 1, Result.SUCCEEDED);
        assertThat(issued()).containsExactly(MAIL);
        rig.outcome(MAIL, 1, Result.SUCCEEDED);

        assertThat(rig.read(Topics.COMMITTED_RESULTS)).hasSize(1);
        assertThat(rig.read(Topics.FAILED_REQUESTS)).isEmpty();
    }

    @Test
    void aContractThatCannotBeSignedIsTakenOutOfTheArchiveAgain() {
        reviewed("sign", 1_200, "");
        rig.outcome("c-1:0.0", 1, Result.SUCCEEDED);
        rig.outcome(FILE, 1, Result.SUCCEEDED);
        rig.outcome(SIGN, 1, Result.FAILED);
        assertThat(issued()).containsExactly("c-1:0.0", FILE, SIGN, FILE + ":undo");
        rig.outcome(FILE + ":undo", 1, Result.SUCCEEDED);

        assertThat(rig.read(Topics.FAILED_REQUESTS)).hasSize(1);
    }

    @Test
    void afterTheSignatureNothingIsUndone() {
        reviewed("sign", 1_200, "");
        rig.outcome("c-1:0.0", 1, Result.SUCCEEDED);
        rig.outcome(FILE, 1, Result.SUCCEEDED);
        rig.outcome(SIGN, 1, Result.SUCCEEDED);
        rig.outcome(MAIL, 1, Result.FAILED);

        assertThat(issued()).doesNotContain(FILE + ":undo");
        assertThat(states()).endsWith("HELD");
        assertThat(rig.read(Topics.FAILED_REQUESTS)).isEmpty();
    }

    @Test
    void aLargeContractWaitsForAPerson() {
        reviewed("sign", 120_000, "");
        assertThat(issued()).as("the bill alone").containsExactly("c-1:0.0");
        rig.outcome("c-1:0.0", 1, Result.SUCCEEDED);
        assertThat(states()).endsWith("HELD");

        rig.pipe(
                Topics.COMMANDS,
                Codecs.COMMAND.encode(new OperatorCommand(
                        "cmd-1",
                        new RequestId("c-1"),
                        OperatorCommand.Verb.APPROVE,
                        Optional.empty(),
                        "ada",
                        "read it",
                        TopologyRig.START)));
        assertThat(issued()).containsExactly(FILE);
    }

    @Test
    void redFlagsEndIt() {
        reviewed("sign", 1_200, "\"no end date\"");
        rig.outcome("c-1:0.0", 1, Result.SUCCEEDED);

        assertThat(issued()).containsExactly("c-1:0.0");
        assertThat(rig.read(Topics.FAILED_REQUESTS))
                .singleElement()
                .satisfies(failed -> assertThat(failed.toString()).contains("1 red flags"));
    }

    @Test
    void anAnswerThatIsNoReviewWaitsForAPerson() {
        rig.answer("c-1", "{\"choices\":[{\"message\":{\"content\":\"I think you should sign\"}}]}");

        assertThat(states()).endsWith("HELD");
    }

    private void reviewed(String verdict, int amount, String flags) {
        String review = "{\"verdict\":\"%s\",\"amount\":%d,\"red_flags\":[%s]}".formatted(verdict, amount, flags);
        rig.answer("c-1", "{\"choices\":[{\"message\":{\"content\":\"%s\"}}]}".formatted(review.replace("\"", "\\\"")));
        rig.advance(Duration.ofMillis(50));
    }

    private List<String> issued() {
        return rig.read(Topics.EFFECTS).stream()
                .map(effect -> effect.path("effect_id").asText())
                .toList();
    }

    private List<String> states() {
        return rig.read(Topics.LIFECYCLE_EVENTS).stream()
                .map(event -> event.path("to").asText())
                .toList();
    }
}
