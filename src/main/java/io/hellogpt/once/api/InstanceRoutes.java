package io.hellogpt.once.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Supplier;

/** What an instance says of itself: how it is, its meters, and what its API is. */
public final class InstanceRoutes {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Supplier<Health> health;
    private final Supplier<String> metrics;

    /** @param metrics in the text format of Prometheus */
    public InstanceRoutes(Supplier<Health> health, Supplier<String> metrics) {
        this.health = health;
        this.metrics = metrics;
    }

    public void live(Exchange exchange) {
        Health now = health.get();
        health(exchange, now, now.live());
    }

    public void ready(Exchange exchange) {
        Health now = health.get();
        health(exchange, now, now.ready());
    }

    private static void health(Exchange exchange, Health now, boolean well) {
        ObjectNode body = JSON.createObjectNode();
        body.put("live", now.live());
        body.put("ready", now.ready());
        body.put("state", now.state());
        now.reasons().forEach(body.putArray("reasons")::add);
        now.details().forEach((name, value) -> body.set(name, JSON.valueToTree(value)));
        exchange.json(well ? 200 : 503, body);
    }

    public void metrics(Exchange exchange) {
        exchange.send(
                200, "text/plain; version=0.0.4; charset=utf-8", metrics.get().getBytes(StandardCharsets.UTF_8));
    }

    public void openApi(Exchange exchange) {
        try (InputStream page = Objects.requireNonNull(
                InstanceRoutes.class.getResourceAsStream("/openapi.yaml"), "openapi.yaml is on the class path")) {
            exchange.send(200, "application/yaml", page.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
