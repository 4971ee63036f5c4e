package io.hellogpt.once.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A model server that speaks the chat completions protocol and misbehaves on demand.
 *
 * <ul>
 *   <li>{@code POST /v1/chat/completions}: another answer each time, tool calls when there are tools, latency from tokens
 *   <li>{@code POST /admin/faults}: replaces the {@link SimulatedModelFaults}; {@code GET} shows them
 *   <li>{@code POST /admin/hold}: calls are logged and not answered until {@code POST /admin/release}
 *   <li>{@code GET /health}
 * </ul>
 */
public final class SimulatedModelServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SimulatedModelLog log;
    private final SimulatedModelCompletions completions;
    private final WebServer web;

    private SimulatedModelServer(SimulatedModelConfig config) throws IOException {
        this.log = new SimulatedModelLog(config.log());
        this.completions = new SimulatedModelCompletions(config, log);
        this.web = WebServer.builder()
                .host(config.host())
                .port(config.port())
                .routing(this::routes)
                .build()
                .start();
    }

    /**
     * Starts a server; it answers when this returns.
     *
     * @throws IOException when the log cannot be written
     */
    public static SimulatedModelServer start(SimulatedModelConfig config) throws IOException {
        return new SimulatedModelServer(config);
    }

    private void routes(HttpRouting.Builder routing) {
        routing.post("/v1/chat/completions", completions)
                .get("/health", (request, response) -> response.send("up"))
                .get("/admin/faults", (request, response) -> showFaults(response))
                .post("/admin/faults", this::replaceFaults)
                .post("/admin/hold", (request, response) -> {
                    hold();
                    response.send("holding");
                })
                .post("/admin/release", (request, response) -> {
                    release();
                    response.send("answering");
                });
    }

    private void showFaults(ServerResponse response) {
        response.header("Content-Type", "application/json");
        response.send(completions.faults().toJson().toString());
    }

    private void replaceFaults(ServerRequest request, ServerResponse response) throws IOException {
        try {
            JsonNode json = JSON.readTree(request.content().as(byte[].class));
            completions.misbehave(SimulatedModelFaults.fromJson(json));
            showFaults(response);
        } catch (IllegalArgumentException | JsonProcessingException invalid) {
            response.status(400);
            response.send(("these faults cannot be set: " + invalid.getMessage()).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** For {@code model.openai.base.url} on this machine. */
    public URI baseUrl() {
        return URI.create("http://" + SimulatedModelConfig.LOOPBACK + ":" + port() + "/v1");
    }

    public int port() {
        return web.port();
    }

    /** Replaces the faults from here on, as {@code POST /admin/faults} does. */
    public void misbehave(SimulatedModelFaults faults) {
        completions.misbehave(faults);
    }

    /** From here on calls are logged and not answered, as {@code POST /admin/hold} does. */
    public void hold() {
        completions.hold().hold();
    }

    /** Answers what was kept back, and keeps nothing back any more. */
    public void release() {
        completions.hold().release();
    }

    /** Answers one call that is kept back, or will be. */
    public void release(String requestId, int attempt) {
        completions.hold().release(requestId, attempt);
    }

    @Override
    public void close() {
        release();
        web.stop();
        log.close();
    }
}
