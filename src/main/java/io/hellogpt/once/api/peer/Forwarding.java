package io.hellogpt.once.api.peer;

import io.hellogpt.once.api.Exchange;
import io.hellogpt.once.api.RequestLookup.Peer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands a client's request on to another instance, with the client's own credentials, and its answer back. Everything that is handed
 * on may be done twice without harm.
 */
public final class Forwarding implements AutoCloseable {
    /** On requests between instances; says that they are not to be handed on again, and what they are sent there for. */
    public static final String HANDED_ON = "Once-Handed-On";

    static final String TO_OWNER = "owner";
    static final String TO_STANDBY = "standby";

    private static final Logger LOG = LoggerFactory.getLogger(Forwarding.class);
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final List<String> REQUEST_HEADERS = List.of(
            "Authorization",
            "Content-Type",
            "Accept",
            "Idempotency-Key",
            "Prefer",
            "webhook-id",
            "webhook-timestamp",
            "webhook-signature",
            "traceparent",
            "tracestate");
    private static final List<String> ANSWER_HEADERS = List.of(
            "Location",
            "Retry-After",
            "Idempotent-Replayed",
            "Preference-Applied",
            "WWW-Authenticate",
            "x-request-id",
            "x-should-retry");

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private final Duration patience;

    /** @param patience how long another instance may take to begin its answer, longer than any wait a client can ask for */
    public Forwarding(Duration patience) {
        this.patience = patience;
    }

    /** Whether another instance has handed this request on to here. */
    public static boolean wasHandedOn(Exchange exchange) {
        return exchange.header(HANDED_ON).isPresent();
    }

    /** Whether this instance is asked as a standby. */
    public static boolean isAskedAsStandby(Exchange exchange) {
        return exchange.header(HANDED_ON).filter(TO_STANDBY::equals).isPresent();
    }

    /**
     * Asks other instances for what the client asks, all at the same time.
     *
     * @param patience of all of them together
     * @return what those said that answered with 200, by instance
     */
    public Map<Peer, byte[]> askAll(Exchange exchange, List<Peer> peers, Duration patience) {
        Map<Peer, CompletableFuture<byte[]>> asked = new LinkedHashMap<>();
        for (Peer peer : peers) {
            asked.put(
                    peer,
                    http.sendAsync(request(exchange, peer, TO_OWNER), HttpResponse.BodyHandlers.ofByteArray())
                            .thenApply(answer -> answer.statusCode() == 200 ? answer.body() : null)
                            .exceptionally(silent -> null)
                            .completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS));
        }
        Map<Peer, byte[]> answers = new LinkedHashMap<>();
        asked.forEach((peer, answer) -> Optional.ofNullable(answer.join()).ifPresent(body -> answers.put(peer, body)));
        return answers;
    }

    /** @return false when the other one does not answer; the client has not been answered then */
    boolean hand(Exchange exchange, Peer peer, String purpose) throws InterruptedException {
        HttpResponse<InputStream> answer;
        try {
            answer = http.send(request(exchange, peer, purpose), HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException silent) {
            LOG.warn(
                    "event=peer_silent peer={} purpose={} cause={} action=\"answered from here as far as possible\"",
                    peer,
                    purpose,
                    silent.toString());
            return false;
        }
        relay(answer, exchange);
        return true;
    }

    private HttpRequest request(Exchange exchange, Peer peer, String purpose) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + peer + exchange.target()))
                .timeout(patience)
                .header(HANDED_ON, purpose)
                .method(exchange.method(), HttpRequest.BodyPublishers.ofByteArray(exchange.body()));
        REQUEST_HEADERS.forEach(name -> exchange.header(name).ifPresent(value -> request.header(name, value)));
        return request.build();
    }

    private static void relay(HttpResponse<InputStream> answer, Exchange exchange) {
        ANSWER_HEADERS.forEach(
                name -> answer.headers().firstValue(name).ifPresent(value -> exchange.answerHeader(name, value)));
        String type = answer.headers().firstValue("Content-Type").orElse("application/octet-stream");
        try (InputStream body = answer.body()) {
            if (type.startsWith("text/event-stream")) {
                relayPieces(body, exchange.pieces(answer.statusCode(), type));
            } else {
                exchange.send(answer.statusCode(), type, body.readAllBytes());
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("another instance ended in the middle of its answer", broken);
        }
    }

    private static void relayPieces(InputStream body, Exchange.Pieces pieces) throws IOException {
        byte[] piece = new byte[16 * 1024];
        for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
            pieces.send(Arrays.copyOf(piece, read));
        }
        pieces.close();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
