package io.hellogpt.once.connect.http;

import io.hellogpt.once.connect.config.Recovery;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.config.Route.Credentials;
import io.hellogpt.once.core.EffectId;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Builds the requests of one route. */
final class Requests {
    private final Route.Http route;

    Requests(Route.Http route) {
        this.route = route;
    }

    /**
     * The request that carries an effect out; the same bytes and key whenever it is built.
     *
     * @throws IllegalArgumentException when an id cannot stand in a header or a URL
     */
    HttpRequest effect(EffectId id, byte[] body) {
        HttpRequest.Builder builder = common(id, route.endpoint().urlTemplate())
                .header("Content-Type", "application/json")
                .method(route.endpoint().method(), BodyPublishers.ofByteArray(body));
        if (route.recovery() instanceof Recovery.Keyed keyed) {
            builder.setHeader(keyed.header(), keyed.quoted() ? quoted(id.toString()) : id.toString());
        }
        return builder.build();
    }

    /** The question whether the receiver knows an effect. */
    HttpRequest probe(EffectId id, Recovery.Probeable probeable) {
        return common(id, probeable.urlTemplate()).GET().build();
    }

    private HttpRequest.Builder common(EffectId id, String urlTemplate) {
        String url = urlTemplate
                .replace("{effect_id}", encoded(id.toString()))
                .replace("{request_id}", encoded(id.requestId().value()));
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(url))
                .timeout(route.limits().timeout())
                .header("X-Request-Id", id.requestId().value())
                .header("X-Effect-Id", id.toString());
        route.endpoint().headers().forEach(header -> builder.setHeader(header.getKey(), header.getValue()));
        switch (route.credentials()) {
            case Credentials.None none -> {}
            case Credentials.Bearer bearer -> builder.setHeader("Authorization", "Bearer " + bearer.token());
            case Credentials.Basic basic -> builder.setHeader("Authorization", "Basic " + base64(basic));
        }
        return builder;
    }

    private static String base64(Credentials.Basic basic) {
        byte[] pair = (basic.user() + ":" + basic.password()).getBytes(StandardCharsets.UTF_8);
        return Base64.getEncoder().encodeToString(pair);
    }

    private static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** A string of RFC 8941, section 3.3.3. */
    private static String quoted(String key) {
        return '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
