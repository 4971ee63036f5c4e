package io.hellogpt.once.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.api.access.TokenFile;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.embedded.EmbeddedBroker;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.OnceRunner;
import io.hellogpt.once.ops.TopicAdmin;
import io.hellogpt.once.ops.TopicCatalogue;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;

/** A real broker and instances on it, with tokens and callbacks; there is no connector, its part is played by the test. */
final class ApiRig implements AutoCloseable {
    static final String SIGN_KEY = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    static final String OTHER_KEY = "C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

    private static final int PARTITIONS = 4;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final EmbeddedBroker broker;
    private final List<OnceRunner> instances = new ArrayList<>();
    private final Map<String, String> shared;
    private final OnceConfig config;

    private ApiRig(EmbeddedBroker broker, Map<String, String> shared) {
        this.broker = broker;
        this.shared = shared;
        this.config = OnceConfig.of(shared);
    }

    /** @param more settings of each instance; one instance for each */
    static ApiRig start(Path directory, List<Map<String, String>> more) throws IOException {
        return start(directory, EmbeddedBroker.create(directory), more);
    }

    /** @param broker not started yet; closed with the rig */
    static ApiRig start(Path directory, EmbeddedBroker broker, List<Map<String, String>> more) throws IOException {
        broker.start();
        Map<String, String> shared = shared(directory, broker);
        ApiRig rig = new ApiRig(broker, shared);
        try (TopicAdmin topics = new TopicAdmin(rig.config.admin(), TopicCatalogue.standard())) {
            topics.create(PARTITIONS, 1);
        }
        for (int i = 0; i < more.size(); i++) {
            Map<String, String> own = new TreeMap<>(shared);
            own.put("state.dir", directory.resolve("state-" + i).toString());
            own.putAll(more.get(i));
            rig.instances.add(OnceRunner.start(OnceConfig.of(own)));
        }
        rig.awaitReady();
        IntStream.range(0, more.size()).forEach(rig::awaitPartitions);
        return rig;
    }

    private static Map<String, String> shared(Path directory, EmbeddedBroker broker) throws IOException {
        Path tokens = Files.writeString(directory.resolve("tokens"), """
                sender %s submit
                reader %s read
                operator %s read,operate
                auditor %s read,payload
                """.formatted(
                        TokenFile.hash("sender"),
                        TokenFile.hash("reader"),
                        TokenFile.hash("operator"),
                        TokenFile.hash("auditor")));
        Path callbacks = Files.writeString(
                directory.resolve("callbacks.properties"),
                "sign.secrets = whsec_%s\nother.secrets = whsec_%s\n".formatted(SIGN_KEY, OTHER_KEY));
        return Map.ofEntries(
                Map.entry("bootstrap.servers", broker.address()),
                Map.entry("model.client", "simulated"),
                Map.entry("model.simulated.latency.base.ms", "300"),
                Map.entry("model.simulated.seed", "random"),
                Map.entry("billing.enabled", "false"),
                Map.entry("http.port", "0"),
                Map.entry("http.tokens.file", tokens.toString()),
                Map.entry("callbacks.file", callbacks.toString()),
                Map.entry("num.standby.replicas", "1"),
                Map.entry("num.stream.threads", "1"),
                // Else the second instance waits for its stores to be warm, and for a rebalance ten minutes later.
                Map.entry("kafka.streams.acceptable.recovery.lag", Long.toString(Long.MAX_VALUE)),
                Map.entry("shutdown.drain.timeout", "20s"),
                Map.entry("kafka.consumer.session.timeout.ms", "6000"),
                Map.entry("kafka.consumer.heartbeat.interval.ms", "1500"),
                Map.entry("state.dir", directory.resolve("state").toString()));
    }

