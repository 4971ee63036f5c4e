package io.hellogpt.once.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.LifecycleEvent.Type;
import io.hellogpt.once.core.OperatorCommand.Verb;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class OperateTest {
    /** What can be done where; everything else is refused. */
    private static final Map<Verb, Set<Situation>> POSSIBLE = new EnumMap<>(Map.of(
            Verb.RETRY,
            EnumSet.of(
                    Situation.PENDING,
                    Situation.HELD_FOR_A_POLICY_ERROR,
                    Situation.HELD_PAST_THE_PIVOT,
                    Situation.HELD_FOR_BILLING,
                    Situation.HELD_FOR_A_STUCK_COMPENSATION,
                    Situation.HELD_FOR_A_DEFECT),
            Verb.CANCEL,
            EnumSet.of(
                    Situation.PENDING,
                    Situation.GENERATING,
                    Situation.ACKNOWLEDGED,
                    Situation.HELD_FOR_APPROVAL,
                    Situation.HELD_FOR_A_POLICY_ERROR,
                    Situation.HELD_FOR_AN_UNKNOWN,
                    Situation.HELD_FOR_BILLING,
                    Situation.HELD_FOR_A_DEFECT),
            Verb.APPROVE,
            EnumSet.of(Situation.HELD_FOR_APPROVAL),
            Verb.REJECT,
            EnumSet.of(Situation.HELD_FOR_APPROVAL),
            Verb.RESOLVE_SUCCEEDED,
            EnumSet.of(
                    Situation.HELD_FOR_AN_UNKNOWN,
                    Situation.HELD_PAST_THE_PIVOT,
                    Situation.HELD_FOR_BILLING,
                    Situation.HELD_FOR_A_STUCK_COMPENSATION,
                    Situation.HELD_FOR_AN_UNKNOWN_COMPENSATION),
            Verb.RESOLVE_FAILED,
            EnumSet.of(Situation.HELD_FOR_AN_UNKNOWN, Situation.HELD_FOR_AN_UNKNOWN_COMPENSATION),
            Verb.SKIP,
            EnumSet.of(
                    Situation.HELD_FOR_AN_UNKNOWN,
                    Situation.HELD_PAST_THE_PIVOT,
                    Situation.HELD_FOR_BILLING,
                    Situation.HELD_FOR_A_STUCK_COMPENSATION,
                    Situation.HELD_FOR_AN_UNKNOWN_COMPENSATION)));

    static Stream<Arguments> everything() {
        return Arrays.stream(Verb.values())
                .flatMap(verb -> Arrays.stream(Situation.values()).map(at -> Arguments.of(verb, at)));
    }

    @ParameterizedTest
    @MethodSource("everything")
    void whatIsPossibleIsDoneAndTheRestIsRefusedWithTheReason(Verb verb, Situation at) {
        Bench bench = at.make();
        RequestState before = bench.state();

        command(bench, "command-x", verb, at);

        boolean possible = POSSIBLE.get(verb).contains(at);
        assertThat(bench.logged(possible ? Type.COMMAND_REFUSED : Type.COMMAND_APPLIED))
                .isEmpty();
        assertThat(bench.logged(possible ? Type.COMMAND_APPLIED : Type.COMMAND_REFUSED))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.actor()).contains("ann");
                    assertThat(event.at()).isEqualTo(bench.now);
                    assertThat(event.detail()).startsWith(verb.name());
                    assertThat(event.detail().contains("because")).isEqualTo(possible);
                });
        assertThat(bench.state().identity().commands()).endsWith("command-x");
        if (!possible) {
            assertThat(bench.state().with(before.identity())).isEqualTo(before);
            assertThat(bench.issued()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("everything")
    void theSameCommandAgainDoesNothing(Verb verb, Situation at) {
        Bench bench = at.make();
        command(bench, "command-x", verb, at);
        RequestState after = bench.state();

        command(bench, "command-x", verb, at);

        assertThat(bench.facts).containsExactly(new Fact.Ignore(Bench.ID, Fact.Ignore.Reason.DUPLICATE_COMMAND));
        assertThat(bench.state()).isEqualTo(after);
    }

    private static void command(Bench bench, String commandId, Verb verb, Situation at) {
        boolean names = EnumSet.of(Verb.RESOLVE_SUCCEEDED, Verb.RESOLVE_FAILED, Verb.SKIP)
                .contains(verb);
        bench.command(commandId, verb, names ? at.effect() : "");
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheLastCommandsAreRemembered(Situation at) {
        Bench bench = at.make();
        for (int i = 0; i < 100; i++) {
            bench.command("refused-" + i, Verb.RESOLVE_FAILED, "");
        }
        assertThat(bench.state().identity().commands())
                .hasSize(Identity.COMMANDS_KEPT)
                .endsWith("refused-99");
    }

    @Test
    void aRetryAfterExhaustionIsAWholeNewRound() {
        Bench bench = Situation.HELD_PAST_THE_PIVOT.make().command(Verb.RETRY, "");
        int attempt = bench.progress(3).attempt();
        for (int i = 0; i < Bench.ATTEMPTS; i++) {
            assertThat(bench.state()).as("attempt %d of the new round", i + 1).isInstanceOf(Acknowledged.class);
            bench.fireEffectsOf("0.3");
            bench.outcome("0.3", ++attempt, Result.RETRYABLE);
        }
        assertThat(bench.held().hold().reason()).isEqualTo(Hold.Reason.EFFECT_FAILED);
        assertThat(bench.progress(3).attempt()).isEqualTo(1 + Bench.ATTEMPTS);
    }

    @Test
    void aRequestThatIsAlreadyFailingKeepsItsReason() {
        Bench bench = Situation.HELD_FOR_A_STUCK_COMPENSATION.make();
        bench.command(Verb.CANCEL, "").command(Verb.SKIP, "0.1:undo").outcome("0.0", 1, Result.SUCCEEDED);

        assertThat(((Failed) bench.state()).failure().reason()).isEqualTo(Failure.Reason.EFFECT_FAILED);
    }

    @Test
    void aRetryOfAStuckCompensationDoesNotRetryWhatFailedBefore() {
        Bench bench = Situation.HELD_FOR_A_STUCK_COMPENSATION.make().command(Verb.RETRY, "");

        assertThat(bench.progress(2).status()).isEqualTo(Progress.Status.FAILED);
        bench.fireEffectsOf("0.1:undo");
        assertThat(bench.issued())
                .filteredOn(effect -> effect.id().step() != 0)
                .extracting(effect -> effect.id().toString(), Effect::attempt)
                .isEqualTo(List.of(org.assertj.core.groups.Tuple.tuple("r-1:0.1:undo", 2)));
    }

    @Test
    void aLateSuccessEndsTheHoldPastThePivot() {
        Bench bench = Situation.HELD_PAST_THE_PIVOT.make();

        bench.outcome("0.3", 1, Result.SUCCEEDED);

        assertThat(bench.logged(Type.RESUMED)).hasSize(1);
        assertThat(bench.state()).isInstanceOf(Acknowledged.class);
    }

    @Test
    void aCommandForAnUnknownRequestIsCounted() {
        assertThat(new Bench().command(Verb.RETRY, "").ignored()).containsExactly(Fact.Ignore.Reason.UNKNOWN_REQUEST);
    }
}
