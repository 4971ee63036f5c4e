package io.hellogpt.once.ops;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks an instance over HTTP how it is. */
public final class InstanceHealth {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private InstanceHealth() {}

    /** Lines for people; an instance that does not answer is a line, not an exception. */
    public static List<String> ask(URI instance) throws InterruptedException {
        try (HttpClient client =
                HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            HttpRequest request = HttpRequest.newBuilder(instance.resolve("/health/ready"))
                    .timeout(PATIENCE)
                    .build();
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return lines(instance, new ObjectMapper().readTree(response.body()));
        } catch (IOException silent) {
            return List.of(instance + ": does not answer (" + silent.getClass().getSimpleName()
                    + "); is the instance running, and is this its http.host and http.port?");
        }
    }

    private static List<String> lines(URI instance, JsonNode health) {
        List<String> lines = new ArrayList<>();
        lines.add(instance + ": " + health.path("state").asText("UNKNOWN")
                + (health.path("ready").asBoolean() ? ", ready" : ", not ready"));
        health.path("reasons").forEach(reason -> lines.add("  because " + reason.asText()));
        return lines;
    }
}
