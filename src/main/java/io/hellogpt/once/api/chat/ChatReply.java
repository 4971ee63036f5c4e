package io.hellogpt.once.api.chat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.ChatError;
import io.hellogpt.once.api.Exchange;
import io.hellogpt.once.api.Problem;
import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** How the answer is sent: whole, or as a stream. */
interface ChatReply {
    /** Called about once a second until there is an answer. */
    void waiting();

    void answer(Answer answer);

    void failed(Failure failure);

    /** Something went wrong after the answer has begun. */
    void broken(Problem problem);

    static ChatReply whole(Exchange exchange) {
        return new Whole(exchange);
    }

    /** @param usage with the tokens used at its end */
    static ChatReply streaming(Exchange exchange, boolean usage) {
        return new Streaming(exchange, usage);
    }

    /** The body of the model, byte for byte. */
    record Whole(Exchange exchange) implements ChatReply {
        @Override
        public void waiting() {}

        @Override
        public void answer(Answer answer) {
            exchange.send(200, answer.contentType(), answer.body());
        }

        @Override
        public void failed(Failure failure) {
            // Asking again gives the same ending; clients would do so by themselves on most of these statuses.
            exchange.answerHeader("x-should-retry", "false");
            exchange.json(ChatFailure.of(failure.reason()).status(), ChatFailure.body(failure));
        }

        @Override
        public void broken(Problem problem) {
            throw new IllegalStateException("an answer in one piece does not break in the middle");
        }
    }

    /**
     * Server-sent events. Statuses can say what went wrong only as long as nothing is sent, so the stream begins when there is an
     * answer, or when so much time has passed that somebody in between might think the connection dead.
     */
    final class Streaming implements ChatReply {
        private static final long QUIET = Duration.ofSeconds(15).toNanos();
        private static final ObjectMapper JSON = new ObjectMapper();

        private final Exchange exchange;
        private final boolean usage;
        private long lastSent = System.nanoTime();
        private Exchange.Pieces pieces;

        private Streaming(Exchange exchange, boolean usage) {
            this.exchange = exchange;
            this.usage = usage;
        }

        @Override
        public void waiting() {
            if (System.nanoTime() - lastSent > QUIET) {
                send(": the answer is not there yet\n\n");
            }
        }

        @Override
        public void answer(Answer answer) {
            try {
                ChatChunks.of(JSON.readTree(answer.body()), usage).forEach(this::data);
            } catch (IOException notJson) {
                data(ChatError.of("server_error", "not_streamable", "the recorded answer is not a chat completion"));
            }
            end();
        }

        @Override
        public void failed(Failure failure) {
            if (pieces == null) {
                new Whole(exchange).failed(failure);
            } else {
                data(ChatFailure.body(failure));
                end();
            }
        }

        @Override
        public void broken(Problem problem) {
            data(ChatError.of(problem));
            end();
        }

        private void end() {
            send("data: [DONE]\n\n");
            pieces.close();
        }

        private void data(ObjectNode chunk) {
            send("data: " + chunk + "\n\n");
        }

        private void send(String text) {
            if (pieces == null) {
                pieces = exchange.pieces(200, "text/event-stream; charset=utf-8");
            }
            pieces.send(text.getBytes(StandardCharsets.UTF_8));
            lastSent = System.nanoTime();
        }
    }
}
