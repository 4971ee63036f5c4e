package io.hellogpt.once.api.request;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.AuditLog;
import io.hellogpt.once.api.EventFeed;
import io.hellogpt.once.api.Exchange;
import io.hellogpt.once.api.IdempotencyKey;
import io.hellogpt.once.api.Problem;
import io.hellogpt.once.api.RequestLookup.Known;
import io.hellogpt.once.api.Role;
import io.hellogpt.once.api.peer.Forwarding;
import io.hellogpt.once.api.peer.Owners;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** {@code /v1/requests}: send one, see one, see its events, see the last ones. */
public final class RequestRoutes {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Duration WHILE_MOVING = Duration.ofSeconds(2);
    private static final int RECENT = 100;
    private static final int RECENT_MOST = 1_000;

    private final Submission.Reader reader;
    private final Intake intake;
    private final Owners owners;
    private final EventFeed feed;
    private final AuditLog audit;
    private final Duration longestWait;

    public RequestRoutes(
            Submission.Reader reader,
            Intake intake,
            Owners owners,
            EventFeed feed,
            AuditLog audit,
            Duration longestWait) {
        this.reader = reader;
        this.intake = intake;
        this.owners = owners;
        this.feed = feed;
        this.audit = audit;
        this.longestWait = longestWait;
    }

    /** {@code POST /v1/requests}. */
    public void submit(Exchange exchange) throws InterruptedException {
        String key = IdempotencyKey.of(exchange)
                .orElseThrow(() -> Problem.of(
                                Problem.Kind.MISSING_KEY,
                                "send the header Idempotency-Key: it becomes the request_id. Choose it once per business"
                                        + " event and send it again unchanged when in doubt")
                        .asException());
        Media.requireJson(exchange);
        Submission submission = reader.read(exchange.body(), key);
        Duration wait = Prefer.wait(exchange, longestWait).orElse(Duration.ZERO);
        switch (intake.submit(exchange, submission, wait, () -> {})) {
            case Intake.AnsweredElsewhere elsewhere -> {}
            case Intake.Ended(Known known, boolean replayed) -> {
                head(exchange, submission.id(), replayed);
                exchange.json(200, RequestView.of(known, true));
            }
            case Intake.Open(Optional<RequestState> state, boolean replayed) -> {
                head(exchange, submission.id(), replayed);
                exchange.json(202, RequestView.acknowledged(submission.id(), submission.fingerprint(), state));
            }
        }
    }

    private static void head(Exchange exchange, RequestId id, boolean replayed) {
        exchange.answerHeader("Location", RequestView.path(id));
        if (replayed) {
            exchange.answerHeader("Idempotent-Replayed", "true");
        }
    }

    /** {@code GET /v1/requests/{id}}. */
    public void show(Exchange exchange) throws InterruptedException {
        RequestId id = id(exchange);
        boolean payloads = exchange.query("payload").filter("true"::equals).isPresent();
        if (payloads && !exchange.caller().may(Role.PAYLOAD)) {
            throw Problem.of(
                            Problem.Kind.FORBIDDEN,
                            "prompts, answers and payloads are shown to tokens with the role " + Role.PAYLOAD.word())
                    .asException();
        }
        Owners.Local found = Forwarding.isAskedAsStandby(exchange)
                ? new Owners.Unreachable("the standby here does not know it either")
                : owners.find(exchange, id);
        switch (found) {
            case Owners.Answered answered -> {}
            case Owners.Here(Known known) -> exchange.json(200, RequestView.of(known, payloads));
            case Owners.Nothing nothing -> {
                // A client that follows the Location at once is faster than the topology.
                Fingerprint sent = intake.justSent(id).orElseThrow(() -> unknown(id));
                exchange.json(200, RequestView.acknowledged(id, sent, Optional.empty()));
            }
            case Owners.Unreachable unreachable -> showStale(exchange, id, payloads, unreachable);
        }
    }

    private void showStale(Exchange exchange, RequestId id, boolean payloads, Owners.Unreachable unreachable)
            throws InterruptedException {
        switch (owners.findStale(exchange, id, unreachable)) {
            case Owners.Answered answered -> {}
            case Owners.Here(Known known) -> {
                ObjectNode view = RequestView.of(known, payloads);
                view.put("stale", true);
                exchange.json(200, view);
            }
            case Owners.Nothing nothing -> throw moving(unreachable);
            case Owners.Unreachable still -> throw moving(still);
        }
    }

    /** {@code GET /v1/requests/{id}/events}. */
    public void events(Exchange exchange) throws InterruptedException {
        RequestId id = id(exchange);
        Optional<Instant> from = Optional.empty();
        switch (owners.find(exchange, id)) {
            case Owners.Answered answered -> {
                return;
            }
            case Owners.Here(Known known) ->
                from = Optional.of(known.state().identity().receivedAt());
            // Forgotten ids still have their events, for as long as the topic keeps them.
            case Owners.Nothing nothing -> from = id.embeddedTime();
            case Owners.Unreachable unreachable -> from = id.embeddedTime();
        }
        AuditLog.Trail trail = audit.trail(id, from);
        if (trail.isEmpty() && trail.complete()) {
            throw unknown(id);
        }
        ObjectNode body = JSON.objectNode();
        body.put("request_id", id.value());
        body.put("complete", trail.complete());
        trail.events().forEach(body.putArray("events")::add);
        trail.duplicates().forEach(body.putArray("duplicates")::add);
        trail.rejected().forEach(body.putArray("rejected")::add);
        exchange.json(200, body);
    }

    /** {@code GET /v1/requests?recent=100&state=HELD}. */
    public void recent(Exchange exchange) {
        int limit = exchange.query("recent").map(RequestRoutes::count).orElse(RECENT);
        Optional<String> state = exchange.query("state").map(text -> text.toUpperCase(Locale.ROOT));
        state.ifPresent(RequestRoutes::requireState);
        ObjectNode body = JSON.objectNode();
        feed.recent(limit, state).forEach(body.putArray("requests")::add);
        exchange.json(200, body);
    }

    private static int count(String text) {
        if (!text.matches("\\d{1,6}") || Integer.parseInt(text) < 1) {
            throw Problem.of(Problem.Kind.INVALID, "recent must be a number from 1 to " + RECENT_MOST)
                    .asException();
        }
        return Math.min(RECENT_MOST, Integer.parseInt(text));
    }

    private static void requireState(String text) {
        for (RequestState.Status status : RequestState.Status.values()) {
            if (status.name().equals(text)) {
                return;
            }
        }
        throw Problem.of(Problem.Kind.INVALID, "state must be one of " + Arrays.toString(RequestState.Status.values()))
                .asException();
    }

    static RequestId id(Exchange exchange) {
        String text = exchange.parameter("id");
        if (text == null || text.isEmpty()) {
            throw Problem.of(Problem.Kind.NOT_FOUND, "the path names no request")
                    .asException();
        }
        return new RequestId(text);
    }

    static RuntimeException unknown(RequestId id) {
        return Problem.of(
                        Problem.Kind.NOT_FOUND,
                        "no request %s is known: it was never accepted, or its dedup window is over".formatted(id))
                .asException();
    }

    static RuntimeException moving(Owners.Unreachable unreachable) {
        return Problem.of(Problem.Kind.UNAVAILABLE, unreachable.reason() + "; ask again")
                .retryAfter(WHILE_MOVING)
                .asException();
    }
}
