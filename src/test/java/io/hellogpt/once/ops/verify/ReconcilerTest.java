package io.hellogpt.once.ops.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.RequestState.Status;
import io.hellogpt.once.ops.verify.Evidence.Bill;
import io.hellogpt.once.ops.verify.Evidence.Ending;
import io.hellogpt.once.ops.verify.Evidence.LedgerEffect;
import io.hellogpt.once.ops.verify.Evidence.Recorded;
import io.hellogpt.once.ops.verify.Reconciler.Check;
import io.hellogpt.once.ops.verify.Reconciler.Difference;
import io.hellogpt.once.ops.verify.Reconciler.Outcome;
import io.hellogpt.once.ops.verify.Reconciler.Stored;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A clean history has no difference; each doctored one shows the one it was given. */
class ReconcilerTest {
    private static final Instant LATER = History.START.plusSeconds(3_600);

    private final History history = History.clean();
    private Function<String, Stored> states = id -> new Stored.Unknown();

    @Test
    void aCleanHistoryHasNoDifferenceAndEqualSums() {
        Outcome outcome = compare(LATER);

        assertThat(outcome.differences()).isEmpty();
        assertThat(outcome.requests()).isEqualTo(4);
        assertThat(outcome.answersNanos()).isPositive().isEqualTo(outcome.billedNanos());
    }

    @Test
    void aRequestThatVanishedIsADifference() {
        history.endings.removeIf(ending -> ending.requestId().equals("contract-1"));

        assertThat(compare(LATER).differences()).singleElement().satisfies(is(Check.ENDINGS, "contract-1"));
    }

    @Test
    void anOpenRequestIsNone() {
        history.endings.removeIf(ending -> ending.requestId().equals("contract-1"));
        states = id -> new Stored.Known(Status.GENERATING);

        assertThat(compare(LATER).differences()).isEmpty();
    }

    @Test
    void aStateThatSaysEndedWithoutARecordIsADifference() {
        history.endings.removeIf(ending -> ending.requestId().equals("contract-1"));
        states = id -> new Stored.Known(Status.COMMITTED);

        assertThat(compare(LATER).differences()).singleElement().satisfies(is(Check.ENDINGS, "contract-1"));
    }

    @Test
    void nothingIsDecidedAboutAPartitionThatCannotBeAsked() {
        history.endings.removeIf(ending -> ending.requestId().equals("contract-1"));
        states = id -> new Stored.NotSaid();

        assertThat(compare(LATER).differences()).isEmpty();
    }

    @Test
    void aSecondEndingIsADifference() {
        history.endings.add(ending("contract-1"));

        assertThat(compare(LATER).differences()).extracting(Difference::check).contains(Check.ENDINGS);
    }

    @Test
    void aSecondAnswerIsADifference() {
        history.snapshots.add(new Recorded("contract-1", 0, "other", "other", 5));

        assertThat(compare(LATER).differences()).singleElement().satisfies(is(Check.SNAPSHOTS, "contract-1"));
    }

    @Test
    void anAnswerWithOtherBytesIsADifference() {
        history.snapshots.replaceAll(answer -> answer.requestId().equals("contract-1")
                ? new Recorded("contract-1", 0, answer.sha256(), "tampered", answer.costNanos())
                : answer);

        assertThat(compare(LATER).differences()).singleElement().satisfies(is(Check.SNAPSHOTS, "contract-1"));
    }

    @Test
    void anEndingWithAnotherAnswerIsADifference() {
        Ending known = ending("contract-1");
        history.endings.replaceAll(ending -> ending == known
                ? new Ending("contract-1", true, known.source(), Optional.of("other"), known.effects(), known.at())
                : ending);

        assertThat(compare(LATER).differences()).singleElement().satisfies(is(Check.SNAPSHOTS, "contract-1"));
    }

    @Test
    void aMissingBillIsADifference() {
        history.bills.removeIf(bill -> bill.requestId().equals("contract-1"));

        assertThat(compare(LATER).differences()).singleElement().satisfies(is(Check.BILLS, "contract-1"));
    }

    @Test
    void aBillForAnotherSumIsADifference() {
        history.bills.replaceAll(bill ->
                bill.requestId().equals("contract-1") ? new Bill("contract-1", bill.snapshotSha256(), 999) : bill);

        Outcome outcome = compare(LATER);
        assertThat(outcome.differences()).singleElement().satisfies(is(Check.BILLS, "contract-1"));
        assertThat(outcome.billedNanos()).isNotEqualTo(outcome.answersNanos());
    }

    @Test
    void aSecondBillIsADifference() {
        history.bills.add(history.bills.getFirst());

        assertThat(compare(LATER).differences()).singleElement().satisfies(is(Check.BILLS, "contract-1"));
    }

    @Test
    void anEffectTheLedgerDoesNotKnowIsADifference() {
        history.ledgerEffects.removeIf(effect -> effect.effectId().equals("contract-1:0.1"));

        assertThat(compare(LATER).differences()).singleElement().satisfies(is(Check.EFFECTS, "contract-1"));
    }

    @Test
    void anEffectTheLedgerCallsFailedIsADifference() {
        history.ledgerEffects.replaceAll(effect -> effect.effectId().equals("contract-1:0.1")
                ? new LedgerEffect(effect.effectId(), effect.route(), "SETTLED", Optional.of("FAILED"))
                : effect);

        assertThat(compare(LATER).differences()).singleElement().satisfies(is(Check.EFFECTS, "contract-1"));
    }

    @Test
    void anEffectAPersonSettledIsNone() {
        history.ledgerEffects.replaceAll(effect -> effect.effectId().equals("contract-1:0.1")
                ? new LedgerEffect(effect.effectId(), effect.route(), "SETTLED", Optional.of("UNKNOWN"))
                : effect);

        assertThat(compare(LATER).differences()).isEmpty();
    }

    @Test
    void whatIsTooYoungIsNotJudged() {
        history.endings.clear();
        history.bills.clear();

        assertThat(compare(History.START).differences()).isEmpty();
    }

    private Outcome compare(Instant settled) {
        Evidence evidence = history.evidence();
        return Reconciler.compare(evidence.intake(), evidence.work(), settled, evidence.ledger(), states);
    }

    private Ending ending(String id) {
        return history.endings.stream()
                .filter(ending -> ending.requestId().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Consumer<Difference> is(Check check, String id) {
        return difference -> {
            assertThat(difference.check()).isEqualTo(check);
            assertThat(difference.requestId()).isEqualTo(id);
        };
    }
}
