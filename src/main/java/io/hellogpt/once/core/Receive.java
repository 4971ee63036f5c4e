package io.hellogpt.once.core;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Stage 1: tells a new request from a duplicate, a conflict, a resumption and one that comes too late. */
public final class Receive {
    private final ProtocolSettings settings;
    private final Predicate<String> knownPolicy;

    /** @param knownPolicy whether a decision policy of that name is installed */
    public Receive(ProtocolSettings settings, Predicate<String> knownPolicy) {
        this.settings = settings;
        this.knownPolicy = knownPolicy;
    }

    /** What becomes of a received request. */
    public sealed interface Reception {
        /** It is new, and goes on to generate, which saves it. */
        record Accepted(Pending state) implements Reception {}

        /** It goes no further. */
        record Settled(List<Fact> facts) implements Reception {}
    }

    public Reception receive(StoreView view, ReceivedRequest received, Moment moment) {
        return view.state(received.id())
                .<Reception>map(known -> new Reception.Settled(List.of(again(view, received, known, moment))))
                .orElseGet(() -> first(received, moment));
    }

    private Fact again(StoreView view, ReceivedRequest received, RequestState known, Moment moment) {
        Identity identity = known.identity();
        if (identity.source().equals(received.source())) {
            return new Fact.Ignore(received.id(), Fact.Ignore.Reason.RESUMED);
        }
        if (!identity.fingerprint().equals(received.fingerprint())) {
            return new Fact.Reject(conflict(received, identity), received.source());
        }
        Optional<CommittedResult> result = known instanceof Committed committed
                ? view.snapshot(received.id()).map(snapshot -> new CommittedResult(committed, snapshot))
                : Optional.empty();
        return new Fact.AnswerDuplicate(new DuplicateRequest(received.source(), moment.now(), known, result));
    }

    private static Rejection conflict(ReceivedRequest received, Identity known) {
        return new Rejection(
                Rejection.Reason.CONFLICT,
                "request_id %s is already known with other content (read at %s)".formatted(known.id(), known.source()),
                Optional.of(received.id()),
                Optional.of(received.fingerprint()),
                Optional.of(known.fingerprint()));
    }

    private Reception first(ReceivedRequest received, Moment moment) {
        return problem(received, moment)
                .<Reception>map(
                        rejection -> new Reception.Settled(List.of(new Fact.Reject(rejection, received.source()))))
                .orElseGet(() -> new Reception.Accepted(new Pending(
                        Identity.of(received), received.request(), CallHistory.NONE, dueAt(received, moment))));
    }

    /** At once, and in the order of arrival: a broker whose clock is ahead must keep nobody waiting. */
    private static Instant dueAt(ReceivedRequest received, Moment moment) {
        return received.receivedAt().isAfter(moment.now()) ? moment.now() : received.receivedAt();
    }

    private Optional<Rejection> problem(ReceivedRequest received, Moment moment) {
        Instant forgotten = moment.streamTime().minus(settings.dedupRetention());
        // Made in the very moment in which the window begins counts as before it: what ended then may be forgotten now.
        if (!oldestTime(received).isAfter(forgotten)) {
            return Optional.of(rejection(
                    received,
                    Rejection.Reason.EXPIRED,
                    "made at %s, before the dedup window that begins at %s: it can no longer be told from a duplicate"
                            .formatted(oldestTime(received), forgotten)));
        }
        String policy = received.request().policy();
        return knownPolicy.test(policy)
                ? Optional.empty()
                : Optional.of(rejection(received, Rejection.Reason.INVALID, "no policy is named '" + policy + "'"));
    }

    private static Rejection rejection(ReceivedRequest received, Rejection.Reason reason, String detail) {
        return new Rejection(
                reason, detail, Optional.of(received.id()), Optional.of(received.fingerprint()), Optional.empty());
    }

    private static Instant oldestTime(ReceivedRequest received) {
        return Stream.of(received.request().createdAt(), received.id().embeddedTime())
                .flatMap(Optional::stream)
                .reduce(received.receivedAt(), (a, b) -> a.isBefore(b) ? a : b);
    }
}
