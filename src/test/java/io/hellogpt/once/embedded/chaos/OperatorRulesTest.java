package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.embedded.chaos.Desk.Held;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorRulesTest {
    private static final String DONE = "chaos-1:0.1";
    private static final String NOT_DONE = "chaos-1:0.2";

    @Test
    void anUnknownEffectIsWhatItsReceiverSays() {
        assertThat(decide("EFFECT_UNKNOWN", Set.of(DONE, NOT_DONE), Set.of(DONE)))
                .extracting(
                        OperatorCommand::verb,
                        command -> command.effectId().orElseThrow().toString())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(Verb.RESOLVE_SUCCEEDED, DONE),
                        org.assertj.core.groups.Tuple.tuple(Verb.RESOLVE_FAILED, NOT_DONE));
    }

    @Test
    void aStuckCompensationIsTriedAgainUnlessItWasDone() {
        String undo = DONE + ":undo";

        assertThat(decide("COMPENSATION_STUCK", Set.of(NOT_DONE, undo), Set.of(undo)))
                .extracting(OperatorCommand::verb)
                .containsExactly(Verb.RESOLVE_SUCCEEDED);
        assertThat(decide("COMPENSATION_STUCK", Set.of(NOT_DONE, undo), Set.of()))
                .as("nobody knows whether it was done, until it is said, and only what has failed can be tried again")
                .extracting(OperatorCommand::verb)
                .containsExactly(Verb.RESOLVE_FAILED, Verb.RETRY);
    }

    @Test
    void whatFailedPastThePivotIsTriedAgain() {
        assertThat(decide("EFFECT_FAILED", Set.of(NOT_DONE), Set.of()))
                .extracting(OperatorCommand::verb)
                .containsExactly(Verb.RETRY);
    }

    @Test
    void whatWaitsForAnApprovalIsApprovedRejectedOrCalledOff() {
        Set<Verb> verbs = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            Held held = new Held("chaos-" + i, "APPROVAL", Set.of(), 0);
            verbs.add(OperatorRules.decide(held, Set.of(), i, Instant.EPOCH)
                    .getFirst()
                    .verb());
        }

        assertThat(verbs).containsExactlyInAnyOrder(Verb.APPROVE, Verb.REJECT, Verb.CANCEL);
    }

    @Test
    void aWhimNeverSaysWhatAReceiverDid() {
        for (int dice = 0; dice < 20; dice++) {
            assertThat(OperatorRules.whim("chaos-1", dice, Instant.EPOCH))
                    .satisfies(command -> assertThat(command.effectId()).isEmpty())
                    .satisfies(command ->
                            assertThat(command.verb()).isNotIn(Verb.RESOLVE_SUCCEEDED, Verb.RESOLVE_FAILED, Verb.SKIP));
        }
    }

    @Test
    void readsWhatWasDoneFromTheReceiversOwnLog(@TempDir Path dir) throws Exception {
        Path log = dir.resolve("receivers.jsonl");
        assertThat(ScriptedOperator.executed(List.of(log))).isEmpty();

        Files.writeString(log, """
                {"idempotency_key":"chaos-1:0.1","executed":true}
                {"idempotency_key":"chaos-1:0.2","executed":false}
                """);
        assertThat(ScriptedOperator.executed(List.of(log))).containsExactly(DONE);
    }

    private static List<OperatorCommand> decide(String reason, Set<String> open, Set<String> executed) {
        return OperatorRules.decide(new Held("chaos-1", reason, open, 0), executed, 0, Instant.EPOCH);
    }
}
