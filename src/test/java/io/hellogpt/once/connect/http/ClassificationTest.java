package io.hellogpt.once.connect.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.config.EffectClass;
import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.ledger.Verdict;
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
        Verdict verdict = new Classification(recovery(effectClass), false).response(status, Optional.of("r"), NONE);

        assertThat(verdict.result()).isEqualTo(result);
        assertThat(verdict.inDoubt()).isEqualTo(doubt);
        assertThat(verdict.reference().isPresent()).isEqualTo(result == Result.SUCCEEDED);
    }

    @Test
    void anUnavailableReceiverThatSaysWhenToComeBackDidNothing() {
        Optional<Duration> wait = Optional.of(Duration.ofSeconds(7));

        Verdict verdict = new Classification(recovery(EffectClass.OPAQUE), false).response(503, Optional.empty(), wait);

        assertThat(verdict.result()).isEqualTo(Result.RETRYABLE);
        assertThat(verdict.retryAfter()).isEqualTo(wait);
    }

    @Test
    void aRefusalAfterAnAttemptInDoubtIsNoProofThatNothingHappened() {
        Verdict verdict = new Classification(recovery(EffectClass.KEYED), true).response(401, Optional.empty(), NONE);

        assertThat(verdict.result()).isEqualTo(Result.UNKNOWN);
    }

    @Test
    void notSendingTakesNoEarlierDoubtAway() {
        assertThat(new Classification(recovery(EffectClass.KEYED), true)
                        .notSent("x")
                        .inDoubt())
                .isTrue();
        assertThat(new Classification(recovery(EffectClass.KEYED), false)
                        .notSent("x")
                        .inDoubt())
                .isFalse();
    }

    @Test
    void atLeastOnceSendsAgainOnlyWhereTheRouteSaysSo() {
        Classification atLeastOnce = new Classification(new Recovery.Opaque(true), false);

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

    private static Recovery recovery(EffectClass effectClass) {
        return switch (effectClass) {
            case LOCAL -> new Recovery.Local();
            case KEYED -> new Recovery.Keyed("Idempotency-Key", true, Duration.ofHours(1), Duration.ofMinutes(1));
            case PROBEABLE -> new Recovery.Probeable("http://h/{effect_id}", Duration.ofSeconds(1));
            case OPAQUE -> new Recovery.Opaque(false);
        };
    }
}
