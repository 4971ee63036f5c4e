package io.hellogpt.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.Databases;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.ledger.Ask;
import io.hellogpt.once.connect.ledger.Claim;
import io.hellogpt.once.connect.ledger.EffectLedger;
import io.hellogpt.once.connect.ledger.Settlement;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.ops.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code once ledger} on a real database, and no broker. */
class LedgerCommandIT {
    private static final Effect EFFECT = Effects.of("r-1", 1, "notify", 1);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String url;

    @BeforeEach
    void anEffectNobodyKnowsTheEndOf() throws SQLException {
        url = Databases.create();
        try (EffectLedger ledger =
                new EffectLedger(Databases.settings(url), "me", Duration.ofMinutes(1), Clock.systemUTC())) {
            ledger.migrate();
            Claim.Execute claim = (Claim.Execute) ledger.claim(List.of(Ask.of(EFFECT, new Recovery.Opaque(false))))
                    .getFirst();
            Verdict unknown = new Verdict(Result.UNKNOWN, "no answer", Optional.empty(), Optional.empty(), true);
            ledger.settle(List.of(new Settlement(claim.ask(), claim.token(), unknown, Instant.now())));
        }
    }

    @Test
    void whatIsUnknownIsListedAndShownWithoutWhatWasSent() {
        assertThat(ledger("list", "--state", "UNKNOWN")).isEqualTo(ExitCode.OK.code());
        assertThat(out.toString()).contains("UNKNOWN").contains("r-1:0.1");
        assertThat(ledger("show", "r-1:0.1")).isEqualTo(ExitCode.OK.code());
        assertThat(out.toString())
                .contains("UNKNOWN: no answer")
                .contains("attempt 1")
                .doesNotContain("\"for\"");
        assertThat(ledger("show", "r-2:0.1")).isEqualTo(ExitCode.NOT_FOUND.code());
        assertThat(ledger("show", "nonsense")).isEqualTo(ExitCode.USAGE.code());
    }

    /** The command cannot be sent, for there is no broker: the ledger has it all the same, and the call can be repeated. */
    @Test
    void aResolutionStandsInTheLedgerAlsoWhenTheRequestCouldNotBeTold() {
        String[] resolve = {
            "resolve",
            "r-1:0.1",
            "succeeded",
            "--reason",
            "seen",
            "--actor",
            "anna",
            "-b",
            "127.0.0.1:1",
            "-s",
            "kafka.producer.max.block.ms=300"
        };

        assertThat(ledger(resolve)).isEqualTo(ExitCode.UNREACHABLE.code());
        assertThat(out.toString()).contains("is resolved as succeeded");
        assertThat(ledger(resolve)).isEqualTo(ExitCode.UNREACHABLE.code());
        assertThat(out.toString()).contains("had ended as succeeded");

        assertThat(Databases.number(
                        url, "SELECT count(*) FROM once_ledger.effect_attempt WHERE actor = 'anna' AND NOT fenced"))
                .isOne();
    }

    @Test
    void whatIsKnownCannotBeResolvedOtherwise() {
        assertThat(ledger("resolve", "r-1:0.1", "failed", "--reason", "seen", "--ledger-only"))
                .isEqualTo(ExitCode.OK.code());

        assertThat(ledger("resolve", "r-1:0.1", "succeeded", "--reason", "no")).isEqualTo(ExitCode.BAD_INPUT.code());
        assertThat(err.toString()).contains("is SETTLED FAILED");
    }

    @Test
    void anUnknownEffectIsNeverPurged() {
        Databases.execute(url, "UPDATE once_ledger.effect SET updated_at = now() - interval '90 days'");

        assertThat(ledger("purge")).isEqualTo(ExitCode.OK.code());

        assertThat(out.toString()).contains("0 effects removed");
        assertThat(ledger("purge", "--older-than-days", "0")).isEqualTo(ExitCode.USAGE.code());
    }

    private int ledger(String... arguments) {
        List<String> all = new ArrayList<>(List.of("ledger"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--ledger", url));
        return Once.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
    }
}
