package io.hellogpt.once.core;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What follows when a model call gave no answer: another one, now or later, or the end. */
final class CallFailures {
    private final ProtocolSettings settings;

    CallFailures(ProtocolSettings settings) {
        this.settings = settings;
    }

    /** The call gave an error. */
    List<Fact> failed(Transition transition, Generating state, CallError error) {
        return switch (error.kind()) {
            case RETRYABLE -> retry(transition, state, error);
            case UNAUTHORIZED, ABANDONED -> {
                Instant due = transition.moment().now().plus(error.retryAfter().orElse(Duration.ZERO));
                yield wait(
                        transition,
                        state,
                        due,
                        state.historyAfter(false, transition.moment().now(), error.message()));
            }
            case REJECTED ->
                transition.fail(state, new Failure(Failure.Reason.MODEL_REJECTED, error.message()), settings);
            case TOO_LARGE ->
                transition.fail(state, new Failure(Failure.Reason.SNAPSHOT_TOO_LARGE, error.message()), settings);
        };
    }

    /**
     * Nothing was heard of the call.
     *
     * @param counts it had its time; a call that died with its process had not
     */
    List<Fact> lost(Generating generating, Moment moment, boolean counts, String why) {
        Transition transition = new Transition(Optional.of(generating), moment);
        CallHistory history = generating.historyAfter(counts, moment.now(), why);
        Optional<String> end = counts ? exhausted(history, moment.now()) : Optional.empty();
        if (end.isPresent()) {
            transition.add(new Fact.CancelCall(generating.id()));
            return transition.fail(
                    generating, new Failure(Failure.Reason.MODEL_EXHAUSTED, why + "; " + end.get()), settings);
        }
        Pending pending = generating.retryAt(moment.now(), history);
        return transition
                .log(pending, LifecycleEvent.Type.CALL_LOST, generating.attempt(), why)
                .save(pending);
    }

    private List<Fact> retry(Transition transition, Generating state, CallError error) {
        CallHistory history = state.historyAfter(true, transition.moment().now(), error.message());
        Instant due = transition
                .moment()
                .now()
                .plus(settings.calls().delay(state.id().value(), history.failures(), error.retryAfter()));
        Optional<String> end = exhausted(history, due);
        return end.isPresent()
                ? transition.fail(
                        state,
                        new Failure(
                                Failure.Reason.MODEL_EXHAUSTED,
                                "%s, the last one: %s".formatted(end.get(), error.message())),
                        settings)
                : wait(transition, state, due, history);
    }

    /** Why there is no other call, if there is none. */
    private Optional<String> exhausted(CallHistory history, Instant next) {
        RetryPolicy policy = settings.calls();
        if (policy.exhausted(history.failures())) {
            return Optional.of(history.failures() + " attempts failed");
        }
        return history.failingSince()
                .filter(since -> policy.elapsed(since, next))
                .map(since -> "%d attempts failed since %s and the next would come more than %s after it"
                        .formatted(
                                history.failures(), since, policy.maxElapsed().orElseThrow()));
    }

    private static List<Fact> wait(Transition transition, Generating state, Instant due, CallHistory history) {
        Pending pending = state.retryAt(due, history);
        return transition
                .log(
                        pending,
                        LifecycleEvent.Type.CALL_FAILED,
                        state.attempt(),
                        history.lastError().orElseThrow())
                .save(pending);
    }
}