    /** Both have partitions, and both know it. */
    private void awaitReady() {
        Awaitility.await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
            for (int i = 0; i < instances.size(); i++) {
                HttpResponse<String> ready =
                        send(request(i, "/health/ready", "").build());
                if (ready.statusCode() != 200) {
                    throw new AssertionError(ready.body());
                }
            }
        });
    }

    /** The instance takes part in the work: of many keys it holds some. */
    private void awaitPartitions(int instance) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .until(() -> IntStream.range(0, 20)
                        .mapToObj(key -> send(request(instance, "/v1/requests/probe-" + key, "reader")
                                .header("Once-Handed-On", "owner")
                                .build()))
                        .anyMatch(answer -> answer.statusCode() == 404));
    }

    OnceConfig config() {
        return config;
    }

    /** Ends an instance, and starts another one in its place; does not wait until that is ready. */
    void replace(int number, Map<String, String> more) {
        instances.get(number).close();
        Map<String, String> own = new TreeMap<>(shared);
        own.putAll(more);
        instances.set(number, OnceRunner.start(OnceConfig.of(own)));
    }

    OnceRunner instance(int number) {
        return instances.get(number);
    }

    HttpRequest.Builder request(int instance, String path, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + instances.get(instance).httpPort() + path))
                .timeout(Duration.ofSeconds(60));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(request.uri() + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    HttpClient client() {
        return client;
    }

    HttpResponse<String> get(int instance, String path, String token) {
        return send(request(instance, path, token).build());
    }

    HttpResponse<String> post(int instance, String path, String token, String body, String... headers) {
        HttpRequest.Builder request = request(instance, path, token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    HttpResponse<String> submit(int instance, String id, String body, String... headers) {
        String[] all = Arrays.copyOf(headers, headers.length + 2);
        all[headers.length] = "Idempotency-Key";
        all[headers.length + 1] = id;
        return post(instance, "/v1/requests", "sender", body, all);
    }

    JsonNode show(int instance, String id) {
        return json(get(instance, "/v1/requests/" + id, "reader"));
    }

    JsonNode awaitStatus(String id, String status) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> show(0, id), state -> state.path("status").asText().equals(status));
    }

    List<String> eventTypes(String id) {
        List<String> types = new ArrayList<>();
        json(get(0, "/v1/requests/" + id + "/events", "reader"))
                .path("events")
                .forEach(event -> types.add(event.path("type").asText()));
        return types;
    }

    static JsonNode json(HttpResponse<String> response) {
        try {
            return JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError(response.body(), e);
        }
    }

    /** A callback as a sender that follows Standard Webhooks makes it. */
    HttpResponse<String> callback(int instance, String effect, String key, String id, Instant at, String body) {
        return post(
                instance,
                "/v1/callbacks/" + effect,
                "",
                body,
                "webhook-id",
                id,
                "webhook-timestamp",
                Long.toString(at.getEpochSecond()),
                "webhook-signature",
                "v1," + hmac(key, id + "." + at.getEpochSecond() + "." + body));
    }

    static String hmac(String key, String content) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(content.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** Plays the connector. */
    void outcome(EffectOutcome outcome) throws Exception {
        produce(Topics.EFFECT_OUTCOMES, outcome.effectId().requestId().value(), Codecs.EFFECT_OUTCOME.encode(outcome));
    }

    /** Plays a producer, which no API tells that it has sent the same before. */
    void produce(String id, String body) throws Exception {
        String request = body.strip().replaceFirst("\\{", "{\"request_id\":\"" + id + "\",");
        produce(Topics.REQUESTS, id, request.getBytes(StandardCharsets.UTF_8));
    }

    private void produce(String topic, String id, byte[] value) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(config.producer())) {
            producer.send(new ProducerRecord<>(topic, id.getBytes(StandardCharsets.UTF_8), value))
                    .get();
        }
    }

    /** What the connector says of an attempt. */
    EffectOutcome said(String effect, int attempt, EffectOutcome.Result result, Optional<Instant> deadline) {
        EffectId id = EffectId.parse(effect);
        return new EffectOutcome(
                id,
                attempt,
                result,
                "said by the test",
                Optional.empty(),
                Optional.empty(),
                deadline,
                Instant.now(),
                Instant.parse(
                        show(0, id.requestId().value()).path("received_at").asText()),
                false);
    }

    @Override
    public void close() {
        client.close();
        instances.forEach(OnceRunner::close);
        broker.close();
    }
}
