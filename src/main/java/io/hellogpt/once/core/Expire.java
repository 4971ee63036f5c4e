package io.hellogpt.once.core;

import java.util.List;
import java.util.Optional;

/** Forgets what may be forgotten. An unfinished request never expires. */
public final class Expire {
    private Expire() {}

    /** The dedup window of a request may have closed. */
    public static List<Fact> onExpiry(Optional<RequestState> state, RequestId id, Moment moment) {
        return state.filter(RequestState.Ended.class::isInstance)
                .map(RequestState.Ended.class::cast)
                .filter(ended -> !ended.expiresAt().isAfter(moment.streamTime()))
                .<List<Fact>>map(ended -> List.of(new Fact.Forget(ended)))
                .orElseGet(() -> List.of(new Fact.Ignore(id, Fact.Ignore.Reason.STALE_TIMER)));
    }

    /** A response has waited long enough for a request that never came. */
    public static List<Fact> onStashTimer(Optional<EarlyResponse> early, RequestId id, Moment moment) {
        return early.filter(response -> !response.expiresAt().isAfter(moment.now()))
                .<List<Fact>>map(response -> List.of(new Fact.Unstash(response)))
                .orElseGet(() -> List.of(new Fact.Ignore(id, Fact.Ignore.Reason.STALE_TIMER)));
    }
}
