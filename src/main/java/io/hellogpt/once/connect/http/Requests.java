package io.hellogpt.once.connect.http;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.receiver.Identifiers;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.TraceContext;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;

/** Builds the requests of one route. */
final class Requests {
    private static final int SEPARATORS = 4;

    private final Route.Http route;
    private final Optional<Signer> signer;
    private final Clock clock;

    Requests(Route.Http route, Clock clock) {
        this.route = route;
        this.signer = route.access().signing().map(Signer::new);
        this.clock = clock;
    }

    /**
     * The request that carries an effect out; the same bytes, key and webhook-id whenever it is built. The trace comes on top of
     * what the route's limit allows: nothing is refused on account of it.
     *
     * @throws IllegalArgumentException when it cannot be sent, with a reason for people
     */
    HttpUriRequestBase effect(Effect effect, byte[] body, Optional<String> authorization) {
        EffectId id = effect.id();
        HttpUriRequestBase request =
                common(route.endpoint().method(), id, route.endpoint().urlTemplate());
        request.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_JSON));
        if (route.recovery() instanceof Recovery.Keyed keyed) {
            request.setHeader(keyed.header(), keyed.quoted() ? quoted(id.toString()) : id.toString());
        }
        signer.ifPresent(with -> sign(request, with, Identifiers.atom(id), body));
        return finished(request, effect, authorization);
    }

    /** The question whether the receiver knows an effect. */
    HttpUriRequestBase probe(Effect effect, Recovery.Probeable probeable, Optional<String> authorization) {
        return finished(common("GET", effect.id(), probeable.urlTemplate()), effect, authorization);
    }

    private HttpUriRequestBase common(String method, EffectId id, String urlTemplate) {
        if (!Identifiers.fitsHeader(id.toString())) {
            throw new IllegalArgumentException("the effect_id cannot be carried in a header");
        }
        String url = urlTemplate
                .replace("{effect_id}", Identifiers.inUrl(id.toString()))
                .replace("{request_id}", Identifiers.inUrl(id.requestId().value()));
        HttpUriRequestBase request = new HttpUriRequestBase(method, URI.create(url));
        request.setHeader("X-Request-Id", id.requestId().value());
        request.setHeader("X-Effect-Id", id.toString());
        route.endpoint().headers().forEach(header -> request.setHeader(header.getKey(), header.getValue()));
        return request;
    }

    private void sign(HttpUriRequestBase request, Signer with, String webhookId, byte[] body) {
        Instant now = clock.instant();
        request.setHeader("webhook-id", webhookId);
        request.setHeader("webhook-timestamp", Long.toString(now.getEpochSecond()));
        request.setHeader("webhook-signature", with.signature(webhookId, now, body));
    }

    private HttpUriRequestBase finished(HttpUriRequestBase request, Effect effect, Optional<String> authorization) {
        authorization.ifPresent(value -> request.setHeader(HttpHeaders.AUTHORIZATION, value));
        int bytes = Stream.of(request.getHeaders()).mapToInt(Requests::size).sum();
        if (bytes > route.limits().headerBytes()) {
            throw new IllegalArgumentException("headers of " + bytes + " bytes are over the route's limit of "
                    + route.limits().headerBytes());
        }
        effect.trace()
                .filter(trace -> !request.containsHeader(TraceContext.TRACEPARENT))
                .ifPresent(trace -> {
                    request.setHeader(TraceContext.TRACEPARENT, trace.traceparent());
                    trace.tracestate().ifPresent(state -> request.setHeader(TraceContext.TRACESTATE, state));
                });
        return request;
    }

    private static int size(Header header) {
        return header.getName().length() + header.getValue().length() + SEPARATORS;
    }

    /** A string of RFC 9651, section 3.3.3. */
    private static String quoted(String key) {
        return '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
