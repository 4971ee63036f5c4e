package io.hellogpt.once.simulation;

import static io.hellogpt.once.simulation.Violation.unless;

import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.Compensating;
import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.core.Timer.Kind;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Holds the stores against each other: every unfinished request waits for something that comes by itself, no timer stands for
 * nothing, nothing outlives what it belongs to, and nobody is asked about what is well.
 */
final class StoreRules {
    private static final String TIMERS = "TIMERS";

    private final Set<Timer> timers;
    private final Set<Timer> wanted = new HashSet<>();

    private StoreRules(Collection<Timer> timers) {
        this.timers = new HashSet<>(timers);
    }

    static void check(Stores stores) {
        StoreRules rules = new StoreRules(stores.timers());
        stores.states().forEach(rules::state);
        for (EarlyResponse response : stores.earlyResponses()) {
            rules.needs(new Timer(Kind.STASH, response.expiresAt(), 0, response.id()));
            unless(stores.state(response.id()).isEmpty(), "BOUNDED", response.id(), "is stashed and known at once");
        }
        unless(
                rules.timers.size() == rules.wanted.size(),
                "BOUNDED",
                "timers",
                rules.timers.size() + " stand for " + rules.wanted.size());
        stores.snapshots()
                .forEach(id -> unless(stores.state(id).isPresent(), "BOUNDED", id, "its snapshot outlived it"));
    }

    private void state(RequestState state) {
        unless(!state.timers().isEmpty(), TIMERS, state.id(), state.status() + " has no timer");
        state.timers().forEach(this::needs);
        switch (state) {
            case Pending pending -> {
                due(state, Kind.PENDING, pending.dueAt());
                deadline(state);
            }
            case Generating generating -> {
                due(state, Kind.CALL_DEADLINE, generating.call().deadline().plusSeconds(10));
                deadline(state);
            }
            case Acknowledged acknowledged -> {
                effects(state);
                if (!pastPivot(state)) {
                    deadline(state);
                }
            }
            case Compensating compensating -> effects(state);
            case Held held -> {
                due(state, Kind.HOLD, held.reportAt());
                effects(state);
                unless(
                        isWrong(held),
                        "STUCK",
                        held.id(),
                        "held for " + held.hold().reason() + ", which is over");
            }
            case RequestState.Ended ended -> due(state, Kind.EXPIRY, ended.expiresAt());
        }
    }

    private void needs(Timer timer) {
        wanted.add(timer);
        unless(timers.contains(timer), TIMERS, timer.id(), "lost its timer " + timer.kind());
    }

    private void due(RequestState state, Kind kind, Instant at) {
        boolean there = timers.stream()
                .anyMatch(timer -> timer.kind() == kind
                        && timer.id().equals(state.id())
                        && !timer.due().isAfter(at));
        unless(there, TIMERS, state.id(), "%s waits for %s at %s without a timer".formatted(state.status(), kind, at));
    }

    private void deadline(RequestState state) {
        state.identity().deadline().ifPresent(at -> due(state, Kind.REQUEST_DEADLINE, at));
    }

    private void effects(RequestState state) {
        for (EffectStep step : state.plan().steps()) {
            progress(step).forEach(progress -> effect(state, progress));
        }
    }

    private void effect(RequestState state, Progress progress) {
        boolean waits = switch (progress.status()) {
            case ISSUED, RETRYING, AWAITING_CALLBACK -> true;
            case WAITING, SUCCEEDED, FAILED, UNKNOWN, SKIPPED -> false;
        };
        unless(
                waits == progress.dueAt().isPresent(),
                TIMERS,
                state.id(),
                progress.status() + " is due at " + progress.dueAt());
        progress.dueAt().ifPresent(at -> due(state, Kind.EFFECT, at));
    }

    private static Stream<Progress> progress(EffectStep step) {
        return Stream.concat(Stream.of(step.forward()), step.undo().stream());
    }

    private static boolean pastPivot(RequestState state) {
        return state.plan().steps().stream()
                .anyMatch(step -> step.planned().pivot() && step.forward().status() == Progress.Status.SUCCEEDED);
    }

    /** Whether what it was held for is still so. */
    private static boolean isWrong(Held held) {
        List<EffectStep> steps = held.plan().steps();
        return switch (held.hold().reason()) {
            case EFFECT_UNKNOWN -> any(steps, Progress.Status.UNKNOWN);
            case EFFECT_FAILED -> any(steps, Progress.Status.FAILED);
            case COMPENSATION_STUCK ->
                steps.stream()
                        .flatMap(step -> step.undo().stream())
                        .anyMatch(undo ->
                                undo.status() == Progress.Status.FAILED || undo.status() == Progress.Status.UNKNOWN);
            case BILLING_FAILED, APPROVAL, POLICY_ERROR, PROCESSING_ERROR -> true;
        };
    }

    private static boolean any(List<EffectStep> steps, Progress.Status status) {
        return steps.stream().anyMatch(step -> step.step() > 0 && step.forward().status() == status);
    }
}
