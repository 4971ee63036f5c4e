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

/** An attempt that only asks is never one that sends. */
class ProbeRulesTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Effect EFFECT = Effects.of("r-1", 1, "signing", 1);
    private static final Recovery KEYED =
            new Recovery.Keyed("Idempotency-Key", true, Duration.ofMinutes(10), Duration.ofSeconds(70));
    private static final Recovery OPAQUE = new Recovery.Opaque(true);
    private static final Recovery PROBEABLE = new Recovery.Probeable("http://h/{effect_id}", Duration.ofSeconds(30));

    @ParameterizedTest
    @EnumSource(
            value = Result.class,
            names = {"SUCCEEDED", "FAILED", "MALFORMED"})
    void whatHasEndedIsSaidAgain(Result result) {
        for (Recovery recovery : List.of(KEYED, OPAQUE, PROBEABLE)) {
            assertThat(judge(settled(Verdict.certain(result, "said")), recovery, 2))
                    .isEqualTo(new Finding.Reply(Verdict.certain(result, "said"), NOW));
        }
    }

    @Test
    void aCallbackThatNeverCameIsAskedAboutWhereTheReceiverCanBeAsked() {
        LedgerRow row = settled(Verdict.awaiting("202", Optional.empty(), Duration.ofMinutes(1)));

        assertThat(judge(row, PROBEABLE, 2)).isEqualTo(new Finding.Run(true, true));
        assertThat(judge(row, KEYED, 2)).isInstanceOfSatisfying(Finding.Conclude.class, this::isUnknown);
        assertThat(judge(row, OPAQUE, 2)).isInstanceOfSatisfying(Finding.Conclude.class, this::isUnknown);
    }

    @Test
    void whatWasSentAndNeverSettledIsInDoubtOnceNobodyCanBeInTheCall() {
        assertThat(judge(started("other", 5), PROBEABLE, 2)).isInstanceOf(Finding.Reply.class);
        assertThat(judge(started("other", 0), PROBEABLE, 2)).isEqualTo(new Finding.Run(true, true));
        assertThat(judge(started("other", 0), KEYED, 2))
                .isInstanceOfSatisfying(Finding.Conclude.class, this::isUnknown);
    }

    @Test
    void whatWasCertainlyNotCarriedOutNeedsNoAsking() {
        LedgerRow refused = settled(Verdict.retry("HTTP 429", Optional.empty(), false));

        for (LedgerRow row : List.of(refused, started("me", 5))) {
            assertThat(judge(row, PROBEABLE, 2)).isInstanceOfSatisfying(Finding.Reply.class, reply -> {
                assertThat(reply.verdict().result()).isEqualTo(Result.RETRYABLE);
                assertThat(reply.verdict().inDoubt()).isFalse();
            });
        }
    }

    @Test
    void aProbeReadAgainIsAnsweredAsItWas() {
        Verdict unknown = new Verdict(Result.UNKNOWN, "?", Optional.empty(), Optional.empty(), true);

        assertThat(judge(settled(unknown), PROBEABLE, 1)).isEqualTo(new Finding.Reply(unknown, NOW));
        assertThat(judge(settled(unknown), PROBEABLE, 2)).isEqualTo(new Finding.Run(true, true));
    }

    private void isUnknown(Finding.Conclude conclude) {
        assertThat(conclude.verdict().result()).isEqualTo(Result.UNKNOWN);
    }

    private static Finding judge(LedgerRow row, Recovery recovery, int attempt) {
        return ClaimRules.judge(row, Ask.of(Effects.probe(EFFECT, attempt), recovery), "me", NOW);
    }

    private static LedgerRow started(String owner, int leaseLeftSeconds) {
        return row(Status.STARTED, new Lease(1, owner, Duration.ofSeconds(leaseLeftSeconds)), false, Optional.empty());
    }

    private static LedgerRow settled(Verdict verdict) {
        return row(Status.SETTLED, new Lease(1, "other", Duration.ZERO), verdict.inDoubt(), Optional.of(verdict));
    }

    private static LedgerRow row(Status status, Lease lease, boolean inDoubt, Optional<Verdict> verdict) {
        Duration sent = Duration.ofMinutes(1);
        return new LedgerRow(
                EFFECT.id().toString(),
                Optional.of(Fingerprints.of(EFFECT)),
                status,
                1,
                lease,
                inDoubt,
                new Sent(sent, sent),
                false,
                verdict,
                NOW);
    }
}
