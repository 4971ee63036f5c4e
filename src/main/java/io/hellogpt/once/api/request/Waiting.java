package io.hellogpt.once.api.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.EventFeed;
import io.hellogpt.once.api.Exchange;
import io.hellogpt.once.api.RequestLookup.Known;
import io.hellogpt.once.api.peer.Forwarding;
import io.hellogpt.once.api.peer.Owners;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.topology.Topics;
import java.time.Duration;
import java.util.Optional;

/**
 * Waits for the ending of one request. What is heard only says when to look; what is answered is what the store has committed.
 *
 * @param sent where the record stands that was written for this client, if one was
 * @param replayed it was known before
 */
record Waiting(
        Intake intake, Exchange exchange, Submission submission, Optional<SourcePosition> sent, boolean replayed) {
    private static final Duration UNHEARD = Duration.ofSeconds(1);
    /** The store shows a step a moment after the topics do. */
    private static final Duration HEARD = Duration.ofMillis(20);

    private static final Duration MOVED = Duration.ofSeconds(10);

    Intake.Outcome until(EventFeed.Watch watch, Duration wait, Runnable waiting, Optional<Known> known)
            throws InterruptedException {
        long end = System.nanoTime() + wait.toNanos();
        Optional<Known> latest = known;
        Duration patience = UNHEARD;
        long lastReached = System.nanoTime();
        while (true) {
            if (latest.isPresent() && latest.get().state() instanceof RequestState.Ended) {
                return new Intake.Ended(latest.get(), isReplay(latest.get().state()));
            }
            long left = end - System.nanoTime();
            if (left <= 0) {
                return new Intake.Open(latest.map(Known::state), replayed);
            }
            Optional<EventFeed.Heard> heard = watch.next(shorter(patience, Duration.ofNanos(left)));
            heard.ifPresent(this::requireTaken);
            patience = heard.filter(Waiting::isEnding).isPresent() ? HEARD : UNHEARD;
            waiting.run();
            switch (intake.owners().find(exchange, submission.id())) {
                case Owners.Answered answered -> {
                    return new Intake.AnsweredElsewhere();
                }
                case Owners.Here(Known here) -> {
                    Intake.requireSame(submission, here.state());
                    latest = Optional.of(here);
                    lastReached = System.nanoTime();
                }
                case Owners.Nothing notYet -> lastReached = System.nanoTime();
                case Owners.Unreachable moving -> {
                    if (cannotHandOn() && System.nanoTime() - lastReached > MOVED.toNanos()) {
                        return new Intake.Open(Optional.empty(), replayed);
                    }
                }
            }
        }
    }

    /** The partition has left, and this client cannot be followed there: it asks again and is led to the right place. */
    private boolean cannotHandOn() {
        return exchange.isCommitted() || Forwarding.wasHandedOn(exchange);
    }

    /** Somebody else's record with the same content came first, or this very client's earlier one. */
    private boolean isReplay(RequestState state) {
        return replayed
                || sent.filter(position -> position.equals(state.identity().source()))
                        .isEmpty();
    }

    /** The topology is the judge of what was sent; its refusal comes on a topic. */
    private void requireTaken(EventFeed.Heard heard) {
        ObjectNode record = heard.record();
        boolean refused = heard.topic().equals(Topics.REJECTED_REQUESTS)
                && sent.filter(position -> record.path("source_topic").asText().equals(position.topic())
                                && record.path("source_partition").asInt() == position.partition()
                                && record.path("source_offset").asLong() == position.offset())
                        .isPresent();
        if (refused) {
            throw Refusals.of(
                            Rejection.Reason.valueOf(record.path("reason").asText()),
                            record.path("detail").asText())
                    .with("fingerprint", submission.fingerprint().hex())
                    .with("known_fingerprint", record.path("known_fingerprint").asText(""))
                    .asException();
        }
    }

    private static boolean isEnding(EventFeed.Heard heard) {
        String to = heard.record().path("to").asText();
        return to.equals(RequestState.Status.COMMITTED.name()) || to.equals(RequestState.Status.FAILED.name());
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
