package io.hellogpt.once.connect.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.Databases;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EffectLedgerIT {
    private static final Effect EFFECT = Effects.of("r-1", 1, "signing", 1);

    private LedgerRig rig;

    @BeforeEach
    void open() throws SQLException {
        rig = new LedgerRig();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aSettledAttemptIsAnsweredAgainExactlyAsItWas() throws SQLException {
        Claim.Execute claim = LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.KEYED);
        Verdict verdict = new Verdict(
                Result.SUCCEEDED, "receiver answered HTTP 201", Optional.of("env-7"), Optional.empty(), false);
        assertThat(rig.ledger
                        .settle(List.of(LedgerRig.settlement(claim, verdict)))
                        .late())
                .isEmpty();

        EffectOutcome again = LedgerRig.answered(rig.other, EFFECT, LedgerRig.KEYED);

        assertThat(again).isEqualTo(verdict.outcome(claim.ask(), LedgerRig.AT));
    }

    @Test
    void aNewAttemptRunsOnlyAfterARetryableOutcome() throws SQLException {
        Claim.Execute first = LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.KEYED);
        rig.ledger.settle(List.of(LedgerRig.settlement(first, Verdict.retry("HTTP 500", Optional.empty(), true))));

        Claim.Execute second = LedgerRig.claimed(rig.ledger, Effects.again(EFFECT, 2), LedgerRig.KEYED);

        assertThat(second.inDoubt()).isTrue();
        assertThat(second.token()).isEqualTo(first.token() + 1);
        assertThat(LedgerRig.answered(rig.ledger, EFFECT, LedgerRig.KEYED).result())
                .isEqualTo(Result.RETRYABLE);
    }

    @Test
    void theOneWhoLostItsClaimIsFencedAndItsOutcomeKept() throws SQLException {
        Claim.Execute zombie = LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.KEYED);
        Claim.Execute taken = LedgerRig.claimed(rig.other, EFFECT, LedgerRig.KEYED);

        List<Settlement> late = rig.ledger
                .settle(List.of(LedgerRig.settlement(zombie, Verdict.certain(Result.FAILED, "late"))))
                .late();
        List<Settlement> good = rig.other
                .settle(List.of(LedgerRig.settlement(taken, Verdict.certain(Result.SUCCEEDED, "ok"))))
                .late();

        assertThat(taken.inDoubt()).isTrue();
        assertThat(taken.body()).isEqualTo(zombie.body());
        assertThat(late).hasSize(1);
        assertThat(good).isEmpty();
        assertThat(LedgerRig.answered(rig.ledger, EFFECT, LedgerRig.KEYED).result())
                .isEqualTo(Result.SUCCEEDED);
        assertThat(Databases.number(rig.url, "SELECT count(*) FROM once_ledger.effect_attempt WHERE fenced"))
                .isOne();
    }

    @Test
    void opaqueInAnotherTasksCallWaitsAndThenIsUnknown() throws SQLException {
        LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.OPAQUE);
        assertThat(LedgerRig.answered(rig.other, EFFECT, LedgerRig.OPAQUE).result())
                .isEqualTo(Result.RETRYABLE);

        Databases.execute(rig.url, "UPDATE once_ledger.effect SET lease_until = now() - interval '1 second'");

        assertThat(LedgerRig.answered(rig.other, EFFECT, LedgerRig.OPAQUE).result())
                .isEqualTo(Result.UNKNOWN);
        assertThat(LedgerRig.answered(rig.other, Effects.again(EFFECT, 2), LedgerRig.OPAQUE)
                        .result())
                .isEqualTo(Result.UNKNOWN);
    }

    @Test
    void aReleasedClaimIsCarriedOutByWhoeverComesNext() throws SQLException {
        rig.ledger.release(List.of(LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.OPAQUE)));

        assertThat(LedgerRig.claimed(rig.other, EFFECT, LedgerRig.OPAQUE).inDoubt())
                .isFalse();
    }

    @Test
    void otherContentUnderTheSameIdIsRefused() throws SQLException {
        LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.KEYED);

        EffectOutcome refused =
                LedgerRig.answered(rig.ledger, Effects.of(EFFECT.id(), "signing", 1, "{\"x\":1}"), LedgerRig.KEYED);

        assertThat(refused.result()).isEqualTo(Result.UNKNOWN);
        assertThat(refused.detail()).contains(Fingerprints.of(EFFECT));
    }

    @Test
    void whatIsNotExecutedForWantOfARouteStaysSoAndTheNextAttemptRuns() throws SQLException {
        EffectOutcome said = rig.ledger
                .malformed(List.of(Ask.of(EFFECT, LedgerRig.OPAQUE)), "no such route")
                .getFirst()
                .outcome();

        assertThat(said.result()).isEqualTo(Result.MALFORMED);
        assertThat(LedgerRig.answered(rig.other, EFFECT, LedgerRig.KEYED)).isEqualTo(said);
        assertThat(LedgerRig.claimed(rig.other, Effects.again(EFFECT, 2), LedgerRig.KEYED)
                        .inDoubt())
                .isFalse();
    }

    @Test
    void aRouteTakenAwayDuringACallDoesNotMakeTheAttemptOneThatWasNotExecuted() throws SQLException {
        LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.KEYED);
        Databases.execute(rig.url, "UPDATE once_ledger.effect SET lease_until = now() - interval '1 second'");

        List<Claim.Answer> answers = rig.other.malformed(List.of(Ask.of(EFFECT, LedgerRig.OPAQUE)), "no such route");

        assertThat(answers).singleElement().matches(a -> a.outcome().result() == Result.UNKNOWN);
    }

    @Test
    void aRowTheDatabaseCannotStoreDoesNotHoldUpTheOthers() throws SQLException {
        Effect poison = Effects.of("r-2", 1, "sign\0ing", 1);

        List<Claim> claims =
                rig.ledger.claim(List.of(Ask.of(poison, LedgerRig.KEYED), Ask.of(EFFECT, LedgerRig.KEYED)));

        assertThat(claims.getFirst())
                .isInstanceOfSatisfying(
                        Claim.Answer.class,
                        answer -> assertThat(answer.outcome().result()).isEqualTo(Result.MALFORMED));
        assertThat(claims.getLast()).isInstanceOf(Claim.Execute.class);
    }

    @Test
    void aSecondLifeOfARequestIdStartsAfreshAndLeavesTheFirstAsItWas() throws SQLException {
        Claim.Execute first = LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.OPAQUE);
        rig.ledger.settle(List.of(LedgerRig.settlement(first, Verdict.certain(Result.SUCCEEDED, "first"))));
        LedgerRig.claimed(rig.ledger, Effects.undoOf(EFFECT, "signing"), LedgerRig.OPAQUE);
        Effect again = Effects.inSecondLife(EFFECT, "{\"other\":1}");

        Claim.Execute second = LedgerRig.claimed(rig.ledger, again, LedgerRig.OPAQUE);
        rig.ledger.settle(List.of(LedgerRig.settlement(second, Verdict.certain(Result.FAILED, "second"))));

        assertThat(second.inDoubt()).isFalse();
        assertThat(second.body()).isEqualTo(second.ask().body());
        assertThat(LedgerRig.answered(rig.other, again, LedgerRig.OPAQUE).detail())
                .isEqualTo("second");
        assertThat(LedgerRig.answered(rig.other, EFFECT, LedgerRig.OPAQUE).detail())
                .isEqualTo("first");
        assertThat(Databases.number(rig.url, "SELECT count(*) FROM once_ledger.effect_attempt WHERE NOT fenced"))
                .isEqualTo(2);
    }

    @Test
    void anAwaitedCallbackIsAnsweredAgainWithItsDeadline() throws SQLException {
        Claim.Execute claim = LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.KEYED);
        Verdict verdict = Verdict.awaiting("receiver answered HTTP 202", Optional.of("job-1"), Duration.ofSeconds(60));
        rig.ledger.settle(List.of(LedgerRig.settlement(claim, verdict)));

        EffectOutcome again = LedgerRig.answered(rig.other, EFFECT, LedgerRig.KEYED);

        assertThat(again).isEqualTo(verdict.outcome(claim.ask(), LedgerRig.AT));
        assertThat(again.deadline()).contains(LedgerRig.AT.plusSeconds(60));
    }

    @Test
    void anAttemptBehindAnAcceptedOneIsClaimedAnew() throws SQLException {
        Claim.Execute first = LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.KEYED);
        Verdict accepted = Verdict.awaiting("receiver answered HTTP 202", Optional.of("job-1"), Duration.ofSeconds(60));
        rig.ledger.settle(List.of(LedgerRig.settlement(first, accepted)));

        Claim.Execute second = LedgerRig.claimed(rig.other, Effects.again(EFFECT, 2), LedgerRig.KEYED);

        assertThat(second.inDoubt()).isTrue();
        assertThat(second.body()).isEqualTo(first.body());
    }

    /** The claim is given back, or its answer lost: asking again must not find that nothing ever happened. */
    @Test
    void whatIsAskedAboutWithoutATraceIsInDoubtUntilTheReceiverHasSaidSo() throws SQLException {
        Effect probe = Effects.probe(EFFECT, 2);
        Claim.Execute untraced = LedgerRig.claimed(rig.ledger, probe, LedgerRig.PROBEABLE);
        assertThat(LedgerRig.claimed(rig.ledger, probe, LedgerRig.PROBEABLE).inDoubt())
                .isTrue();
        rig.expireLeases();
        Claim.Execute again = LedgerRig.claimed(rig.other, probe, LedgerRig.PROBEABLE);
        rig.other.release(List.of(again));

        assertThat(untraced.inDoubt()).isTrue();
        assertThat(LedgerRig.claimed(rig.ledger, probe, LedgerRig.PROBEABLE).inDoubt())
                .isTrue();
    }

    @Test
    void oneOutcomeTheDatabaseRefusesDoesNotHoldUpTheOthersAndLosesItsWordsOnly() throws SQLException {
        Effect second = Effects.of("r-2", 1, "signing", 1);
        Claim.Execute first = LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.KEYED);
        Claim.Execute refused = LedgerRig.claimed(rig.ledger, second, LedgerRig.KEYED);
        Databases.execute(rig.url, "ALTER TABLE once_ledger.effect ADD CHECK (reference <> 'bad')");

        EffectLedger.Settled settled = rig.ledger.settle(List.of(
                LedgerRig.settlement(first, Verdict.certain(Result.SUCCEEDED, "ok")),
                LedgerRig.settlement(
                        refused, new Verdict(Result.SUCCEEDED, "ok", Optional.of("bad"), Optional.empty(), false))));

        assertThat(settled.stored()).hasSize(2);
        assertThat(settled.refused()).isEmpty();
        assertThat(LedgerRig.answered(rig.other, second, LedgerRig.KEYED).result())
                .isEqualTo(Result.SUCCEEDED);
    }

    @Test
    void aProbeOfWhatIsSettledSaysItAgainAndOfWhatIsInDoubtAsksOrIsUnknown() throws SQLException {
        Claim.Execute done = LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.KEYED);
        rig.ledger.settle(List.of(LedgerRig.settlement(done, Verdict.certain(Result.SUCCEEDED, "ok"))));
        Effect opaque = Effects.of("r-2", 1, "notify", 1);
        LedgerRig.claimed(rig.ledger, opaque, LedgerRig.OPAQUE);
        Effect asked = Effects.of("r-3", 1, "asked", 1);
        LedgerRig.claimed(rig.ledger, asked, LedgerRig.PROBEABLE);

        assertThat(LedgerRig.answered(rig.other, Effects.probe(opaque, 2), LedgerRig.OPAQUE)
                        .result())
                .isEqualTo(Result.RETRYABLE);
        rig.expireLeases();

        assertThat(LedgerRig.answered(rig.other, Effects.probe(EFFECT, 2), LedgerRig.KEYED)
                        .result())
                .isEqualTo(Result.SUCCEEDED);
        assertThat(LedgerRig.answered(rig.other, Effects.probe(opaque, 2), LedgerRig.OPAQUE)
                        .result())
                .isEqualTo(Result.UNKNOWN);
        assertThat(LedgerRig.claimed(rig.other, Effects.probe(asked, 2), LedgerRig.PROBEABLE)
                        .inDoubt())
                .isTrue();
        assertThat(LedgerRig.answered(rig.other, Effects.probe(Effects.of("r-4", 1, "notify", 1), 2), LedgerRig.OPAQUE)
                        .result())
                .isEqualTo(Result.UNKNOWN);
    }
}
