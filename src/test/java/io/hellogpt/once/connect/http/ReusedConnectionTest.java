package io.hellogpt.once.connect.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.Attempts;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.Routes;
import io.hellogpt.once.connect.http.ClosingServer.Close;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Receivers that close connections they have promised to keep, as all do in the end; the receiver's own log decides. */
class ReusedConnectionTest {
    /** Also at the worst moment, when the next request is on its way: nobody could tell then whether it was taken. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ON_THE_FIRST_REQUEST")
    void anOpaqueEffectIsNeverInDoubtForAConnectionThatWasClosed(Close when) throws Exception {
        try (ClosingServer server = new ClosingServer(when);
                Attempts attempts = new Attempts(Routes.of("class", "OPAQUE", "url", server.url()))) {
            for (int i = 0; i < 5; i++) {
                assertThat(attempts.execute(Effects.of("r-" + i, 1, "r", 1)).result())
                        .isEqualTo(Result.SUCCEEDED);
                server.awaitClosed();
            }
            assertThat(server.requests()).isEqualTo(5);
        }
    }

    @Test
    void whereCallsShareConnectionsAClosedOneIsNoticedBeforeItCostsAnAttempt() throws Exception {
        for (String[] recovery : classes()) {
            try (ClosingServer server = new ClosingServer(Close.AFTER_THE_RESPONSE);
                    Attempts attempts = new Attempts(Routes.of(with(server.url(), recovery)))) {
                for (int i = 0; i < 5; i++) {
                    assertThat(attempts.execute(Effects.of("r-" + i, 1, "r", 1)).result())
                            .as(recovery[1])
                            .isEqualTo(Result.SUCCEEDED);
                    server.awaitClosed();
                }
            }
        }
    }

    /** A receiver that restarts breaks as many of them as are kept, which must not make it look dead. */
    @Test
    void aConnectionKeptFromBeforeThatBreaksSaysNothingOfTheReceiver() throws Exception {
        try (ClosingServer server = new ClosingServer(Close.ON_THE_NEXT_REQUEST);
                Attempts attempts = new Attempts(Routes.of(with(server.url(), classes()[0])))) {
            assertThat(attempts.execute(Effects.of("r-1", 1, "r", 1)).ofReceiver())
                    .isTrue();

            Verdict broken = attempts.execute(Effects.of("r-2", 1, "r", 1));
            assertThat(broken.result()).isEqualTo(Result.RETRYABLE);
            assertThat(broken.inDoubt()).isTrue();
            assertThat(broken.ofReceiver()).isFalse();
        }
    }

    @Test
    void aFreshConnectionThatBreaksCounts() throws Exception {
        try (ClosingServer server = new ClosingServer(Close.ON_THE_FIRST_REQUEST);
                Attempts attempts = new Attempts(Routes.of(with(server.url(), classes()[0])))) {
            Verdict broken = attempts.execute(Effects.of("r-1", 1, "r", 1));
            assertThat(broken.inDoubt()).isTrue();
            assertThat(broken.ofReceiver()).isTrue();
        }
    }

    @Test
    void aKeyedRouteUsesAConnectionAgain() throws Exception {
        try (ClosingServer server = new ClosingServer(Close.NEVER);
                Attempts attempts = new Attempts(Routes.of(with(server.url(), classes()[0])))) {
            for (int i = 0; i < 5; i++) {
                attempts.execute(Effects.of("r-" + i, 1, "r", 1));
            }
            assertThat(server.requests()).isEqualTo(5);
            assertThat(server.connections()).isOne();
        }
    }

    private static String[][] classes() {
        return new String[][] {
            {"class", "KEYED", "key.window.ms", "3600000"},
            {"class", "PROBEABLE", "probe.url", "http://localhost:1/{effect_id}"}
        };
    }

    private static String[] with(String url, String[] more) {
        return Stream.concat(Stream.of("url", url), Stream.of(more)).toArray(String[]::new);
    }
}
