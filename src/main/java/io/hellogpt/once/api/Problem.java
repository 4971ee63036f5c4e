package io.hellogpt.once.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a request of a client was not done (RFC 9457).
 *
 * @param detail for people: what happened, what the system did, what to do. Never a payload or a secret
 * @param more further members of the body
 * @param retryAfter when asking again makes sense
 */
public record Problem(Kind kind, String detail, Map<String, String> more, Optional<Duration> retryAfter) {
    public static final String MEDIA_TYPE = "application/problem+json";

    private static final ObjectMapper JSON = new ObjectMapper();

    public Problem {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(detail, "detail");
        more = Map.copyOf(more);
        Objects.requireNonNull(retryAfter, "retryAfter");
    }

    /** The kinds of problem; clients may rely on the name in {@code type} and on the status. */
    public enum Kind {
        INVALID(400, "The request is not valid"),
        MISSING_KEY(400, "The Idempotency-Key is missing"),
        UNAUTHENTICATED(401, "Who is asking is not known"),
        BAD_SIGNATURE(401, "The signature does not hold"),
        FORBIDDEN(403, "The caller is not allowed to do this"),
        NOT_FOUND(404, "There is no such thing"),
        METHOD_NOT_ALLOWED(405, "This path does not take this method"),
        TOO_SLOW(408, "The request did not arrive in time"),
        NOT_POSSIBLE(409, "This is not possible in the present state"),
        EXPIRED(410, "The request is too old"),
        TOO_LARGE(413, "The request is too large"),
        UNSUPPORTED(415, "This content type is not understood"),
        CONFLICT(422, "This key belongs to another request"),
        OVERLOADED(429, "Too many requests wait already"),
        INTERNAL(500, "An error nobody foresaw"),
        UNAVAILABLE(503, "This cannot be done right now");

        private final int status;
        private final String title;

        Kind(int status, String title) {
            this.status = status;
            this.title = title;
        }

        public int status() {
            return status;
        }

        public String title() {
            return title;
        }

        /** As it stands in {@code type} and in OpenAI's {@code code}. */
        public String slug() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static Problem of(Kind kind, String detail) {
        return new Problem(kind, detail, Map.of(), Optional.empty());
    }

    public Problem with(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(more);
        all.put(name, value);
        return new Problem(kind, detail, all, retryAfter);
    }

    public Problem retryAfter(Duration wait) {
        return new Problem(kind, detail, more, Optional.of(wait));
    }

    /** To throw where the handler cannot go on. */
    public ProblemException asException() {
        return new ProblemException(this);
    }

    /** The body. */
    ObjectNode json() {
        ObjectNode body = JSON.createObjectNode();
        body.put("type", "urn:hellogpt-once:problem:" + kind.slug());
        body.put("title", kind.title());
        body.put("status", kind.status());
        body.put("detail", detail);
        more.forEach(body::put);
        return body;
    }
}
