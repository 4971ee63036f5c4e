package io.hellogpt.once.core;

import io.hellogpt.once.core.JournalRecord.Answered;
import io.hellogpt.once.core.JournalRecord.CallResult;
import io.hellogpt.once.core.JournalRecord.RunningCall;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is kept of a journal record whose request has not been read: one record per id, the first answer of the newest life. */
final class Stash {
    private final ProtocolSettings settings;

    Stash(ProtocolSettings settings) {
        this.settings = settings;
    }

    List<Fact> result(Optional<EarlyResponse> known, CallResult result, Moment moment) {
        return known.filter(early -> keeps(early, Optional.of(result.life()))).isPresent()
                ? List.of(new Fact.Ignore(result.id(), Fact.Ignore.Reason.LATE_ANSWER))
                : List.of(new Fact.Stash(new EarlyResponse.Result(result, expiry(moment))));
    }

    List<Fact> running(Optional<EarlyResponse> known, RunningCall call, String instance, Moment moment) {
        boolean told = known.filter(EarlyResponse.Result.class::isInstance)
                .filter(early -> isSameOrNewer(early, call.life()))
                .isPresent();
        return told || known.filter(early -> keeps(early, call.life())).isPresent()
                ? List.of(new Fact.Ignore(call.id(), Fact.Ignore.Reason.LATE_HANDOVER))
                : List.of(new Fact.Stash(new EarlyResponse.Running(call, instance, expiry(moment))));
    }

    /** An answer is kept against whatever comes of the same life, anything against what comes of an older one. */
    private static boolean keeps(EarlyResponse early, Optional<Life> other) {
        boolean answered = early instanceof EarlyResponse.Result known && known.result() instanceof Answered;
        return answered ? isSameOrNewer(early, other) : isNewer(early, other);
    }

    private static boolean isSameOrNewer(EarlyResponse early, Optional<Life> other) {
        return early.life().isEmpty() || other.isEmpty() || early.life().equals(other) || isNewer(early, other);
    }

    private static boolean isNewer(EarlyResponse early, Optional<Life> other) {
        return early.life().isPresent()
                && other.filter(life -> life.isOlderThan(early.life().get())).isPresent();
    }

    private Instant expiry(Moment moment) {
        return moment.now().plus(settings.stashRetention());
    }
}
