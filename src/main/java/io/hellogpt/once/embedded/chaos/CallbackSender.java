package io.hellogpt.once.embedded.chaos;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls back as Standard Webhooks has it, each time at the next instance. Safe for use by several threads. */
final class CallbackSender {
    /** What the instances are told to expect, as {@code callbacks.file} wants it. */
    static final String SECRET = "whsec_" + base64("the receivers of the chaos rig");

    private static final Logger LOG = LoggerFactory.getLogger(CallbackSender.class);
    private static final String FORGERS_SECRET = "whsec_" + base64("somebody else altogether");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String ALGORITHM = "HmacSHA256";

    private final List<URI> instances;
    private final AtomicInteger next = new AtomicInteger();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    /** What an instance says to one. */
    enum Answer {
        /** It is kept. */
        HEARD,
        /** It will never be. */
        REFUSED,
        /** Nobody knows; it must be sent again. */
        NOT_NOW
    }

    /** @param instances where callbacks are taken */
    CallbackSender(List<URI> instances) {
        this.instances = List.copyOf(instances);
    }

    /** The same event each time, signed anew. */
    Answer genuine(String effect, boolean carriedOut) throws InterruptedException {
        return send(effect, "event-" + effect, carriedOut, SECRET);
    }

    /** Good news, signed by somebody else. */
    Answer forged(String effect) throws InterruptedException {
        return send(effect, "forged-" + effect, true, FORGERS_SECRET);
    }

    private Answer send(String effect, String event, boolean carriedOut, String secret) throws InterruptedException {
        URI instance = instances.get(Math.floorMod(next.getAndIncrement(), instances.size()));
        String body = "{\"effect_id\":\"%s\",\"result\":\"%s\",\"reference\":\"%s\"}"
                .formatted(effect, carriedOut ? "succeeded" : "failed", event);
        long at = Instant.now().getEpochSecond();
        HttpRequest request = HttpRequest.newBuilder(instance.resolve("/v1/callbacks/" + effect))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .header("webhook-id", event)
                .header("webhook-timestamp", Long.toString(at))
                .header("webhook-signature", "v1," + signature(secret, event + "." + at + "." + body))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            Answer answer = answer(response.statusCode());
            if (answer == Answer.REFUSED && secret.equals(SECRET)) {
                LOG.warn(
                        "event=genuine_callback_refused effect_id={} instance={} status={} answer={}",
                        effect,
                        instance,
                        response.statusCode(),
                        response.body());
            }
            return answer;
        } catch (IOException unreachable) {
            return Answer.NOT_NOW;
        }
    }

    private static Answer answer(int status) {
        return switch (status) {
            case 200 -> Answer.HEARD;
            case 400, 401, 404, 409, 413 -> Answer.REFUSED;
            default -> Answer.NOT_NOW;
        };
    }

    private static String signature(String secret, String content) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("whsec_", "")), ALGORITHM));
            return Base64.getEncoder().encodeToString(mac.doFinal(content.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
