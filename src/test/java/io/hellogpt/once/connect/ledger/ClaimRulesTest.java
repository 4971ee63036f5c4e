package io.hellogpt.once.connect.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.ledger.LedgerRow.Lease;
import io.hellogpt.once.connect.ledger.LedgerRow.Sent;
import io.hellogpt.once.connect.ledger.LedgerRow.Status;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClaimRulesTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Recovery KEYED =
            new Recovery.Keyed("Idempotency-Key", true, Duration.ofMinutes(10), Duration.ofSeconds(70));
    private static final Recovery OPAQUE = new Recovery.Opaque(false);
    private static final Recovery PROBEABLE = new Recovery.Probeable("http://h/{effect_id}", Duration.ofSeconds(30));
    private static final Effect EFFECT = Effects.of("r-1", 1, "signing", 1);

    @Test
    void keyedFoundStartedIsSentAgainWithinTheWindow() {
        assertThat(judge(started("other", 50, 60), KEYED, 1)).isEqualTo(new Finding.Run(true, false));
    }

    @Test
    void keyedFoundStartedPastTheWindowIsUnknown() {
        assertThat(judge(started("other", 0, 601), KEYED, 1))
                .isInstanceOfSatisfying(
                        Finding.Conclude.class,
                        conclude -> assertThat(conclude.verdict().result()).isEqualTo(Result.UNKNOWN));
    }

    /** The claim is judged now and sent up to 70 s later: by then the receiver must still remember the key. */
    @Test
    void keyedIsNotSentAgainWhenTheSendCouldArrivePastTheWindow() {
        assertThat(judge(started("other", 0, 529), KEYED, 1)).isEqualTo(new Finding.Run(true, false));
        assertThat(judge(started("other", 0, 530), KEYED, 1)).isInstanceOf(Finding.Conclude.class);
    }

    @Test
    void aKeyTheReceiverMayStillKnowStartsNoNewWindow() {
        assertThat(judge(settled(Result.RETRYABLE, 1, 599), KEYED, 2)).isEqualTo(new Finding.Run(false, false));
        assertThat(judge(settled(Result.RETRYABLE, 1, 600), KEYED, 2)).isEqualTo(new Finding.Run(false, true));
    }

    @Test
    void opaqueFoundStartedIsUnknownOnceNobodyCanBeInTheCall() {
        assertThat(judge(started("other", 0, 60), OPAQUE, 1)).isInstanceOf(Finding.Conclude.class);
        assertThat(judge(started("other", 5, 60), OPAQUE, 1)).isInstanceOfSatisfying(Finding.Reply.class, reply -> {
            assertThat(reply.verdict().result()).isEqualTo(Result.RETRYABLE);
            assertThat(reply.verdict().retryAfter().orElseThrow()).isGreaterThan(Duration.ofSeconds(4));
        });
    }

    @Test
    void opaqueSetToAtLeastOnceIsSentAgain() {
        assertThat(judge(started("other", 0, 60), new Recovery.Opaque(true), 1)).isInstanceOf(Finding.Run.class);
    }

    @Test
    void probeableIsAskedAboutOnlyAfterTheSettleDelay() {
        assertThat(judge(started("other", 0, 60), PROBEABLE, 1)).isEqualTo(new Finding.Run(true, true));
        assertThat(judge(started("other", 0, 10), PROBEABLE, 1)).isInstanceOf(Finding.Reply.class);
    }

    @Test
    void ourOwnClaimWithoutAnOutcomeWasNeverSent() {
        assertThat(judge(started("me", 50, 1), OPAQUE, 1)).isEqualTo(new Finding.Run(false, true));
    }

    @Test
    void whatWasDoneAnswersEveryLaterAttempt() {
        assertThat(judge(settled(Result.SUCCEEDED, 1), KEYED, 2)).isInstanceOf(Finding.Reply.class);
    }

    /** The callback that said FAILED is not in the ledger, and neither is a person's RETRY; it must not be void. */
    @Test
    void anAttemptBehindAnAcceptedOneGoesOnByTheRulesOfItsClass() {
        Result accepted = Result.AWAITING_CALLBACK;

        assertThat(judge(settled(accepted, 1, 60), PROBEABLE, 2)).isEqualTo(new Finding.Run(true, true));
        assertThat(judge(settled(accepted, 1, 10), PROBEABLE, 2))
                .isInstanceOfSatisfying(
                        Finding.Reply.class,
                        reply -> assertThat(reply.verdict().result()).isEqualTo(Result.RETRYABLE));
        assertThat(judge(settled(accepted, 1, 60), KEYED, 2)).isEqualTo(new Finding.Run(true, false));
        assertThat(judge(settled(accepted, 1, 60), new Recovery.Opaque(true), 2))
                .isEqualTo(new Finding.Run(true, true));
    }

    /** A task that found the effect in another one's call says RETRYABLE; the attempt behind that proves nothing. */
    @Test
    void anAttemptBehindAnAcceptedOneIsNoProofThatItFailed() {
        for (Finding finding : List.of(
                judge(settled(Result.AWAITING_CALLBACK, 1, 60), OPAQUE, 2),
                judge(settled(Result.AWAITING_CALLBACK, 1, 601), KEYED, 2))) {
            assertThat(finding)
                    .isInstanceOfSatisfying(
                            Finding.Conclude.class,
                            conclude -> assertThat(conclude.verdict().result()).isEqualTo(Result.UNKNOWN));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Result.class,
            names = {"SUCCEEDED", "FAILED", "UNKNOWN", "AWAITING_CALLBACK"})
    void aFinalOutcomeAnswersItsOwnAndEveryEarlierAttempt(Result result) {
        assertThat(judge(settled(result, 2), KEYED, 2)).isInstanceOf(Finding.Reply.class);
        assertThat(judge(settled(result, 2), KEYED, 1)).isInstanceOf(Finding.Reply.class);
    }

    /** Only an operator's RETRY issues an attempt behind a failure; it must be carried out, or RETRY is void. */
    @ParameterizedTest
    @EnumSource(
            value = Result.class,
            names = {"FAILED", "MALFORMED"})
    void anAttemptBehindACertainFailureIsCarriedOut(Result result) {
        for (Recovery recovery : List.of(KEYED, OPAQUE, PROBEABLE, new Recovery.Local())) {
            assertThat(judge(settled(result, 1), recovery, 2))
                    .isInstanceOfSatisfying(
                            Finding.Run.class, run -> assertThat(run.inDoubt()).isFalse());
        }
    }

    @Test
    void anAttemptBehindAnUnknownOutcomeRunsOnlyWhereTheReceiverTellsThemApart() {
        assertThat(judge(settled(Result.UNKNOWN, 1, 60), KEYED, 2)).isEqualTo(new Finding.Run(true, false));
        assertThat(judge(settled(Result.UNKNOWN, 1, 60), PROBEABLE, 2)).isEqualTo(new Finding.Run(true, true));
        assertThat(judge(settled(Result.UNKNOWN, 1, 601), KEYED, 2)).isInstanceOf(Finding.Conclude.class);
        assertThat(judge(settled(Result.UNKNOWN, 1, 60), OPAQUE, 2)).isInstanceOf(Finding.Conclude.class);
    }

    @Test
    void aRetryableOutcomeAnswersItsOwnAttemptAndLetsTheNextOneRun() {
        assertThat(judge(settled(Result.RETRYABLE, 1), KEYED, 1)).isInstanceOf(Finding.Reply.class);
        assertThat(judge(settled(Result.RETRYABLE, 1), KEYED, 2)).isInstanceOf(Finding.Run.class);
        assertThat(judge(settled(Result.RETRYABLE, 3), KEYED, 2)).isInstanceOf(Finding.Reply.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = Result.class,
            names = {"FAILED", "RETRYABLE", "MALFORMED"})
    void otherContentUnderTheSameIdFailsWhenNeitherWasCarriedOut(Result result) {
        assertThat(otherContent(settled(result, 1)).result()).isEqualTo(Result.FAILED);
    }

    @Test
    void otherContentIsUnknownWhenTheFirstWasOrMayHaveBeenCarriedOut() {
        Verdict doubt = Verdict.retry("HTTP 500", Optional.empty(), true);
        for (LedgerRow row : List.of(
                settled(Result.SUCCEEDED, 1),
                settled(Result.AWAITING_CALLBACK, 1),
                settled(Result.UNKNOWN, 1),
                row(Status.SETTLED, 1, new Lease(1, "other", Duration.ZERO), 1, Optional.of(doubt)),
                started("other", 50, 1),
                started("me", 50, 1))) {
            assertThat(otherContent(row).result()).as(row.toString()).isEqualTo(Result.UNKNOWN);
            assertThat(otherContent(row).inDoubt()).isTrue();
        }
    }

    private static Verdict otherContent(LedgerRow row) {
        Effect other = Effects.of(EFFECT.id(), EFFECT.route(), 1, "{\"other\":1}");
        return ((Finding.Refuse) ClaimRules.judge(row, Ask.of(other, KEYED), "me", NOW)).verdict();
    }

    @Test
    void aFingerprintIsOfRouteAndPayloadAndDirectionAlone() {
        assertThat(Fingerprints.of(Effects.again(EFFECT, 7))).isEqualTo(Fingerprints.of(EFFECT));
        assertThat(Fingerprints.of(Effects.of(EFFECT.id(), "signin", 1, "g" + EFFECT.payload())))
                .isNotEqualTo(Fingerprints.of(EFFECT));
        assertThat(Fingerprints.of(Effects.undoOf(EFFECT, EFFECT.route()))).isNotEqualTo(Fingerprints.of(EFFECT));
    }

    private static Finding judge(LedgerRow row, Recovery recovery, int attempt) {
        return ClaimRules.judge(row, Ask.of(Effects.again(EFFECT, attempt), recovery), "me", NOW);
    }

    private static LedgerRow started(String owner, int leaseLeftSeconds, int sentSecondsAgo) {
        return row(
                Status.STARTED,
                1,
                new Lease(1, owner, Duration.ofSeconds(leaseLeftSeconds)),
                sentSecondsAgo,
                Optional.empty());
    }

    private static LedgerRow settled(Result result, int attempt) {
        return settled(result, attempt, 1);
    }

    private static LedgerRow settled(Result result, int attempt, int sentSecondsAgo) {
        Verdict verdict = result == Result.AWAITING_CALLBACK
                ? Verdict.awaiting("said", Optional.empty(), Duration.ofMinutes(1))
                : Verdict.certain(result, "said");
        return row(Status.SETTLED, attempt, new Lease(1, "other", Duration.ZERO), sentSecondsAgo, Optional.of(verdict));
    }

    private static LedgerRow row(
            Status status, int attempt, Lease lease, int sentSecondsAgo, Optional<Verdict> verdict) {
        Duration sent = Duration.ofSeconds(sentSecondsAgo);
        Optional<String> fingerprint = Optional.of(Fingerprints.of(EFFECT));
        return new LedgerRow(
                EFFECT.id().toString(),
                fingerprint,
                status,
                attempt,
                lease,
                verdict.filter(Verdict::inDoubt).isPresent(),
                new Sent(sent, sent),
                false,
                verdict,
                NOW);
    }
}
