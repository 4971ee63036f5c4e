package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.connect.Receiver;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The stage of the faults with a receiver that calls back, behind routes of three tempers. */
final class CallbackStage implements AutoCloseable {
    static final Duration BOUND = Duration.ofMinutes(2);
    /** An hour for the callback; nobody can ask the receiver. */
    static final String PATIENT = "patient";
    /** Two seconds for it. */
    static final String HASTY = "hasty";
    /** Two seconds, and the receiver can be asked. */
    static final String ASKED = "asked";

    static final String FORGERS_KEY = "C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    private static final String KEY = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    final Receiver receiver = new Receiver();
    private final FaultStage stage;
    private final OnceInstance instance;
    private final HttpClient http = HttpClient.newHttpClient();

    CallbackStage(Path dir) throws IOException {
        stage = new FaultStage(dir);
        Path callbacks = dir.resolve("callbacks.properties");
        Files.writeString(
                callbacks,
                Stream.of(PATIENT, HASTY, ASKED)
                        .map(route -> route + ".secrets = whsec_" + KEY + "\n")
                        .reduce("", String::concat));
        instance = stage.instance("a", Map.of("callbacks.file", callbacks.toString()));
        stage.start(routes());
    }

    private Map<String, String> routes() {
        Map<String, String> config = new HashMap<>(Map.of(
                "once.routes", String.join(",", PATIENT, HASTY, ASKED, EffectConnector.BILLING),
                "once.route.billing.class", "LOCAL",
                "once.route.billing.type", "billing",
                "once.route.patient.class", "OPAQUE",
                "once.route.patient.callback.timeout.ms", "3600000",
                "once.route.hasty.class", "OPAQUE",
                "once.route.hasty.callback.timeout.ms", "2000",
                "once.route.asked.class", "PROBEABLE",
                "once.route.asked.callback.timeout.ms", "2000"));
        config.put("once.route.asked.probe.settle.ms", "0");
        config.put("once.route.asked.probe.url", receiver.url() + "/known/{effect_id}");
        for (String route : List.of(PATIENT, HASTY, ASKED)) {
            config.put("once.route." + route + ".url", receiver.url() + "/" + route);
            config.put("once.route." + route + ".timeout.ms", "120000");
            config.put("once.route." + route + ".private.addresses", "true");
        }
        return config;
    }

    void send(String id, String route) {
        stage.send(List.of("""
                {"request_id":"%s","model":"m","input":"a contract","policy":"declared","effects":[{"name":"sign",\
                "route":"%s","payload":{}}]}""".formatted(id, route)));
    }

    int callback(String id, String event, String result) {
        return callback(KEY, id, event, result);
    }

    /** Calls back as Standard Webhooks has it, and says with what status that was answered. */
    int callback(String key, String id, String event, String result) {
        String effect = id + ":0.1";
        String body = "{\"effect_id\":\"%s\",\"result\":\"%s\",\"reference\":\"job-1\"}".formatted(effect, result);
        long at = Instant.now().getEpochSecond();
        HttpRequest request = HttpRequest.newBuilder(URI.create(instance.address() + "/v1/callbacks/" + effect))
                .header("Content-Type", "application/json")
                .header("webhook-id", event)
                .header("webhook-timestamp", Long.toString(at))
                .header("webhook-signature", "v1," + hmac(key, event + "." + at + "." + body))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            return http.send(request, BodyHandlers.ofString()).statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String hmac(String key, String content) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(content.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the receiver was asked about the effect of a request, by its own log. */
    List<Receiver.Call> calls(String id) {
        return receiver.calls().stream()
                .filter(call -> id.equals(call.header("X-Request-Id")))
                .toList();
    }

    /** Results of its effect in their topic. */
    List<String> results(String id) {
        return stage.read(Topics.EFFECT_OUTCOMES, id).stream()
                .filter(outcome -> outcome.path("effect_id").asText().equals(id + ":0.1"))
                .map(outcome -> outcome.path("result").asText())
                .toList();
    }

    List<ObjectNode> events(String id) {
        return stage.read(Topics.LIFECYCLE_EVENTS, id);
    }

    /** The topics a request has ended in, once for each ending. */
    List<String> endings(String id) {
        List<String> topics = new ArrayList<>();
        for (String topic : List.of(Topics.COMMITTED_RESULTS, Topics.FAILED_REQUESTS)) {
            stage.read(topic, id).forEach(ending -> topics.add(topic));
        }
        return topics;
    }

    void awaitCommitted(String id) {
        stage.awaitCommitted(id);
    }

    void atRest() {
        stage.atRest();
    }

    /** Runs the command in a process of its own against this stage, and returns what it printed. */
    String once(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                ChildSpec.ownClasspath(),
                OnceInstance.COMMAND));
        command.addAll(Arrays.asList(arguments));
        command.addAll(List.of(
                "-b", stage.broker.address(),
                "--ledger", stage.database.address(),
                "--ledger-user", EmbeddedDatabase.USER));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    @Override
    public void close() throws IOException {
        stage.close();
        receiver.close();
        http.close();
    }
}
