package io.hellogpt.once.api.callback;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.Exchange;
import io.hellogpt.once.api.Problem;
import io.hellogpt.once.api.RecordLog;
import io.hellogpt.once.api.RequestLookup.Known;
import io.hellogpt.once.api.peer.Owners;
import io.hellogpt.once.api.request.Acknowledged;
import io.hellogpt.once.api.request.Remembered;
import io.hellogpt.once.core.Compensation;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectPlan;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.topology.Topics;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /v1/callbacks/{effect_id}}: a receiver says what became of an effect. What it means for the request is decided by the
 * topology, whenever it comes; here it is only made sure that the receiver of that very effect said it, and that it is kept before the
 * sender is thanked.
 */
public final class CallbackRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(CallbackRoutes.class);
    private static final Duration WHILE_MOVING = Duration.ofSeconds(2);
    /** About what an instance needs to find out that its partitions are another's now. */
    private static final Duration UNTIL_KNOWN = Duration.ofSeconds(10);
    /**
     * How much earlier than the request a callback to it may seem to be signed. Not {@code callbacks.tolerance}: whatever is older than that
     * is refused before, so that it would tell no request from an earlier one of its id.
     */
    private static final Duration CLOCKS_APART = Duration.ofSeconds(5);

    private static final int LONGEST_ID = 200;

    private final CallbackFile file;
    private final Duration tolerance;
    private final Owners owners;
    private final RecordLog log;
    private final Clock clock;
    /** Only a shortcut: the topology remembers the ids of callbacks with the effect. */
    private final Remembered kept = new Remembered();

    /** @param tolerance how far a callback's time may be from ours, either way */
    public CallbackRoutes(CallbackFile file, Duration tolerance, Owners owners, RecordLog log, Clock clock) {
        this.file = file;
        this.tolerance = tolerance;
        this.owners = owners;
        this.log = log;
        this.clock = clock;
    }

    public void callback(Exchange exchange) throws InterruptedException {
        Signature signature = signature(exchange);
        requireFresh(signature);
        if (!file.isSigned(signature)) {
            throw forged("no secret of any route made it");
        }
        EffectId effect = effect(exchange.parameter("effect_id"));
        switch (owners.find(exchange, effect.requestId())) {
            case Owners.Answered answered -> {}
            case Owners.Here(Known known) -> settle(exchange, signature, effect, known.state());
            case Owners.Nothing nothing -> throw unknown(effect);
            case Owners.Unreachable(String reason) ->
                throw Problem.of(Problem.Kind.UNAVAILABLE, reason + "; send it again")
                        .retryAfter(WHILE_MOVING)
                        .asException();
        }
    }

    private void settle(Exchange exchange, Signature signature, EffectId effect, RequestState state)
            throws InterruptedException {
        String name = route(effect, state).orElseThrow(() -> unknown(effect));
        CallbackRoute route = file.route(name)
                .filter(known -> signature.isBy(known.secrets()))
                .orElseThrow(() -> forged("the secret of another route made it"));
        CallbackBody body = CallbackBody.read(signature.body(), route, effect);
        if (body.result().isEmpty()) {
            answer(exchange, effect, "ignored");
            return;
        }
        requireOfThisRequest(signature, body, effect, state.identity().receivedAt());
        // With the life: after the dedup window another request may have the id, and its receiver another event the
        // number.
        String id = effect + " " + state.identity().receivedAt() + " " + signature.id();
        boolean before = kept.contains(id);
        if (!before) {
            // One that comes again before this returns is appended too: it may be the one that is kept.
            append(effect, state, signature, body);
            kept.add(id);
        }
        answer(exchange, effect, before ? "kept before" : "kept");
    }

    private void append(EffectId effect, RequestState state, Signature signature, CallbackBody body)
            throws InterruptedException {
        EffectOutcome outcome = EffectOutcome.callback(
                effect,
                body.result().orElseThrow(),
                body.detail(),
                body.reference(),
                signature.id(),
                clock.instant(),
                state.identity().receivedAt());
        Acknowledged.append(
                log, Topics.EFFECT_OUTCOMES, effect.requestId(), Codecs.EFFECT_OUTCOME.encode(outcome), Map.of());
        LOG.info("event=callback effect_id={} callback_id={} result={}", effect, signature.id(), outcome.result());
    }

    private static void answer(Exchange exchange, EffectId effect, String outcome) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("effect_id", effect.toString());
        body.put("callback", outcome);
        exchange.json(200, body);
    }

    private Signature signature(Exchange exchange) {
        return new Signature(
                header(exchange, "webhook-id"),
                header(exchange, "webhook-timestamp"),
                exchange.body(),
                header(exchange, "webhook-signature"));
    }

    private static String header(Exchange exchange, String name) {
        return exchange.header(name)
                .map(String::strip)
                .filter(value -> !value.isEmpty() && (!name.equals("webhook-id") || value.length() <= LONGEST_ID))
                .orElseThrow(() -> Problem.of(
                                Problem.Kind.INVALID,
                                "a callback must have the headers webhook-id (at most " + LONGEST_ID
                                        + " characters), webhook-timestamp and webhook-signature (Standard Webhooks)")
                        .asException());
    }

    /** After the dedup window its id may stand for another request, which an old callback must not settle. */
    private static void requireOfThisRequest(
            Signature signature, CallbackBody body, EffectId effect, Instant receivedAt) {
        if (body.receivedAt().isPresent()) {
            if (!body.receivedAt().get().equals(receivedAt)) {
                throw earlier(
                        effect,
                        receivedAt,
                        "the body names a request received at "
                                + body.receivedAt().get());
            }
        } else if (signed(signature).plus(CLOCKS_APART).isBefore(receivedAt)) {
            throw earlier(
                    effect,
                    receivedAt,
                    "webhook-timestamp is before that; a sender whose clock is behind signs it again later");
        }
    }

    private static RuntimeException earlier(EffectId effect, Instant receivedAt, String why) {
        return Problem.of(
                        Problem.Kind.NOT_POSSIBLE,
                        "the request of effect %s was received at %s, and this is about an earlier one of its id: %s; nothing was changed"
                                .formatted(effect, receivedAt, why))
                .asException();
    }

    private static Instant signed(Signature signature) {
        return Instant.ofEpochSecond(Long.parseLong(signature.timestamp()));
    }

    private void requireFresh(Signature signature) {
        try {
            Instant sent = signed(signature);
            if (Duration.between(sent, clock.instant()).abs().compareTo(tolerance) <= 0) {
                return;
            }
        } catch (NumberFormatException | DateTimeException noTime) {
            throw forged("webhook-timestamp is not a time in seconds");
        }
        throw forged("webhook-timestamp is further than " + tolerance + " from this machine's time");
    }

    private static EffectId effect(String text) {
        try {
            return EffectId.parse(text);
        } catch (IllegalArgumentException notOne) {
            throw Problem.of(Problem.Kind.NOT_FOUND, "the path does not name an effect")
                    .asException();
        }
    }

    /** The route the effect goes to, by the recorded plan. */
    private static Optional<String> route(EffectId effect, RequestState state) {
        EffectPlan plan = switch (state) {
            case RequestState.Open open -> open.plan();
            case RequestState.Ended ended -> ended.plan();
        };
        Optional<EffectStep> step = effect.turn() == 0 ? plan.step(effect.step()) : Optional.empty();
        return effect.undo()
                ? step.flatMap(found -> found.planned().compensation()).map(Compensation::route)
                : step.map(found -> found.planned().route());
    }

    /**
     * Not 404, after which some senders forget the event. An instance that was stopped for a while does not know yet that the request is
     * another's now, and cannot tell an effect that was issued since from one that is forgotten or never was.
     */
    private static RuntimeException unknown(EffectId effect) {
        return Problem.of(
                        Problem.Kind.UNAVAILABLE,
                        "no effect " + effect + " is known here, or not yet; nothing was changed; send it again")
                .retryAfter(UNTIL_KNOWN)
                .asException();
    }

    private static RuntimeException forged(String detail) {
        return Problem.of(Problem.Kind.BAD_SIGNATURE, detail + "; nothing was changed")
                .asException();
    }
}
