package io.hellogpt.once.connect.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.connect.Databases;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EffectLedgerIT {
    private static final Recovery KEYED =
            new Recovery.Keyed("Idempotency-Key", true, Duration.ofHours(1), Duration.ofMinutes(1));
    private static final Recovery OPAQUE = new Recovery.Opaque(false);
    private static final Recovery LOCAL = new Recovery.Local();
    private static final Instant AT = Instant.parse("2026-01-02T03:04:06.789Z");
    private static final Effect EFFECT = Effects.of("r-1", 1, "signing", 1);

    private String url;
    private EffectLedger ledger;
    private EffectLedger other;

    @BeforeEach
    void open() throws SQLException {
        url = Databases.create();
        ledger = ledger("me", Duration.ofMinutes(1));
        other = ledger("other", Duration.ofMinutes(1));
        ledger.migrate();
    }

    @AfterEach
    void close() {
        ledger.close();
        other.close();
    }

    @Test
    void aSettledAttemptIsAnsweredAgainExactlyAsItWas() throws SQLException {
        Claim.Execute claim = claimed(ledger, EFFECT, KEYED);
        Verdict verdict = new Verdict(
                Result.SUCCEEDED, "receiver answered HTTP 201", Optional.of("env-7"), Optional.empty(), false);
        assertThat(ledger.settle(List.of(settlement(claim, verdict)))).isEmpty();

        EffectOutcome again = answered(other, EFFECT, KEYED);

        assertThat(again).isEqualTo(verdict.outcome(claim.ask(), AT));
    }

    @Test
    void aNewAttemptRunsOnlyAfterARetryableOutcome() throws SQLException {
        Claim.Execute first = claimed(ledger, EFFECT, KEYED);
        ledger.settle(List.of(settlement(first, Verdict.retry("HTTP 500", Optional.empty(), true))));

        Claim.Execute second = claimed(ledger, Effects.again(EFFECT, 2), KEYED);

        assertThat(second.inDoubt()).isTrue();
        assertThat(second.token()).isEqualTo(first.token() + 1);
        assertThat(answered(ledger, EFFECT, KEYED).result()).isEqualTo(Result.RETRYABLE);
    }

    @Test
    void theOneWhoLostItsClaimIsFencedAndItsOutcomeKept() throws SQLException {
        Claim.Execute zombie = claimed(ledger, EFFECT, KEYED);
        Claim.Execute taken = claimed(other, EFFECT, KEYED);

        List<Settlement> late = ledger.settle(List.of(settlement(zombie, Verdict.certain(Result.FAILED, "late"))));
        List<Settlement> good = other.settle(List.of(settlement(taken, Verdict.certain(Result.SUCCEEDED, "ok"))));

        assertThat(taken.inDoubt()).isTrue();
        assertThat(taken.body()).isEqualTo(zombie.body());
        assertThat(late).hasSize(1);
        assertThat(good).isEmpty();
        assertThat(answered(ledger, EFFECT, KEYED).result()).isEqualTo(Result.SUCCEEDED);
        assertThat(Databases.number(url, "SELECT count(*) FROM once_ledger.effect_attempt WHERE fenced"))
                .isOne();
    }

    @Test
    void opaqueInAnotherTasksCallWaitsAndThenIsUnknown() throws SQLException {
        claimed(ledger, EFFECT, OPAQUE);
        assertThat(answered(other, EFFECT, OPAQUE).result()).isEqualTo(Result.RETRYABLE);

        Databases.execute(url, "UPDATE once_ledger.effect SET lease_until = now() - interval '1 second'");

        assertThat(answered(other, EFFECT, OPAQUE).result()).isEqualTo(Result.UNKNOWN);
        assertThat(answered(other, Effects.again(EFFECT, 2), OPAQUE).result()).isEqualTo(Result.UNKNOWN);
    }

    @Test
    void aReleasedClaimIsCarriedOutByWhoeverComesNext() throws SQLException {
        ledger.release(List.of(claimed(ledger, EFFECT, OPAQUE)));

        assertThat(claimed(other, EFFECT, OPAQUE).inDoubt()).isFalse();
    }

    @Test
    void otherContentUnderTheSameIdIsRefused() throws SQLException {
        claimed(ledger, EFFECT, KEYED);

        EffectOutcome refused = answered(ledger, Effects.of(EFFECT.id(), "signing", 1, "{\"x\":1}"), KEYED);

        assertThat(refused.result()).isEqualTo(Result.FAILED);
        assertThat(refused.detail()).contains(Fingerprints.of(EFFECT));
    }

    @Test
    void aForwardAttemptAfterItsCompensationIsRefused() throws SQLException {
        Claim.Execute first = claimed(ledger, EFFECT, KEYED);
        ledger.settle(List.of(settlement(first, Verdict.retry("HTTP 429", Optional.empty(), false))));
        claimed(ledger, Effects.undoOf(EFFECT, "signing"), KEYED);

        assertThat(answered(ledger, Effects.again(EFFECT, 2), KEYED).result()).isEqualTo(Result.FAILED);
    }

    @Test
    void aForwardEffectNeverSeenIsRefusedAfterItsCompensation() throws SQLException {
        claimed(ledger, Effects.undoOf(EFFECT, "signing"), KEYED);

        assertThat(answered(ledger, EFFECT, KEYED).result()).isEqualTo(Result.FAILED);
    }

    @Test
    void aCompensationWaitsForAForwardEffectInItsCall() throws SQLException {
        claimed(ledger, EFFECT, OPAQUE);

        EffectOutcome undo = answered(other, Effects.undoOf(EFFECT, "signing"), OPAQUE);

        assertThat(undo.result()).isEqualTo(Result.RETRYABLE);
        assertThat(undo.retryAfter()).isPresent();
    }

    @Test
    void billingIsOneRowHoweverManyTasksAreGivenIt() throws Exception {
        List<Ask> asks = IntStream.range(0, 200)
                .mapToObj(i -> Ask.of(Effects.billing("r-" + i, "billing"), LOCAL))
                .toList();
        List<Callable<List<Claim.Answer>>> tasks = new ArrayList<>();
        for (EffectLedger each : List.of(ledger, other, ledger, other)) {
            tasks.add(() -> each.bill(asks));
        }

        List<Future<List<Claim.Answer>>> answers;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            answers = threads.invokeAll(tasks);
        }

        for (Future<List<Claim.Answer>> answer : answers) {
            assertThat(answer.get()).hasSize(200).allMatch(a -> a.outcome().result() == Result.SUCCEEDED);
        }
        assertThat(Databases.number(url, "SELECT sum(cost_nanos) FROM once_ledger.billing"))
                .isEqualTo(200 * 1500);
        assertThat(Databases.number(url, "SELECT count(*) FROM once_ledger.effect_attempt"))
                .isEqualTo(200);
    }

    @Test
    void billingThatIsNoBillIsMalformedAndBillsNothing() throws SQLException {
        Effect good = Effects.billing("r-1", "billing");
        Effect foreign = Effects.of(good.id(), "billing", 1, good.payload().replace("r-1", "r-2"));

        List<Claim.Answer> answers = ledger.bill(List.of(Ask.of(foreign, LOCAL)));

        assertThat(answers).singleElement().matches(a -> a.outcome().result() == Result.MALFORMED);
        assertThat(Databases.number(url, "SELECT count(*) FROM once_ledger.billing"))
                .isZero();
    }

    @Test
    void whatIsNotExecutedForWantOfARouteStaysSoAndTheNextAttemptRuns() throws SQLException {
        EffectOutcome said = ledger.malformed(List.of(Ask.of(EFFECT, OPAQUE)), "no such route")
                .getFirst()
                .outcome();

        assertThat(said.result()).isEqualTo(Result.MALFORMED);
        assertThat(answered(other, EFFECT, KEYED)).isEqualTo(said);
        assertThat(claimed(other, Effects.again(EFFECT, 2), KEYED).inDoubt()).isFalse();
    }

    @Test
    void aRouteTakenAwayDuringACallDoesNotMakeTheAttemptOneThatWasNotExecuted() throws SQLException {
        claimed(ledger, EFFECT, KEYED);
        Databases.execute(url, "UPDATE once_ledger.effect SET lease_until = now() - interval '1 second'");

        List<Claim.Answer> answers = other.malformed(List.of(Ask.of(EFFECT, OPAQUE)), "no such route");

        assertThat(answers).singleElement().matches(a -> a.outcome().result() == Result.UNKNOWN);
    }

    @Test
    void aRowTheDatabaseCannotStoreDoesNotHoldUpTheOthers() throws SQLException {
        Effect poison = Effects.of("r-2", 1, "sign\0ing", 1);

        List<Claim> claims = ledger.claim(List.of(Ask.of(poison, KEYED), Ask.of(EFFECT, KEYED)));

        assertThat(claims.getFirst())
                .isInstanceOfSatisfying(
                        Claim.Answer.class,
                        answer -> assertThat(answer.outcome().result()).isEqualTo(Result.MALFORMED));
        assertThat(claims.getLast()).isInstanceOf(Claim.Execute.class);
    }

    @Test
    void aTurnIsBilledOnceEvenUnderAnotherEffect() throws SQLException {
        Effect good = Effects.billing("r-1", "billing");
        Effect second = Effects.of(new EffectId(good.id().requestId(), 0, 9, false), "billing", 1, good.payload());

        ledger.bill(List.of(Ask.of(good, LOCAL)));
        List<Claim.Answer> answers = ledger.bill(List.of(Ask.of(second, LOCAL)));

        assertThat(answers).singleElement().matches(a -> a.outcome().result() == Result.FAILED);
        assertThat(Databases.number(url, "SELECT count(*) FROM once_ledger.billing"))
                .isOne();
    }

    @Test
    void aSecondSnapshotOfOneLifeIsNotBilledAndASecondLifeIs() throws SQLException {
        Effect first = Effects.billing("r-1", "billing");
        String otherAnswer = first.payload().replace("\"ab\"", "\"cd\"");
        Effect otherStep = Effects.of(new EffectId(first.id().requestId(), 0, 9, false), "billing", 1, otherAnswer);
        Effect secondLife = Effects.inSecondLife(first, otherAnswer);

        assertThat(billed(first)).isEqualTo(Result.SUCCEEDED);
        assertThat(billed(Effects.of(first.id(), "billing", 1, otherAnswer))).isEqualTo(Result.FAILED);
        assertThat(billed(otherStep)).isEqualTo(Result.FAILED);
        assertThat(billed(secondLife)).isEqualTo(Result.SUCCEEDED);
        assertThat(billed(secondLife)).isEqualTo(Result.SUCCEEDED);

        assertThat(Databases.number(url, "SELECT sum(cost_nanos) FROM once_ledger.billing"))
                .isEqualTo(2 * 1500);
    }

    @Test
    void aSecondLifeOfARequestIdStartsAfreshAndLeavesTheFirstAsItWas() throws SQLException {
        Claim.Execute first = claimed(ledger, EFFECT, OPAQUE);
        ledger.settle(List.of(settlement(first, Verdict.certain(Result.SUCCEEDED, "first"))));
        claimed(ledger, Effects.undoOf(EFFECT, "signing"), OPAQUE);
        Effect again = Effects.inSecondLife(EFFECT, "{\"other\":1}");

        Claim.Execute second = claimed(ledger, again, OPAQUE);
        ledger.settle(List.of(settlement(second, Verdict.certain(Result.FAILED, "second"))));

        assertThat(second.inDoubt()).isFalse();
        assertThat(second.body()).isEqualTo(second.ask().body());
        assertThat(answered(other, again, OPAQUE).detail()).isEqualTo("second");
        assertThat(answered(other, EFFECT, OPAQUE).detail()).isEqualTo("first");
        assertThat(Databases.number(url, "SELECT count(*) FROM once_ledger.effect_attempt WHERE NOT fenced"))
                .isEqualTo(2);
    }

    @Test
    void manyTasksMayMigrateAtOnce() throws Exception {
        String fresh = Databases.create();
        List<EffectLedger> ledgers = IntStream.range(0, 4)
                .mapToObj(i ->
                        new EffectLedger(Databases.settings(fresh), "o" + i, Duration.ofMinutes(1), Clock.systemUTC()))
                .toList();
        List<Callable<Void>> tasks = new ArrayList<>();
        for (EffectLedger each : ledgers) {
            tasks.add(() -> {
                each.migrate();
                return null;
            });
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Void> done : threads.invokeAll(tasks)) {
                done.get();
            }
        }
        ledgers.forEach(EffectLedger::close);

        assertThat(Databases.number(fresh, "SELECT count(*) FROM once_ledger.schema_version"))
                .isOne();
    }

    @Test
    void aLedgerOfANewerConnectorIsLeftAlone() {
        Databases.execute(url, "INSERT INTO once_ledger.schema_version (version, name) VALUES (99, 'later')");

        assertThatThrownBy(ledger::migrate).isInstanceOf(SQLException.class).hasMessageContaining("99");
    }

    private EffectLedger ledger(String owner, Duration lease) {
        return new EffectLedger(Databases.settings(url), owner, lease, Clock.systemUTC());
    }

    private static Settlement settlement(Claim.Execute claim, Verdict verdict) {
        return new Settlement(claim.ask(), claim.token(), verdict, AT);
    }

    private Result billed(Effect effect) throws SQLException {
        return ledger.bill(List.of(Ask.of(effect, LOCAL))).getFirst().outcome().result();
    }

    private static Claim.Execute claimed(EffectLedger by, Effect effect, Recovery recovery) throws SQLException {
        return (Claim.Execute) by.claim(List.of(Ask.of(effect, recovery))).getFirst();
    }

    private static EffectOutcome answered(EffectLedger by, Effect effect, Recovery recovery) throws SQLException {
        return ((Claim.Answer) by.claim(List.of(Ask.of(effect, recovery))).getFirst()).outcome();
    }
}
