package io.hellogpt.once.connect.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.Databases;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a person, and the clockwork, do with the ledger. */
class LedgerDeskIT {
    private static final Effect EFFECT = Effects.of("r-1", 1, "signing", 1);

    private LedgerRig rig;
    private LedgerDesk desk;

    @BeforeEach
    void open() throws SQLException {
        rig = new LedgerRig();
        desk = new LedgerDesk(Databases.settings(rig.url));
    }

    @AfterEach
    void close() {
        desk.close();
        rig.close();
    }

    @Test
    void onlyWhatHasEndedLongAgoIsForgotten() throws SQLException {
        settled("done", Verdict.certain(Result.SUCCEEDED, "ok"));
        settled("failed", Verdict.certain(Result.FAILED, "no"));
        settled("unknown", new Verdict(Result.UNKNOWN, "?", Optional.empty(), Optional.empty(), true));
        settled("doubtful", Verdict.retry("?", Optional.empty(), true));
        settled("called-back", Verdict.awaiting("202", Optional.empty(), Duration.ofSeconds(1)));
        settled("awaited", Verdict.awaiting("202", Optional.empty(), Duration.ofDays(10_000)));
        LedgerRig.claimed(rig.ledger, Effects.of("started", 1, "notify", 1), LedgerRig.OPAQUE);
        rig.ledger.release(
                List.of(LedgerRig.claimed(rig.ledger, Effects.of("released", 1, "notify", 1), LedgerRig.OPAQUE)));
        LedgerRig.claimed(
                rig.ledger, Effects.undoOf(Effects.of("tombstoned", 1, "notify", 1), "notify"), LedgerRig.OPAQUE);
        rig.ledger.bill(List.of(Ask.of(Effects.billing("billed", "billing"), LedgerRig.LOCAL)));
        Databases.execute(rig.url, "UPDATE once_ledger.effect SET updated_at = now() - interval '2 days'");
        settled("today", Verdict.certain(Result.SUCCEEDED, "ok"));

        int first = desk.purge(Duration.ofDays(1), 3);
        int rest = desk.purge(Duration.ofDays(1), 100);

        assertThat(first).isEqualTo(3);
        assertThat(rest).isEqualTo(2);
        assertThat(desk.list(all()))
                .extracting(LedgerDesk.Line::effectId)
                .containsExactlyInAnyOrder(
                        "unknown:0.1",
                        "doubtful:0.1",
                        "awaited:0.1",
                        "started:0.1",
                        "released:0.1",
                        "tombstoned:0.1:undo",
                        "today:0.1");
        assertThat(rig.count("billing")).isOne();
        assertThat(rig.count("effect_attempt WHERE effect_id LIKE 'done%'")).isZero();
    }

    @Test
    void whatIsUnknownIsResolvedOnceAndEveryLaterAttemptSaysSo() throws SQLException {
        Claim.Execute claim =
                settled("r-1", new Verdict(Result.UNKNOWN, "?", Optional.empty(), Optional.empty(), true));
        LedgerDesk.Finding found = new LedgerDesk.Finding(EFFECT.id(), true, "anna", "seen in the receiver's portal");

        LedgerDesk.Resolution.Done done = (LedgerDesk.Resolution.Done) desk.resolve(found);
        LedgerDesk.Resolution.Done again = (LedgerDesk.Resolution.Done) desk.resolve(found);
        EffectLedger.Settled late =
                rig.ledger.settle(List.of(LedgerRig.settlement(claim, Verdict.certain(Result.FAILED, "late"))));

        assertThat(done.before()).isFalse();
        assertThat(again.before()).isTrue();
        assertThat(again.token()).isEqualTo(done.token());
        assertThat(late.stored())
                .as("a repeated settlement is the one stored before")
                .hasSize(1);
        assertThat(LedgerRig.answered(rig.other, Effects.again(EFFECT, 2), LedgerRig.OPAQUE)
                        .result())
                .isEqualTo(Result.SUCCEEDED);
        LedgerDesk.Attempt last = desk.show(EFFECT.id()).getFirst().attempts().getLast();
        assertThat(last.by()).isEqualTo("anna");
        assertThat(last.detail()).contains("anna").contains("seen in the receiver's portal");
    }

    @Test
    void resolvedAsNotCarriedOutIsCarriedOutWhenAskedForAgain() throws SQLException {
        settled("r-1", new Verdict(Result.UNKNOWN, "?", Optional.empty(), Optional.empty(), true));

        desk.resolve(new LedgerDesk.Finding(EFFECT.id(), false, "anna", "not in the portal"));

        assertThat(LedgerRig.answered(rig.other, EFFECT, LedgerRig.OPAQUE).result())
                .isEqualTo(Result.FAILED);
        assertThat(LedgerRig.claimed(rig.other, Effects.again(EFFECT, 2), LedgerRig.OPAQUE)
                        .inDoubt())
                .isFalse();
    }

    @Test
    void whatIsKnownOrUnderWayIsNotForAPersonToSay() throws SQLException {
        LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.OPAQUE);
        settled("r-2", Verdict.certain(Result.SUCCEEDED, "ok"));
        Effect other = Effects.of("r-2", 1, "notify", 1);

        assertThat(desk.resolve(new LedgerDesk.Finding(EFFECT.id(), true, "anna", "x")))
                .isInstanceOf(LedgerDesk.Resolution.Refused.class);
        assertThat(desk.resolve(new LedgerDesk.Finding(other.id(), false, "anna", "x")))
                .isInstanceOf(LedgerDesk.Resolution.Refused.class);
        assertThat(desk.resolve(
                        new LedgerDesk.Finding(Effects.of("r-9", 1, "n", 1).id(), false, "anna", "x")))
                .isInstanceOf(LedgerDesk.Resolution.Refused.class);
    }

    private static LedgerDesk.Filter all() {
        return new LedgerDesk.Filter(Optional.empty(), Optional.empty(), Optional.empty(), 100);
    }

    private Claim.Execute settled(String requestId, Verdict verdict) throws SQLException {
        Claim.Execute claim = LedgerRig.claimed(rig.ledger, Effects.of(requestId, 1, "signing", 1), LedgerRig.OPAQUE);
        rig.ledger.settle(List.of(LedgerRig.settlement(claim, verdict)));
        return claim;
    }
}
