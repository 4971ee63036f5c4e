package io.hellogpt.once.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;

/** The few calls of a Connect worker's REST interface that this product makes. Safe for use by several threads. */
public final class ConnectRest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(90);
    private static final long REBALANCE_MILLIS = 100;
    private static final int CONFLICT = 409;
    private static final int ERROR = 400;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    private final URI worker;

    public ConnectRest(URI worker) {
        this.worker = worker;
    }

    /**
     * Creates a connector or changes its configuration.
     *
     * @throws EmbeddedException if the worker refuses it, with the worker's reasons
     */
    public void putConnector(String name, Map<String, String> config) {
        String body;
        try {
            body = JSON.writeValueAsString(config);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the configuration of " + name + " cannot be JSON", e);
        }
        call(request("/connectors/" + name + "/config")
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(body)));
    }

    /** Starts a connector and all its tasks again, whatever their state. */
    public void restart(String name) {
        call(request("/connectors/" + name + "/restart?includeTasks=true").POST(BodyPublishers.noBody()));
    }

    /** Stops a connector for good; its group keeps its offsets. */
    void delete(String name) {
        call(request("/connectors/" + name).DELETE());
    }

    /** Starts again what has failed of a connector, and leaves the rest alone. */
    public void restartFailed(String name) {
        call(request("/connectors/" + name + "/restart?includeTasks=true&onlyFailed=true")
                .POST(BodyPublishers.noBody()));
    }

    /** What the worker says about a connector and its tasks; empty while it does not know it. */
    public Optional<JsonNode> status(String name) {
        HttpResponse<String> response =
                send(request("/connectors/" + name + "/status").GET());
        return response.statusCode() < ERROR ? Optional.of(parse(response)) : Optional.empty();
    }

    /** Classes of the connectors this worker could run. */
    public JsonNode plugins() {
        return parse(call(request("/connector-plugins").GET()));
    }

    /**
     * Whether a connector and all its tasks, at least one, run.
     *
     * @throws EmbeddedException if one of them has failed
     */
    boolean isRunning(String name) {
        Optional<JsonNode> status = status(name);
        if (status.isEmpty()) {
            return false;
        }
        JsonNode connector = status.get().path("connector");
        JsonNode tasks = status.get().path("tasks");
        failIfFailed(name, connector);
        tasks.forEach(task -> failIfFailed(name, task));
        return isRunning(connector)
                && !tasks.isEmpty()
                && StreamSupport.stream(tasks.spliterator(), false).allMatch(ConnectRest::isRunning);
    }

    /** Whether the worker answers, and has joined its group: before that it refuses everything with 409 or 500. */
    boolean isReady() {
        try {
            return http.send(request("/health").GET().build(), BodyHandlers.discarding())
                            .statusCode()
                    < ERROR;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static boolean isRunning(JsonNode part) {
        return part.path("state").asText().equals("RUNNING");
    }

    private static void failIfFailed(String name, JsonNode part) {
        if (part.path("state").asText().equals("FAILED")) {
            throw new EmbeddedException(
                    "connector %s failed: %s".formatted(name, part.path("trace").asText()));
        }
    }

    private HttpResponse<String> call(HttpRequest.Builder request) {
        HttpResponse<String> response = send(request);
        if (response.statusCode() >= ERROR) {
            throw new EmbeddedException("the Connect worker answered %d to %s: %s"
                    .formatted(response.statusCode(), response.request().uri(), response.body()));
        }
        return response;
    }

    /** Repeats what the worker refuses because its group is rebalancing. */
    private HttpResponse<String> send(HttpRequest.Builder request) {
        long deadline = System.nanoTime() + CALL_TIMEOUT.toNanos();
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            while (response.statusCode() == CONFLICT && System.nanoTime() < deadline) {
                TimeUnit.MILLISECONDS.sleep(REBALANCE_MILLIS);
                response = http.send(request.build(), BodyHandlers.ofString());
            }
            return response;
        } catch (IOException e) {
            throw new EmbeddedException("the Connect worker at " + worker + " does not answer", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(worker.resolve(path)).timeout(CALL_TIMEOUT);
    }

    private static JsonNode parse(HttpResponse<String> response) {
        try {
            return JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new EmbeddedException(
                    "the Connect worker's answer to %s is not JSON"
                            .formatted(response.request().uri()),
                    e);
        }
    }

    private static EmbeddedException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new EmbeddedException("interrupted while waiting for the Connect worker", e);
    }
}
