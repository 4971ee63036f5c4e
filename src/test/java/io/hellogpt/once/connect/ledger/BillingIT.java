package io.hellogpt.once.connect.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.Databases;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Effects whose receiver is the ledger's own database. */
class BillingIT {
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
    void billingIsOneRowHoweverManyTasksAreGivenIt() throws Exception {
        List<Ask> asks = IntStream.range(0, 200)
                .mapToObj(i -> Ask.of(Effects.billing("r-" + i, "billing"), LedgerRig.LOCAL))
                .toList();
        List<Callable<List<Claim.Answer>>> tasks = new ArrayList<>();
        for (EffectLedger each : List.of(rig.ledger, rig.other, rig.ledger, rig.other)) {
            tasks.add(() -> each.bill(asks));
        }

        List<Future<List<Claim.Answer>>> answers;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            answers = threads.invokeAll(tasks);
        }

        for (Future<List<Claim.Answer>> answer : answers) {
            assertThat(answer.get()).hasSize(200).allMatch(a -> a.outcome().result() == Result.SUCCEEDED);
        }
        assertThat(Databases.number(rig.url, "SELECT sum(cost_nanos) FROM once_ledger.billing"))
                .isEqualTo(200 * 1500);
        assertThat(Databases.number(rig.url, "SELECT count(*) FROM once_ledger.effect_attempt"))
                .isEqualTo(200);
    }

    @Test
    void billingThatIsNoBillIsMalformedAndBillsNothing() throws SQLException {
        Effect good = Effects.billing("r-1", "billing");
        Effect foreign = Effects.of(good.id(), "billing", 1, good.payload().replace("r-1", "r-2"));

        List<Claim.Answer> answers = rig.ledger.bill(List.of(Ask.of(foreign, LedgerRig.LOCAL)));

        assertThat(answers).singleElement().matches(a -> a.outcome().result() == Result.MALFORMED);
        assertThat(Databases.number(rig.url, "SELECT count(*) FROM once_ledger.billing"))
                .isZero();
    }

    @Test
    void aTurnIsBilledOnceEvenUnderAnotherEffect() throws SQLException {
        Effect good = Effects.billing("r-1", "billing");
        Effect second = Effects.of(new EffectId(good.id().requestId(), 0, 9, false), "billing", 1, good.payload());

        rig.ledger.bill(List.of(Ask.of(good, LedgerRig.LOCAL)));
        List<Claim.Answer> answers = rig.ledger.bill(List.of(Ask.of(second, LedgerRig.LOCAL)));

        assertThat(answers).singleElement().matches(a -> a.outcome().result() == Result.FAILED);
        assertThat(Databases.number(rig.url, "SELECT count(*) FROM once_ledger.billing"))
                .isOne();
    }

    @Test
    void aSecondSnapshotOfOneLifeIsNotBilledAndASecondLifeIs() throws SQLException {
        Effect first = Effects.billing("r-1", "billing");
        String otherAnswer = first.payload().replace("\"ab\"", "\"cd\"");
        Effect otherStep = Effects.of(new EffectId(first.id().requestId(), 0, 9, false), "billing", 1, otherAnswer);
        Effect secondLife = Effects.inSecondLife(first, otherAnswer);

        assertThat(rig.billed(first)).isEqualTo(Result.SUCCEEDED);
        assertThat(rig.billed(Effects.of(first.id(), "billing", 1, otherAnswer)))
                .as("another bill of that id was written, so it cannot be called not carried out")
                .isEqualTo(Result.UNKNOWN);
        assertThat(rig.billed(otherStep)).isEqualTo(Result.FAILED);
        assertThat(rig.billed(secondLife)).isEqualTo(Result.SUCCEEDED);
        assertThat(rig.billed(secondLife)).isEqualTo(Result.SUCCEEDED);

        assertThat(Databases.number(rig.url, "SELECT sum(cost_nanos) FROM once_ledger.billing"))
                .isEqualTo(2 * 1500);
    }

    @Test
    void oneBillTheDatabaseRefusesDoesNotHoldUpTheOthersOfItsBatch() throws SQLException {
        List<Ask> asks = new ArrayList<>(IntStream.range(0, 100)
                .mapToObj(i -> Ask.of(Effects.billing("r-" + i, "billing"), LedgerRig.LOCAL))
                .toList());
        Databases.execute(rig.url, "ALTER TABLE once_ledger.billing ADD CHECK (request_id <> 'r-37')");

        List<Claim.Answer> answers = rig.ledger.bill(asks);

        assertThat(answers).hasSize(100);
        assertThat(answers)
                .filteredOn(answer -> answer.outcome().result() == Result.MALFORMED)
                .singleElement()
                .matches(answer -> answer.ask().effectId().startsWith("r-37:"));
        assertThat(rig.count("billing")).isEqualTo(99);
    }
}
