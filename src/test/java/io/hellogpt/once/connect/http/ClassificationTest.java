package io.hellogpt.once.connect.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.Routes;
import io.hellogpt.once.connect.config.EffectClass;
import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Responses;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.ledger.Ask;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.connect.receiver.Verdicts;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassificationTest {
    private static final Optional<Duration> NONE = Optional.empty();

    @ParameterizedTest
    @CsvSource({
        "KEYED, 200, SUCCEEDED, false",
        "OPAQUE, 202, SUCCEEDED, false",
        "KEYED, 302, FAILED, false",
        "KEYED, 400, FAILED, false",
        "KEYED, 422, FAILED, false",
        "KEYED, 409, RETRYABLE, true",
        "OPAQUE, 409, UNKNOWN, true",
        "PROBEABLE, 409, RETRYABLE, true",
        "KEYED, 303, RETRYABLE, true",
        "PROBEABLE, 303, RETRYABLE, true",
        "OPAQUE, 303, UNKNOWN, true",
        "OPAQUE, 307, FAILED, false",
        "OPAQUE, 429, RETRYABLE, false",
        "OPAQUE, 425, RETRYABLE, false",
        "KEYED, 503, RETRYABLE, true",
        "OPAQUE, 503, UNKNOWN, true",
        "OPAQUE, 408, UNKNOWN, true",
        "KEYED, 500, RETRYABLE, true",
        "PROBEABLE, 500, RETRYABLE, true",
        "OPAQUE, 502, UNKNOWN, true",
    })
    void aStatusMeansWhatTheClassOfTheRouteAllows(EffectClass effectClass, int status, Result result, boolean doubt) {
        Verdict verdict = classification(recovery(effectClass), false).response(status, Optional.of("r"), NONE);

        assertThat(verdict.result()).isEqualTo(result);
        assertThat(verdict.inDoubt()).isEqualTo(doubt);
        assertThat(verdict.reference().isPresent()).isEqualTo(result == Result.SUCCEEDED);
    }

    @Test
    void anUnavailableReceiverThatSaysWhenToComeBackDidNothing() {
        Optional<Duration> wait = Optional.of(Duration.ofSeconds(7));

        Verdict verdict = classification(recovery(EffectClass.OPAQUE), false).response(503, Optional.empty(), wait);

        assertThat(verdict.result()).isEqualTo(Result.RETRYABLE);
        assertThat(verdict.retryAfter()).isEqualTo(wait);
    }

    @Test
    void aRefusalAfterAnAttemptInDoubtIsNoProofThatNothingHappened() {
        Verdict verdict = classification(recovery(EffectClass.KEYED), true).response(401, Optional.empty(), NONE);

        assertThat(verdict.result()).isEqualTo(Result.UNKNOWN);
    }

    @Test
    void notSendingTakesNoEarlierDoubtAway() {
        assertThat(new Verdicts(recovery(EffectClass.KEYED), true).notSent("x").inDoubt())
                .isTrue();
        assertThat(new Verdicts(recovery(EffectClass.KEYED), false).notSent("x").inDoubt())
                .isFalse();
    }

    @Test
    void atLeastOnceSendsAgainOnlyWhereTheRouteSaysSo() {
        Verdicts atLeastOnce = new Verdicts(new Recovery.Opaque(true), false);

        assertThat(atLeastOnce.inDoubt("reset", NONE).result()).isEqualTo(Result.RETRYABLE);
    }

    @ParameterizedTest
    @CsvSource({
        "120, 120000",
        "'Fri, 02 Jan 2026 03:04:15 GMT', 10000",
        "'Fri, 02 Jan 2026 03:00:00 GMT', 0",
        "99999999999, 86400000",
        "soon, -1",
        "-5, -1"
    })
    void retryAfterIsSecondsOrADate(String value, long millis) {
        Optional<Duration> read = RetryAfter.read(value, Instant.parse("2026-01-02T03:04:05Z"));

        assertThat(read.map(Duration::toMillis).orElse(-1L)).isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource({
        "status.success, 404, 404, SUCCEEDED",
        "status.refused, 422, 422, FAILED",
        "status.in.doubt, 202-204, 203, RETRYABLE",
        "status.busy, 500, 500, RETRYABLE",
        "status.key.reuse, 409, 409, FAILED",
        "status.success, 201, 200, SUCCEEDED",
    })
    void aRouteSaysWhatItsStatusesMean(String key, String statuses, int status, Result result) {
        Route.Http route =
                (Route.Http) Routes.of("class", "KEYED", "url", "http://h/", "key.window.ms", "9999999", key, statuses);

        Verdict verdict = new Classification(route.contract(), new Verdicts(route.recovery(), false))
                .response(status, Optional.empty(), NONE);

        assertThat(verdict.result()).isEqualTo(result);
    }

    @Test
    void acceptedMeansACallbackOnlyWhereOneIsAwaited() {
        Route.Contract contract =
                new Route.Contract(Optional.empty(), Responses.standard(), Optional.of(Duration.ofHours(2)));
        Instant now = Instant.parse("2026-01-02T03:04:05Z");

        Verdict accepted = new Classification(contract, new Verdicts(recovery(EffectClass.OPAQUE), false))
                .response(202, Optional.of("job-1"), NONE);

        assertThat(accepted.result()).isEqualTo(Result.AWAITING_CALLBACK);
        EffectOutcome outcome =
                accepted.outcome(Ask.of(Effects.of("r-1", 1, "signing", 1), recovery(EffectClass.OPAQUE)), now);
        assertThat(outcome.deadline()).contains(now.plus(Duration.ofHours(2)));
        assertThat(outcome.retryAfter()).isEmpty();
        assertThat(outcome.reference()).contains("job-1");
        assertThat(new Classification(contract, new Verdicts(recovery(EffectClass.OPAQUE), false))
                        .response(200, Optional.empty(), NONE)
                        .result())
                .isEqualTo(Result.SUCCEEDED);
    }

    private static Classification classification(Recovery recovery, boolean doubtBefore) {
        return new Classification(
                new Route.Contract(Optional.empty(), Responses.standard(), Optional.empty()),
                new Verdicts(recovery, doubtBefore));
    }

    private static Recovery recovery(EffectClass effectClass) {
        return switch (effectClass) {
            case LOCAL -> new Recovery.Local();
            case KEYED -> new Recovery.Keyed("Idempotency-Key", true, Duration.ofHours(1), Duration.ofMinutes(1));
            case PROBEABLE -> new Recovery.Probeable("http://h/{effect_id}", Duration.ofSeconds(1));
            case OPAQUE -> new Recovery.Opaque(false);
        };
    }
}
