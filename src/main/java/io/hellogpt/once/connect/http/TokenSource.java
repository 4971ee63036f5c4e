package io.hellogpt.once.connect.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.connect.config.Route.Credentials;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.entity.UrlEncodedFormEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.NameValuePair;
import org.apache.hc.core5.http.message.BasicNameValuePair;

/**
 * Client credentials of RFC 6749, section 4.4. One token serves all calls until shortly before it expires; one call at a time asks
 * for the next one, the others wait for it; and after a failure nobody asks again for a second, so that a token endpoint in
 * trouble is not run over by the calls of the route.
 */
final class TokenSource implements Authorization {
    private static final Duration EARLY = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** RFC 6749 leaves expires_in out at will; a refused token is renewed anyhow. */
    private static final long UNTOLD_SECONDS = 300;

    private final Credentials.OAuth2 credentials;
    private final Wire wire;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicReference<Token> token = new AtomicReference<>(Token.NONE);
    private Failure failure = new Failure("", Instant.MIN);

    private record Token(String header, Instant until) {
        static final Token NONE = new Token("", Instant.MIN);

        @Override
        public String toString() {
            return "Token[hidden]";
        }
    }

    private record Failure(String why, Instant until) {}

    TokenSource(Credentials.OAuth2 credentials, Wire wire, Clock clock) {
        this.credentials = credentials;
        this.wire = wire;
        this.clock = clock;
    }

    @Override
    public Optional<String> value(Deadline deadline) throws TokenUnavailableException, InterruptedException {
        Token current = token.get();
        if (clock.instant().isBefore(current.until())) {
            return Optional.of(current.header());
        }
        try {
            if (!lock.tryLock(deadline.left().toNanos(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException("another call is still waiting for it");
            }
            try {
                return Optional.of(fresh(deadline).header());
            } finally {
                lock.unlock();
            }
        } catch (TimeoutException e) {
            throw new TokenUnavailableException("no token in time", e);
        }
    }

    @Override
    public boolean renewAfter(int status, Optional<String> value) {
        if (!credentials.refreshOn().contains(status)) {
            return false;
        }
        // Another call may have renewed it since: then that one is to be tried.
        Token refused = token.get();
        if (value.equals(Optional.of(refused.header()))) {
            token.compareAndSet(refused, Token.NONE);
        }
        return true;
    }

    private Token fresh(Deadline deadline) throws TokenUnavailableException, TimeoutException, InterruptedException {
        Instant now = clock.instant();
        Token current = token.get();
        if (now.isBefore(current.until())) {
            return current;
        }
        if (now.isBefore(failure.until())) {
            throw new TokenUnavailableException(failure.why(), null);
        }
        try {
            Token next = read(wire.exchange(request(), deadline), now);
            token.set(next);
            return next;
        } catch (IOException e) {
            throw failed("the token endpoint cannot be reached (" + e.getClass().getSimpleName() + ")", e);
        } catch (TimeoutException e) {
            throw failed("the token endpoint did not answer in time", e);
        }
    }

    private TokenUnavailableException failed(String why, Throwable cause) {
        failure = new Failure(why, clock.instant().plus(PAUSE));
        return new TokenUnavailableException(why, cause);
    }

    private Token read(Answer answer, Instant asked) throws TokenUnavailableException {
        if (answer.status() != 200) {
            throw failed("the token endpoint answered HTTP " + answer.status(), null);
        }
        JsonNode body = answer.json();
        String value = body.path("access_token").asText();
        if (value.isEmpty() || !value.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            throw failed("the token endpoint's answer holds no usable access_token", null);
        }
        Duration lives = Duration.ofSeconds(Math.max(0, body.path("expires_in").asLong(UNTOLD_SECONDS)));
        Duration early = lives.compareTo(EARLY.multipliedBy(2)) > 0 ? EARLY : lives.dividedBy(2);
        return new Token("Bearer " + value, asked.plus(lives).minus(early));
    }

    private HttpUriRequestBase request() {
        HttpUriRequestBase request = new HttpUriRequestBase("POST", URI.create(credentials.tokenUrl()));
        request.setHeader(HttpHeaders.ACCEPT, "application/json");
        List<NameValuePair> form = new ArrayList<>();
        form.add(new BasicNameValuePair("grant_type", "client_credentials"));
        credentials.scope().ifPresent(scope -> form.add(new BasicNameValuePair("scope", scope)));
        if (credentials.secretInBody()) {
            form.add(new BasicNameValuePair("client_id", credentials.clientId()));
            form.add(new BasicNameValuePair("client_secret", credentials.clientSecret()));
        } else {
            // RFC 6749, section 2.3.1: both are form-encoded before they are joined.
            request.setHeader(
                    HttpHeaders.AUTHORIZATION,
                    Authorization.basic(encoded(credentials.clientId()), encoded(credentials.clientSecret())));
        }
        request.setEntity(new UrlEncodedFormEntity(form, StandardCharsets.UTF_8));
        return request;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
