package io.hellogpt.once.connect.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A compensation stops its forward effect for good before it is carried out itself. */
class CompensationIT {
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
    void aForwardAttemptAfterItsCompensationIsRefused() throws SQLException {
        Claim.Execute first = LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.KEYED);
        rig.ledger.settle(List.of(LedgerRig.settlement(first, Verdict.retry("HTTP 429", Optional.empty(), false))));
        LedgerRig.claimed(rig.ledger, Effects.undoOf(EFFECT, "signing"), LedgerRig.KEYED);

        assertThat(LedgerRig.answered(rig.ledger, Effects.again(EFFECT, 2), LedgerRig.KEYED)
                        .result())
                .isEqualTo(Result.FAILED);
    }

    @Test
    void aForwardEffectNeverSeenIsRefusedAfterItsCompensation() throws SQLException {
        LedgerRig.claimed(rig.ledger, Effects.undoOf(EFFECT, "signing"), LedgerRig.KEYED);

        assertThat(LedgerRig.answered(rig.ledger, EFFECT, LedgerRig.KEYED).result())
                .isEqualTo(Result.FAILED);
    }

    @Test
    void aCompensationWaitsForAForwardEffectInItsCall() throws SQLException {
        LedgerRig.claimed(rig.ledger, EFFECT, LedgerRig.OPAQUE);

        EffectOutcome undo = LedgerRig.answered(rig.other, Effects.undoOf(EFFECT, "signing"), LedgerRig.OPAQUE);

        assertThat(undo.result()).isEqualTo(Result.RETRYABLE);
        assertThat(undo.retryAfter()).isPresent();
    }
}
