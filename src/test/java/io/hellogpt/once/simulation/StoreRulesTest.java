package io.hellogpt.once.simulation;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.Attempts;
import io.hellogpt.once.core.CallHistory;
import io.hellogpt.once.core.CallInFlight;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.EffectPlan;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Hold;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Timer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The stores' own rules, each shown stores that break it. */
class StoreRulesTest {
    private static final Instant NOW = History.START;
    private static final Sent SENT = new History(Kind.PLAIN).first();
    private static final Identity IDENTITY = new Identity(
            History.ID, SENT.fingerprint(), SENT.position(), NOW, Optional.of(NOW.plusSeconds(60)), List.of());

    private final Stores stores = new Stores();

    static Stream<RequestState> states() {
        return Stream.of(
                new Pending(IDENTITY, SENT.request(), history(), NOW),
                new Generating(
                        IDENTITY, SENT.request(), history(), new CallInFlight(NOW, NOW.plusSeconds(60), "jvm", false)),
                new Acknowledged(IDENTITY, "a", "d", plan(Progress.Status.ISSUED, Optional.of(NOW)), NOW),
                held(Hold.Reason.EFFECT_UNKNOWN, Progress.Status.UNKNOWN),
                new History(Kind.PLAIN).committedState("a"));
    }

    private static CallHistory history() {
        return new CallHistory(0, 0, Optional.empty(), Optional.empty());
    }

    private static EffectPlan plan(Progress.Status status, Optional<Instant> dueAt) {
        Progress progress = new Progress(
                status,
                new Attempts(1, 0, false, false, false, false),
                dueAt,
                Optional.empty(),
                Optional.empty(),
                List.of());
        PlannedEffect planned = new PlannedEffect("e", "route", 1, "{}", Optional.empty(), false);
        return new EffectPlan(List.of(new EffectStep(1, planned, progress, Optional.empty())));
    }

    private static Held held(Hold.Reason reason, Progress.Status status) {
        return new Held(
                IDENTITY,
                new Hold(reason, "d", Optional.empty()),
                Optional.empty(),
                "a",
                plan(status, Optional.empty()),
                NOW,
                NOW.plusSeconds(600));
    }

    @ParameterizedTest
    @MethodSource("states")
    void aStateWithItsTimersIsRight(RequestState state) {
        stores.put(state);
        state.timers().forEach(stores::put);

        assertThatCode(stores::check).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("states")
    void aStateThatLacksATimerIsNot(RequestState state) {
        for (Timer missing : state.timers()) {
            Stores without = new Stores();
            without.put(state);
            state.timers().stream().filter(timer -> !timer.equals(missing)).forEach(without::put);

            assertThatThrownBy(without::check).hasMessageStartingWith("TIMERS").hasMessageContaining("lost its timer");
        }
    }

    @Test
    void anAttemptThatIsOutHasATime() {
        RequestState state = new Acknowledged(IDENTITY, "a", "d", plan(Progress.Status.ISSUED, Optional.empty()), NOW);
        stores.put(state);
        state.timers().forEach(stores::put);

        assertThatThrownBy(stores::check).hasMessageStartingWith("TIMERS").hasMessageContaining("is due at");
    }

    @Test
    void aTimerStandsForSomething() {
        stores.put(new Timer(Timer.Kind.HOLD, NOW, 0, History.ID));

        assertThatThrownBy(stores::check).hasMessageContaining("BOUNDED: timers: 1 stand for 0");
    }

    @Test
    void aSnapshotDoesNotOutliveItsRequest() {
        stores.put(History.snapshotOf("a"));

        assertThatThrownBy(stores::check).hasMessageContaining("its snapshot outlived it");
    }

    @Test
    void whatIsKnownIsNotStashed() {
        RequestState state = new Pending(IDENTITY, SENT.request(), history(), NOW);
        stores.put(state);
        state.timers().forEach(stores::put);
        EarlyResponse early =
                new EarlyResponse.Running(new JournalRecord.RunningCall(History.ID, 1, NOW), "jvm", NOW.plusSeconds(9));
        stores.put(early);
        stores.put(new Timer(Timer.Kind.STASH, early.expiresAt(), 0, History.ID));

        assertThatThrownBy(stores::check).hasMessageContaining("is stashed and known at once");
    }

    @Test
    void aStashHasItsTimer() {
        stores.put(new EarlyResponse.Running(
                new JournalRecord.RunningCall(History.ID, 1, NOW), "jvm", NOW.plusSeconds(9)));

        assertThatThrownBy(stores::check).hasMessageContaining("lost its timer STASH");
    }

    @Test
    void nobodyIsAskedAboutWhatIsWell() {
        RequestState state = held(Hold.Reason.EFFECT_FAILED, Progress.Status.SUCCEEDED);
        stores.put(state);
        state.timers().forEach(stores::put);

        assertThatThrownBy(stores::check).hasMessageStartingWith("STUCK");
    }
}
