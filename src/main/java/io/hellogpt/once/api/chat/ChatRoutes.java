package io.hellogpt.once.api.chat;

import io.hellogpt.once.api.Exchange;
import io.hellogpt.once.api.IdempotencyKey;
import io.hellogpt.once.api.Problem;
import io.hellogpt.once.api.ProblemException;
import io.hellogpt.once.api.RequestLookup.Known;
import io.hellogpt.once.api.request.Intake;
import io.hellogpt.once.api.request.Media;
import io.hellogpt.once.api.request.Submission;
import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.RequestState;
import java.time.Duration;

/**
 * {@code POST /v1/chat/completions}: an unchanged client of OpenAI's API gets the one committed answer to its request, however often it
 * has to ask for it.
 */
public final class ChatRoutes {
    private static final Duration LATER = Duration.ofSeconds(5);

    private final Submission.Reader reader;
    private final Intake intake;
    private final ChatKeys keys;
    private final Terms terms;

    /**
     * How chats are treated.
     *
     * @param policy that decides about every answer
     * @param longestWait after which a client is told to ask again; the request goes on
     */
    public record Terms(String policy, Duration longestWait) {}

    public ChatRoutes(Submission.Reader reader, Intake intake, ChatKeys keys, Terms terms) {
        this.reader = reader;
        this.intake = intake;
        this.keys = keys;
        this.terms = terms;
    }

    public void complete(Exchange exchange) throws InterruptedException {
        Media.requireJson(exchange);
        ChatBody body = ChatBody.read(exchange.body(), terms.policy());
        String key = IdempotencyKey.of(exchange).orElseGet(() -> keyless(exchange, body));
        Submission submission = reader.decode(body.withId(key));
        // An id made here must be the same at the instance that holds it.
        exchange.choose(IdempotencyKey.HEADER, key);
        exchange.answerHeader("x-request-id", key);
        ChatReply reply = body.stream() ? ChatReply.streaming(exchange, body.usage()) : ChatReply.whole(exchange);
        try {
            answer(exchange, intake.submit(exchange, submission, terms.longestWait(), reply::waiting), reply);
        } catch (ProblemException refused) {
            if (!exchange.isCommitted()) {
                throw refused;
            }
            reply.broken(refused.problem());
        }
    }

    /** The fingerprint does not depend on the id, but a request has one. */
    private String keyless(Exchange exchange, ChatBody body) {
        return keys.keyless(
                exchange.caller(), reader.decode(body.withId("chat")).fingerprint(), intake::sentAt);
    }

    private static void answer(Exchange exchange, Intake.Outcome outcome, ChatReply reply) {
        switch (outcome) {
            case Intake.AnsweredElsewhere elsewhere -> {}
            case Intake.Open open ->
                throw Problem.of(
                                Problem.Kind.UNAVAILABLE,
                                "the request is taken and not finished yet; ask again with the same Idempotency-Key")
                        .retryAfter(LATER)
                        .asException();
            case Intake.Ended(Known known, boolean replayed) -> {
                if (replayed && !exchange.isCommitted()) {
                    exchange.answerHeader("Idempotent-Replayed", "true");
                }
                switch (known.state()) {
                    case Committed committed ->
                        reply.answer(known.snapshot()
                                .orElseThrow(() -> new IllegalStateException(
                                        "request_id=" + committed.id() + " is committed without a snapshot"))
                                .answer());
                    case Failed failed -> reply.failed(failed.failure());
                    case RequestState.Open open -> throw new IllegalStateException(open.id() + " has not ended");
                }
            }
        }
    }
}
