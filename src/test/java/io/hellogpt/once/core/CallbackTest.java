package io.hellogpt.once.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Fact.Ignore.Reason;
import io.hellogpt.once.core.LifecycleEvent.Type;
import io.hellogpt.once.core.Progress.Status;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CallbackTest {
    private final Bench bench = new Bench()
            .proceedingWith(Samples.effect(1, true, false), Samples.effect(2, true, false))
            .acknowledged();

    @Test
    void aCallbackBeforeTheResponseSettlesAndTheResponseChangesNothing() {
        bench.callback("0.1", Result.SUCCEEDED, "event-1");

        assertThat(bench.progress(1).status()).isEqualTo(Status.SUCCEEDED);
        assertThat(bench.issued()).extracting(Effect::id).containsExactly(EffectId.parse("r-1:0.2"));

        RequestState before = bench.state();
        bench.outcome("0.1", 1, Result.AWAITING_CALLBACK);
        assertThat(bench.state()).isEqualTo(before);
        assertThat(bench.ignored()).containsExactly(Reason.LATE_OUTCOME);
    }

    @ParameterizedTest
    @EnumSource(names = {"SUCCEEDED", "FAILED"})
    void aCallbackSettlesWhatAwaitsIt(Result result) {
        bench.outcome("0.1", 1, Result.AWAITING_CALLBACK).callback("0.1", result, "event-1");

        assertThat(bench.progress(1).status().name()).isEqualTo(result.name());
        assertThat(bench.logged(Type.EFFECT_OUTCOME))
                .singleElement()
                .satisfies(event -> assertThat(event.detail()).contains("event-1"));
    }

    @Test
    void aLateCallbackResolvesWhatIsUnknownAndTheHeldRequestGoesOn() {
        bench.outcome("0.1", 1, Result.UNKNOWN);
        assertThat(bench.held().hold().reason()).isEqualTo(Hold.Reason.EFFECT_UNKNOWN);

        bench.callback("0.1", Result.SUCCEEDED, "event-1");

        assertThat(bench.state()).isInstanceOf(Acknowledged.class);
        assertThat(bench.logged(Type.RESUMED)).hasSize(1);
        assertThat(bench.progress(2).status()).isEqualTo(Status.ISSUED);
    }

    @Test
    void aSettledEffectIgnoresFurtherCallbacksAndNotesEachOnce() {
        bench.callback("0.1", Result.SUCCEEDED, "event-1");

        bench.callback("0.1", Result.SUCCEEDED, "event-1");
        assertThat(bench.facts).containsExactly(new Fact.Ignore(Bench.ID, Reason.DUPLICATE_CALLBACK));

        bench.callback("0.1", Result.FAILED, "event-2");
        assertThat(bench.logged(Type.CALLBACK_LATE)).hasSize(1);
        assertThat(bench.ignored()).containsExactly(Reason.LATE_OUTCOME);
        assertThat(bench.progress(1).status()).isEqualTo(Status.SUCCEEDED);

        bench.callback("0.1", Result.FAILED, "event-2");
        assertThat(bench.facts).containsExactly(new Fact.Ignore(Bench.ID, Reason.DUPLICATE_CALLBACK));
    }

    @Test
    void anEndedRequestNotesALateCallbackAndStaysAsItIs() {
        bench.outcome("0.0", 1, Result.SUCCEEDED)
                .outcome("0.1", 1, Result.SUCCEEDED)
                .outcome("0.2", 1, Result.SUCCEEDED);
        Committed committed = (Committed) bench.state();

        bench.callback("0.2", Result.FAILED, "event-1");

        assertThat(bench.logged(Type.CALLBACK_LATE)).hasSize(1);
        assertThat(bench.state()).isInstanceOf(Committed.class);
        assertThat(bench.state().timers()).isEqualTo(committed.timers());
        assertThat(bench.facts).noneMatch(Fact.Commit.class::isInstance);
    }

    @Test
    void whatWasNeverIssuedCannotBeCalledBackAbout() {
        bench.callback("0.2", Result.SUCCEEDED, "event-1");
        assertThat(bench.logged(Type.CALLBACK_REFUSED))
                .singleElement()
                .satisfies(event -> assertThat(event.detail()).contains("never issued"));
        assertThat(bench.progress(2).status()).isEqualTo(Status.WAITING);

        bench.callback("0.7", Result.SUCCEEDED, "event-2");
        assertThat(bench.logged(Type.CALLBACK_REFUSED)).hasSize(1);

        bench.callback("0.1:undo", Result.SUCCEEDED, "event-3");
        assertThat(bench.logged(Type.CALLBACK_REFUSED)).hasSize(1);
    }

    @Test
    void aCallbackAboutAnEarlierRequestOfTheIdIsRefused() {
        bench.callback("0.1", Result.SUCCEEDED, "event-1", Bench.START.minusSeconds(1));

        assertThat(bench.logged(Type.CALLBACK_REFUSED)).hasSize(1);
        assertThat(bench.progress(1).status()).isEqualTo(Status.ISSUED);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SUCCEEDED", "FAILED"})
    void aCallbackSaysYesOrNo(Result result) {
        bench.callback("0.1", result, "event-1");

        assertThat(bench.logged(Type.CALLBACK_REFUSED)).hasSize(1);
        assertThat(bench.progress(1).status()).isEqualTo(Status.ISSUED);
    }

    @Test
    void onlyTheLastCallbacksAreRemembered() {
        for (int i = 0; i < 50; i++) {
            bench.callback("0.1", Result.SUCCEEDED, "event-" + i);
        }
        assertThat(bench.progress(1).callbacks())
                .hasSize(Progress.CALLBACKS_KEPT)
                .startsWith("event-42")
                .endsWith("event-49");
    }

    @Test
    void withoutACallbackTheNextAttemptProbes() {
        bench.outcome("0.1", 1, Result.AWAITING_CALLBACK).fireEffectsOf("0.1");

        assertThat(bench.issued())
                .filteredOn(effect -> effect.id().step() == 1)
                .singleElement()
                .satisfies(effect -> {
                    assertThat(effect.probe()).isTrue();
                    assertThat(effect.attempt()).isEqualTo(2);
                });
    }

    @Test
    void aProbeThatNobodyAnswersLeavesTheEffectUnknown() {
        bench.outcome("0.1", 1, Result.AWAITING_CALLBACK).fireEffectsOf("0.1").fireEffectsOf("0.1");

        assertThat(bench.progress(1).status()).isEqualTo(Status.UNKNOWN);
        assertThat(bench.issued()).noneMatch(effect -> effect.id().step() == 1);
        assertThat(bench.held().hold().reason()).isEqualTo(Hold.Reason.EFFECT_UNKNOWN);
    }

    @Test
    void whatTheProbeFindsAbsentIsSentAgain() {
        bench.outcome("0.1", 1, Result.AWAITING_CALLBACK)
                .fireEffectsOf("0.1")
                .outcome("0.1", 2, Result.RETRYABLE, false)
                .fireEffectsOf("0.1");

        assertThat(bench.issued())
                .filteredOn(effect -> effect.id().step() == 1)
                .extracting(Effect::attempt, Effect::probe)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(3, false));
    }

    @Test
    void whatTheProbeCannotTellIsAskedAgainAndThenUnknown() {
        bench.outcome("0.1", 1, Result.AWAITING_CALLBACK)
                .fireEffectsOf("0.1")
                .outcome("0.1", 2, Result.RETRYABLE, true)
                .fireEffectsOf("0.1");
        assertThat(bench.issued())
                .filteredOn(effect -> effect.id().step() == 1)
                .extracting(Effect::probe)
                .isEqualTo(List.of(true));

        bench.outcome("0.1", 3, Result.RETRYABLE, true);
        assertThat(bench.progress(1).status()).isEqualTo(Status.UNKNOWN);
    }

    /** It may be carried out after the callback: what becomes of it must be heard before anything is called failed. */
    @ParameterizedTest
    @EnumSource(names = {"SUCCEEDED", "FAILED", "UNKNOWN"})
    void afterAFailedCallbackAnAttemptThatIsOutHasTheLastWord(Result result) {
        bench.outcome("0.1", 1, Result.RETRYABLE, true).fireEffectsOf("0.1").callback("0.1", Result.FAILED, "event-1");
        assertThat(bench.state()).isInstanceOf(Acknowledged.class);
        assertThat(bench.progress(1).status()).isEqualTo(Status.ISSUED);

        bench.outcome("0.1", 2, result);
        assertThat(bench.progress(1).status().name()).isEqualTo(result.name());
    }

    @Test
    void afterAFailedCallbackAnAttemptThatWasCertainlyNotCarriedOutIsTheLast() {
        bench.outcome("0.1", 1, Result.RETRYABLE, true)
                .fireEffectsOf("0.1")
                .callback("0.1", Result.FAILED, "event-1")
                .outcome("0.1", 2, Result.RETRYABLE, false);

        assertThat(bench.progress(1).status()).isEqualTo(Status.FAILED);
        assertThat(bench.progress(1).detail())
                .hasValueSatisfying(said -> assertThat(said).contains("called back"));
    }

    @Test
    void afterAFailedCallbackAnAttemptInDoubtIsFollowedByAnother() {
        bench.outcome("0.1", 1, Result.RETRYABLE, true)
                .fireEffectsOf("0.1")
                .callback("0.1", Result.FAILED, "event-1")
                .outcome("0.1", 2, Result.RETRYABLE, true);
        assertThat(bench.progress(1).status()).isEqualTo(Status.RETRYING);

        bench.fireEffectsOf("0.1").outcome("0.1", 3, Result.SUCCEEDED);
        assertThat(bench.progress(1).status()).isEqualTo(Status.SUCCEEDED);
    }

    /** To a receiver that goes by a key all attempts are one, and its word is about that one. */
    @Test
    void whatIsAcceptedAfterAFailedCallbackIsAwaitedOnlyWhereNoKeyMakesTheAttemptsOne() {
        bench.outcome("0.1", 1, Result.RETRYABLE, true)
                .fireEffectsOf("0.1")
                .callback("0.1", Result.FAILED, "event-1")
                .outcome("0.1", 2, Result.AWAITING_CALLBACK, true);
        assertThat(bench.progress(1).status()).isEqualTo(Status.AWAITING_CALLBACK);
        bench.callback("0.1", Result.FAILED, "event-2");
        assertThat(bench.progress(1).status()).isEqualTo(Status.AWAITING_CALLBACK);
        bench.fireEffectsOf("0.1").outcome("0.1", 3, Result.RETRYABLE, false);
        assertThat(bench.progress(1).status()).as("a probe does not find it").isEqualTo(Status.FAILED);
    }

    @Test
    void whatIsAcceptedUnderTheSameKeyAfterAFailedCallbackHasFailed() {
        bench.outcome("0.1", 1, Result.RETRYABLE, true)
                .fireEffectsOf("0.1")
                .callback("0.1", Result.FAILED, "event-1")
                .outcome("0.1", 2, Result.AWAITING_CALLBACK, false);
        assertThat(bench.progress(1).status()).isEqualTo(Status.FAILED);
    }

    @Test
    void aFailedCallbackBeforeTheResponseOfTheOnlyAttemptIsTheLastWordOnceItIsAccepted() {
        bench.callback("0.1", Result.FAILED, "event-1");
        assertThat(bench.progress(1).status()).isEqualTo(Status.ISSUED);

        bench.outcome("0.1", 1, Result.AWAITING_CALLBACK);
        assertThat(bench.progress(1).status()).isEqualTo(Status.FAILED);
    }

    @Test
    void aFailedCallbackSettlesWhatIsOnlyAskedAbout() {
        bench.outcome("0.1", 1, Result.AWAITING_CALLBACK).fireEffectsOf("0.1");
        assertThat(bench.progress(1).attempts().probe()).isTrue();

        bench.callback("0.1", Result.FAILED, "event-1");
        assertThat(bench.progress(1).status()).isEqualTo(Status.FAILED);
    }

    /** A worker that was frozen says again what attempt 1 came to; it says nothing about attempt 2. */
    @Test
    void aFailureOfAnEarlierAttemptDoesNotTellWhatIsUnknown() {
        bench.outcome("0.1", 1, Result.RETRYABLE).fireEffectsOf("0.1").outcome("0.1", 2, Result.UNKNOWN);

        bench.outcome("0.1", 1, Result.FAILED);
        assertThat(bench.ignored()).containsExactly(Reason.LATE_OUTCOME);
        assertThat(bench.progress(1).status()).isEqualTo(Status.UNKNOWN);

        bench.outcome("0.1", 2, Result.FAILED);
        assertThat(bench.progress(1).status()).isEqualTo(Status.FAILED);
    }

    @Test
    void aCallbackStillTellsWhatIsUnknown() {
        bench.outcome("0.1", 1, Result.RETRYABLE).fireEffectsOf("0.1").outcome("0.1", 2, Result.UNKNOWN);

        bench.callback("0.1", Result.FAILED, "event-1");
        assertThat(bench.progress(1).status()).isEqualTo(Status.FAILED);
    }
}
