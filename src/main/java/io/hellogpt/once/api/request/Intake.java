package io.hellogpt.once.api.request;

import io.hellogpt.once.api.EventFeed;
import io.hellogpt.once.api.Exchange;
import io.hellogpt.once.api.IntakeGate;
import io.hellogpt.once.api.Problem;
import io.hellogpt.once.api.RecordLog;
import io.hellogpt.once.api.RequestLookup.Known;
import io.hellogpt.once.api.peer.Owners;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.TraceContext;
import io.hellogpt.once.schema.RequestEncoder;
import io.hellogpt.once.topology.Topics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a request in: at the instance that holds its key, where it is told from its duplicates before it is written to
 * {@code requests}. The topology decides all the same; what is found here only spares the client the wait for it.
 */
public final class Intake {
    private static final Logger LOG = LoggerFactory.getLogger(Intake.class);
    private static final Duration WHILE_MOVING = Duration.ofSeconds(2);
    private static final List<String> TRACE = List.of(TraceContext.TRACEPARENT, TraceContext.TRACESTATE);

    private final Owners owners;
    private final RecordLog log;
    private final EventFeed feed;
    private final IntakeGate gate;
    private final Window window;
    private final JustSent justSent;

    /**
     * What is too old to be told from a duplicate.
     *
     * @param dedup {@code dedup.retention}
     */
    public record Window(Duration dedup, Clock clock) {
        boolean isOver(Submission submission) {
            Instant begin = clock.instant().minus(dedup);
            return Stream.of(submission.request().createdAt(), submission.id().embeddedTime())
                    .flatMap(Optional::stream)
                    .anyMatch(made -> !made.isAfter(begin));
        }
    }

    public Intake(Owners owners, RecordLog log, EventFeed feed, IntakeGate gate, Window window) {
        this.owners = owners;
        this.log = log;
        this.feed = feed;
        this.gate = gate;
        this.window = window;
        this.justSent = new JustSent(window.clock());
    }

    /** What came of it. */
    public sealed interface Outcome {}

    /** @param replayed it was known before this was sent */
    public record Ended(Known known, boolean replayed) implements Outcome {}

    /**
     * It is acknowledged and will end.
     *
     * @param known where it stands, if that can be said
     */
    public record Open(Optional<RequestState> known, boolean replayed) implements Outcome {}

    /** Another instance has answered the client. */
    public record AnsweredElsewhere() implements Outcome {}

    /**
     * Takes it in and waits for its ending.
     *
     * @param wait zero for not at all
     * @param waiting called about once a second while it waits
     * @throws io.hellogpt.once.api.ProblemException when it is refused
     */
    public Outcome submit(Exchange exchange, Submission submission, Duration wait, Runnable waiting)
            throws InterruptedException {
        // Listening begins before anything is sent: an ending heard of in between is not missed.
        try (EventFeed.Watch watch = feed.watch(submission.id())) {
            Owners.Local found = owners.find(exchange, submission.id());
            return switch (found) {
                case Owners.Answered answered -> new AnsweredElsewhere();
                case Owners.Here(Known known) -> {
                    requireSame(submission, known.state());
                    yield new Waiting(this, exchange, submission, Optional.empty(), true)
                            .until(watch, wait, waiting, Optional.of(known));
                }
                case Owners.Nothing nothing ->
                    send(exchange, submission, false).until(watch, wait, waiting, Optional.empty());
                case Owners.Unreachable unreachable ->
                    send(exchange, submission, true).until(watch, wait, waiting, Optional.empty());
            };
        }
    }

    /** What was acknowledged here a moment ago, by its content. */
    Optional<Fingerprint> justSent(RequestId id) {
        return justSent.find(id).map(JustSent.Sent::fingerprint);
    }

    /** When it was acknowledged here, if that was a moment ago. */
    public Optional<Instant> sentAt(RequestId id) {
        return justSent.find(id).map(JustSent.Sent::at);
    }

    Owners owners() {
        return owners;
    }

    static void requireSame(Submission submission, RequestState known) {
        if (!known.identity().fingerprint().equals(submission.fingerprint())) {
            throw Refusals.conflict(
                            submission.id(),
                            submission.fingerprint(),
                            known.identity().fingerprint())
                    .asException();
        }
    }

    private Waiting send(Exchange exchange, Submission submission, boolean blindly) throws InterruptedException {
        Optional<JustSent.Sent> before = justSent.find(submission.id());
        if (before.isPresent()) {
            if (!before.get().fingerprint().equals(submission.fingerprint())) {
                throw Refusals.conflict(
                                submission.id(),
                                submission.fingerprint(),
                                before.get().fingerprint())
                        .asException();
            }
            return new Waiting(
                    this, exchange, submission, Optional.of(before.get().position()), true);
        }
        requireYoung(submission, blindly);
        Optional<IntakeGate.Closed> closed = gate.closed();
        if (closed.isPresent()) {
            throw closed.get().problem().asException();
        }
        SourcePosition position = append(exchange, submission);
        justSent.add(submission.id(), submission.fingerprint(), position);
        LOG.info(
                "event=submitted request_id={} caller={} partition={} offset={}",
                submission.id(),
                exchange.caller().name(),
                position.partition(),
                position.offset());
        return new Waiting(this, exchange, submission, Optional.of(position), false);
    }

    private void requireYoung(Submission submission, boolean blindly) {
        if (!window.isOver(submission)) {
            return;
        }
        if (blindly) {
            throw Problem.of(
                            Problem.Kind.UNAVAILABLE,
                            "the request is older than the dedup window, and whether it is known cannot be said while"
                                    + " partitions move; nothing was taken, send it again later")
                    .retryAfter(WHILE_MOVING)
                    .asException();
        }
        throw Problem.of(
                        Problem.Kind.EXPIRED,
                        "the request was made before the dedup window of %s: it can no longer be told from a duplicate; nothing was taken"
                                .formatted(window.dedup()))
                .asException();
    }

    private SourcePosition append(Exchange exchange, Submission submission) throws InterruptedException {
        Map<String, String> trace = new HashMap<>();
        TRACE.forEach(name -> exchange.header(name).ifPresent(value -> trace.put(name, value)));
        return Acknowledged.append(
                log, Topics.REQUESTS, submission.id(), RequestEncoder.avro(submission.request()), trace);
    }
}
