package io.hellogpt.once.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** One request of a client and its answer. Used by the one thread that handles it. */
public final class Exchange {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ServerRequest request;
    private final ServerResponse response;
    private final Caller caller;
    private final Limits limits;
    private final Watchdog watchdog;
    private final Map<String, String> chosenHeaders = new HashMap<>();
    private byte[] body;
    private boolean committed;

    Exchange(ServerRequest request, ServerResponse response, Caller caller, Limits limits, Watchdog watchdog) {
        this.request = request;
        this.response = response;
        this.caller = caller;
        this.limits = limits;
        this.watchdog = watchdog;
    }

    public Caller caller() {
        return caller;
    }

    public String method() {
        return request.prologue().method().text();
    }

    /** Path and query, as they were sent. */
    public String target() {
        String query = request.query().rawValue();
        return request.path().rawPath() + (query == null || query.isEmpty() ? "" : "?" + query);
    }

    /** The part of the path that stands for a parameter of its endpoint. */
    public String parameter(String name) {
        return request.path().pathParameters().get(name);
    }

    public Optional<String> query(String name) {
        return request.query().first(name).asOptional();
    }

    public Optional<String> header(String name) {
        String chosen = chosenHeaders.get(name);
        return chosen != null ? Optional.of(chosen) : request.headers().first(HeaderNames.create(name));
    }

    /** Puts a header in the client's place; another instance that the request is handed on to sees it too. */
    public void choose(String name, String value) {
        chosenHeaders.put(name, value);
    }

    /**
     * The body, within the limits.
     *
     * @throws ProblemException 413 or 408
     */
    public byte[] body() {
        if (body == null) {
            body = Body.read(request, limits);
        }
        return body;
    }

    /** Whether the status has been sent already, so that it can no longer be another one. */
    public boolean isCommitted() {
        return committed;
    }

    public Exchange answerHeader(String name, String value) {
        response.header(HeaderValues.create(HeaderNames.create(name), value));
        return this;
    }

    public void json(int status, JsonNode node) {
        json(status, "application/json", node);
    }

    public void json(int status, String type, JsonNode node) {
        try {
            send(status, type, JSON.writeValueAsBytes(node));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree can always be written", impossible);
        }
    }

    public void send(int status, String type, byte[] content) {
        committed = true;
        response.status(Status.create(status)).header(HeaderValues.create(contentType(), type));
        watchdog.within(limits.clientTimeout(), () -> response.send(content));
    }

    /** An answer in pieces; each must be taken by the client in time. */
    public Pieces pieces(int status, String type) {
        committed = true;
        response.status(Status.create(status))
                .header(HeaderValues.create(contentType(), type))
                .header(HeaderValues.create(HeaderNames.CACHE_CONTROL, "no-store"))
                // Else a proxy in between may keep pieces back until it has many.
                .header(HeaderValues.create(HeaderNames.create("X-Accel-Buffering"), "no"));
        return new Pieces(response.outputStream(), watchdog, limits.clientTimeout());
    }

    private static HeaderName contentType() {
        return HeaderNames.CONTENT_TYPE;
    }

    /** An answer that is sent piece by piece. */
    public static final class Pieces implements AutoCloseable {
        private final OutputStream out;
        private final Watchdog watchdog;
        private final Duration patience;

        private Pieces(OutputStream out, Watchdog watchdog, Duration patience) {
            this.out = out;
            this.watchdog = watchdog;
            this.patience = patience;
        }

        /**
         * Sends a piece at once.
         *
         * @throws UncheckedIOException when the client is gone or takes nothing
         */
        public void send(byte[] piece) {
            watchdog.within(patience, () -> {
                out.write(piece);
                out.flush();
            });
        }

        @Override
        public void close() {
            try {
                out.close();
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        }
    }
}
