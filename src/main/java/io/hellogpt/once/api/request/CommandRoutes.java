package io.hellogpt.once.api.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.EventFeed;
import io.hellogpt.once.api.Exchange;
import io.hellogpt.once.api.Handler;
import io.hellogpt.once.api.IdempotencyKey;
import io.hellogpt.once.api.Problem;
import io.hellogpt.once.api.RecordLog;
import io.hellogpt.once.api.RequestLookup.Known;
import io.hellogpt.once.api.peer.Owners;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators do with one request. A command is a record; what became of it is an event, applied or refused, which a client can wait
 * for with {@code Prefer: wait}. The {@code Idempotency-Key} is the command's id: the same command again is not sent twice, and another one under
 * the same key is refused.
 */
public final class CommandRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(CommandRoutes.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_REASON = 500;
    /** How long a request may take from its acknowledgement to the store, when nothing is amiss, and then some. */
    private static final Duration LONGEST_READING = Duration.ofSeconds(5);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
    private static final Duration SOON = Duration.ofSeconds(2);

    private final Intake intake;
    private final RecordLog log;
    private final EventFeed feed;
    private final Clock clock;
    private final Duration longestWait;
    private final SentCommands sent = new SentCommands();

    public CommandRoutes(Intake intake, RecordLog log, EventFeed feed, Clock clock, Duration longestWait) {
        this.intake = intake;
        this.log = log;
        this.feed = feed;
        this.clock = clock;
        this.longestWait = longestWait;
    }

    /** The handler of a verb that names no effect. */
    public Handler of(Verb verb) {
        return exchange -> command(exchange, body -> verb, body -> Optional.empty());
    }

    /** {@code POST /v1/requests/{id}/resolve}: the body says which effect, and what became of it. */
    public void resolve(Exchange exchange) throws InterruptedException {
        command(exchange, CommandRoutes::resolution, body -> Optional.of(effect(body)));
    }

    private interface Part<T> {
        T of(JsonNode body);
    }

    private void command(Exchange exchange, Part<Verb> verb, Part<Optional<EffectId>> effect)
            throws InterruptedException {
        RequestId id = RequestRoutes.id(exchange);
        JsonNode body = body(exchange);
        OperatorCommand command = new OperatorCommand(
                IdempotencyKey.of(exchange).orElseGet(() -> UUID.randomUUID().toString()),
                id,
                verb.of(body),
                effect.of(body),
                exchange.caller().name(),
                reason(body),
                clock.instant());
        try (EventFeed.Watch watch = feed.watch(id)) {
            switch (find(exchange, id, watch)) {
                case Owners.Answered answered -> {}
                case Owners.Here(Known known) -> give(exchange, command, known.state(), watch);
                case Owners.Nothing nothing -> throw unread(id);
                case Owners.Unreachable unreachable -> throw RequestRoutes.moving(unreachable);
            }
        }
    }

    /**
     * Waits a moment for a request that was acknowledged here and is not read yet: a command that the topology reads before it would do
     * nothing, and its sender has been told that the request is taken.
     */
    private Owners.Local find(Exchange exchange, RequestId id, EventFeed.Watch watch) throws InterruptedException {
        long end = System.nanoTime()
                + (longestWait.compareTo(LONGEST_READING) < 0 ? longestWait : LONGEST_READING).toNanos();
        while (true) {
            Owners.Local found = intake.owners().find(exchange, id);
            boolean isOnItsWay =
                    found instanceof Owners.Nothing && intake.sentAt(id).isPresent();
            if (!isOnItsWay || System.nanoTime() - end >= 0) {
                return found;
            }
            watch.next(LOOK_AGAIN);
        }
    }

    private RuntimeException unread(RequestId id) {
        return intake.sentAt(id).isEmpty()
                ? RequestRoutes.unknown(id)
                : Problem.of(
                                Problem.Kind.UNAVAILABLE,
                                "request %s is acknowledged and not read yet; nothing was done, send the command again"
                                        .formatted(id))
                        .retryAfter(SOON)
                        .asException();
    }

    private void give(Exchange exchange, OperatorCommand command, RequestState state, EventFeed.Watch watch)
            throws InterruptedException {
        Instant life = state.identity().receivedAt();
        // The state knows what another instance has sent, and what this one had before it started anew.
        boolean before = sent.isAcknowledged(command, life) || state.identity().hasHeard(command.commandId());
        if (before) {
            exchange.answerHeader("Idempotent-Replayed", "true");
        } else {
            requirePossible(command, state);
            append(command);
            sent.acknowledged(command, life);
        }
        Duration wait =
                before ? Duration.ZERO : Prefer.wait(exchange, longestWait).orElse(Duration.ZERO);
        answer(exchange, command, heard(watch, command, wait));
    }

    private void append(OperatorCommand command) throws InterruptedException {
        Acknowledged.append(log, Topics.COMMANDS, command.requestId(), Codecs.COMMAND.encode(command), Map.of());
        LOG.info(
                "event=command request_id={} command_id={} verb={} actor={}",
                command.requestId(),
                command.commandId(),
                command.verb(),
                command.actor());
    }

    private static void requirePossible(OperatorCommand command, RequestState state) {
        if (state instanceof RequestState.Ended) {
            throw Problem.of(
                            Problem.Kind.NOT_POSSIBLE,
                            "%s: the request has ended as %s; nothing was changed"
                                    .formatted(command.verb(), state.status()))
                    .asException();
        }
    }

    /** The next event that this operator caused, or that ends the request. */
    private static Optional<ObjectNode> heard(EventFeed.Watch watch, OperatorCommand command, Duration wait)
            throws InterruptedException {
        long end = System.nanoTime() + wait.toNanos();
        for (long left = wait.toNanos(); left > 0; left = end - System.nanoTime()) {
            Optional<EventFeed.Heard> heard = watch.next(Duration.ofNanos(left));
            if (heard.filter(each -> each.topic().equals(Topics.LIFECYCLE_EVENTS))
                    .filter(each -> each.record().path("actor").asText().equals(command.actor()))
                    .isPresent()) {
                return heard.map(EventFeed.Heard::record);
            }
        }
        return Optional.empty();
    }

    private static void answer(Exchange exchange, OperatorCommand command, Optional<ObjectNode> event) {
        boolean refused = event.filter(each -> each.path("type").asText().equals("COMMAND_REFUSED"))
                .isPresent();
        if (refused) {
            throw Problem.of(
                            Problem.Kind.NOT_POSSIBLE,
                            event.get().path("detail").asText())
                    .with("command_id", command.commandId())
                    .asException();
        }
        ObjectNode body = JSON.createObjectNode();
        body.put("command_id", command.commandId());
        body.put("request_id", command.requestId().value());
        body.put("verb", command.verb().name());
        body.put("actor", command.actor());
        event.ifPresent(each -> body.set("event", each));
        exchange.answerHeader("Location", RequestView.path(command.requestId()) + "/events");
        exchange.json(event.isPresent() ? 200 : 202, body);
    }

    private static JsonNode body(Exchange exchange) {
        Media.requireJson(exchange);
        try {
            JsonNode body = JSON.readTree(exchange.body());
            if (body != null && body.isObject()) {
                return body;
            }
        } catch (IOException notJson) {
            throw Problem.of(Problem.Kind.INVALID, "the body is not JSON").asException();
        }
        throw Problem.of(Problem.Kind.INVALID, "the body must be a JSON object with a reason")
                .asException();
    }

    private static String reason(JsonNode body) {
        String reason = body.path("reason").asText("").strip();
        if (reason.isEmpty() || reason.length() > LONGEST_REASON) {
            throw Problem.of(
                            Problem.Kind.INVALID,
                            "say why: reason, 1 to %d characters. It is kept in the audit log"
                                    .formatted(LONGEST_REASON))
                    .asException();
        }
        return reason;
    }

    private static Verb resolution(JsonNode body) {
        return switch (body.path("outcome").asText()) {
            case "succeeded" -> Verb.RESOLVE_SUCCEEDED;
            case "failed" -> Verb.RESOLVE_FAILED;
            case "skip" -> Verb.SKIP;
            default ->
                throw Problem.of(
                                Problem.Kind.INVALID,
                                "outcome must be succeeded or failed, as a person has found, or skip to go on without the effect")
                        .asException();
        };
    }

    private static EffectId effect(JsonNode body) {
        try {
            return EffectId.parse(body.path("effect_id").asText());
        } catch (IllegalArgumentException notOne) {
            throw Problem.of(Problem.Kind.INVALID, "effect_id must name the effect, such as <request_id>:0.1")
                    .asException();
        }
    }
}
