package io.hellogpt.once.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * Serves {@code /health/live}, {@code /health/ready}, {@code /metrics} and {@code /v1/requests/{id}}. Has no login: it belongs on
 * loopback or behind something that has one.
 */
public final class ApiServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Supplier<Health> health;
    private final Supplier<String> metrics;
    private final RequestLookup requests;
    private final WebServer server;

    /**
     * Starts listening.
     *
     * @param port 0 for a free one
     * @param metrics in the text format of Prometheus
     */
    public ApiServer(String host, int port, Supplier<Health> health, Supplier<String> metrics, RequestLookup requests) {
        this.health = health;
        this.metrics = metrics;
        this.requests = requests;
        this.server = WebServer.builder()
                .host(host)
                .port(port)
                // Its own hook would stop the server first thing on SIGTERM, while a drain should still be visible.
                .shutdownHook(false)
                .routing(this::routes)
                .build()
                .start();
    }

    /** The port it listens on. */
    public int port() {
        return server.port();
    }

    private void routes(HttpRouting.Builder routing) {
        routing.get("/health/live", (request, response) -> health(response, false))
                .get("/health/ready", (request, response) -> health(response, true))
                .get(
                        "/metrics",
                        (request, response) -> response.header(
                                        HeaderNames.CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")
                                .send(metrics.get()))
                .get("/v1/requests/{id}", this::request);
    }

    private void health(ServerResponse response, boolean readiness) {
        Health now = health.get();
        ObjectNode body = JSON.createObjectNode();
        body.put("live", now.live());
        body.put("ready", now.ready());
        body.put("state", now.state());
        now.reasons().forEach(body.putArray("reasons")::add);
        now.details().forEach((name, value) -> body.set(name, JSON.valueToTree(value)));
        boolean well = readiness ? now.ready() : now.live();
        send(response, well ? Status.OK_200 : Status.SERVICE_UNAVAILABLE_503, body);
    }

    private void request(ServerRequest request, ServerResponse response) {
        String id = request.path().pathParameters().get("id");
        switch (requests.find(id)) {
            case RequestLookup.Here here -> send(response, Status.OK_200, here.state());
            case RequestLookup.Elsewhere owner ->
                response.status(Status.TEMPORARY_REDIRECT_307)
                        .header(
                                HeaderNames.LOCATION,
                                "http://%s:%d/v1/requests/%s"
                                        .formatted(
                                                owner.host(),
                                                owner.port(),
                                                URLEncoder.encode(id, StandardCharsets.UTF_8)))
                        .send();
            case RequestLookup.Unknown unknown ->
                send(
                        response,
                        Status.NOT_FOUND_404,
                        problem("no request " + id + " is known: it was never accepted, or its dedup window is over"));
            case RequestLookup.Unavailable unavailable ->
                send(response, Status.SERVICE_UNAVAILABLE_503, problem(unavailable.reason()));
        }
    }

    private static ObjectNode problem(String detail) {
        return JsonNodeFactory.instance.objectNode().put("detail", detail);
    }

    private static void send(ServerResponse response, Status status, ObjectNode body) {
        try {
            response.status(status)
                    .header(HeaderNames.CONTENT_TYPE, "application/json")
                    .send(JSON.writeValueAsBytes(body));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree can always be written", impossible);
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
