package io.hellogpt.once.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.ops.OnceRunner;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.awaitility.Awaitility;

/** A client of an instance's HTTP API, with the tokens "sender" and "operator". */
final class StackClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();

    HttpResponse<String> submit(OnceRunner once, String id, String route, String... headers) throws Exception {
        String[] all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = "Prefer";
        all[headers.length + 1] = "wait=60";
        return post(once, id, route, all);
    }

    HttpResponse<String> post(OnceRunner once, String id, String route, String... headers) throws Exception {
        String body = """
                {"model":"m","input":"a lease","policy":"declared","effects":[{"name":"act","route":"%s","payload":{}}]}""".formatted(route);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(once, "/v1/requests"))
                .timeout(Duration.ofSeconds(90))
                .header("Authorization", "Bearer sender")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", id)
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(OnceRunner once, String path, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(once, path));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    JsonNode show(OnceRunner once, String id) throws Exception {
        return JSON.readTree(get(once, "/v1/requests/" + id, "operator").body());
    }

    /** Where the one effect stands that is not billing. */
    String effect(OnceRunner once, String id) throws Exception {
        for (JsonNode effect : show(once, id).path("effects")) {
            if (effect.path("effect_id").asText().equals(id + ":0.1")) {
                return effect.path("status").asText();
            }
        }
        return "not there";
    }

    void awaitStatus(OnceRunner once, String id, String status) {
        Awaitility.await()
                .atMost(EffectRig.BOUND)
                .until(() -> show(once, id).path("status").asText(), status::equals);
    }

    static URI uri(OnceRunner once, String path) {
        return URI.create("http://127.0.0.1:" + once.httpPort() + path);
    }

    @Override
    public void close() {
        client.close();
    }
}
