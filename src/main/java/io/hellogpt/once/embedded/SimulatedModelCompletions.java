package io.hellogpt.once.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.hellogpt.once.model.SimulatedCompletion;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Answers calls: draws a fault or an answer, logs the call, waits as long as a model would, sends. */
final class SimulatedModelCompletions implements Handler {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HeaderName REQUEST_ID = HeaderNames.create("X-Client-Request-Id");
    private static final HeaderName IDEMPOTENCY_KEY = HeaderNames.create("Idempotency-Key");
    private static final int LARGE_BYTES = 50 * 1024 * 1024;

    private final SimulatedModelConfig config;
    private final SimulatedModelLog log;
    /** Hands each call a generator of its own; itself safe for use by several threads. */
    private final Random seeds;

    private final SimulatedModelHold hold = new SimulatedModelHold();
    private volatile SimulatedModelFaults faults;

    SimulatedModelCompletions(SimulatedModelConfig config, SimulatedModelLog log) {
        this.config = config;
        this.log = log;
        this.faults = config.faults();
        this.seeds = config.seed().isPresent() ? new Random(config.seed().getAsLong()) : new Random();
    }

    SimulatedModelFaults faults() {
        return faults;
    }

    void misbehave(SimulatedModelFaults other) {
        faults = other;
    }

    SimulatedModelHold hold() {
        return hold;
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) throws IOException {
        SimulatedModelFaults now = faults;
        RandomGenerator random = new SplittableRandom(seeds.nextLong());
        JsonNode asked;
        try {
            asked = JSON.readTree(request.content().as(byte[].class));
        } catch (JsonProcessingException notJson) {
            send(response, 400, error("invalid_json"));
            return;
        }
        Optional<SimulatedModelFault> fault = now.at(random.nextDouble());
        SimulatedCompletion completion =
                SimulatedCompletion.of(asked, config.latency().medianTokens(), random);
        log(request, fault, completion);
        response.header("x-request-id", completion.body().path("id").asText());
        if (fault.isEmpty()) {
            awaitRelease(request);
            pause(config.latency().of(completion.usage().outputTokens()));
            send(response, 200, completion.bytes());
            return;
        }
        misbehave(fault.get(), now, response, completion);
    }

    private void misbehave(
            SimulatedModelFault fault,
            SimulatedModelFaults now,
            ServerResponse response,
            SimulatedCompletion completion)
            throws IOException {
        switch (fault) {
            case UNAUTHORIZED -> send(response, 401, error("invalid_api_key"));
            case SERVER_ERROR -> send(response, 500, error("internal_error"));
            case REJECTED -> send(response, 400, error("invalid_request"));
            case RATE_LIMITED -> {
                response.header("Retry-After", Long.toString(now.retryAfter().toSeconds()));
                send(response, 429, error("rate_limit_exceeded"));
            }
            case TIMEOUT -> {
                pause(now.hang());
                throw new CloseConnectionException("simulated: no answer");
            }
            case CUT_JSON -> {
                byte[] whole = completion.bytes();
                send(response, 200, Arrays.copyOf(whole, whole.length / 2));
            }
            case REFUSED -> {
                ((ObjectNode) completion.body().path("choices").path(0)).put("finish_reason", "content_filter");
                send(response, 200, completion.bytes());
            }
            case TRUNCATED -> truncated(response, completion.bytes());
            case TOO_LARGE -> large(response);
        }
    }

    private void awaitRelease(ServerRequest request) {
        try {
            hold.await(
                    request.headers().first(REQUEST_ID).orElse(""),
                    attempt(request.headers().first(IDEMPOTENCY_KEY).orElse("")));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new CloseConnectionException("simulated: the server stops", stopping);
        }
    }

    /** Ends early, with the connection, when the server stops. */
    private static void pause(Duration length) {
        try {
            Thread.sleep(length);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new CloseConnectionException("simulated: the server stops", stopping);
        }
    }

    private static void truncated(ServerResponse response, byte[] whole) throws IOException {
        response.header("Content-Type", "application/json");
        response.header("Content-Length", Integer.toString(whole.length));
        OutputStream body = response.outputStream();
        body.write(whole, 0, whole.length / 2);
        body.flush();
        throw new CloseConnectionException("simulated: closed in the middle of the body");
    }

    private static void large(ServerResponse response) throws IOException {
        response.header("Content-Type", "application/json");
        byte[] filler = " ".repeat(64 * 1024).getBytes(StandardCharsets.US_ASCII);
        try (OutputStream body = response.outputStream()) {
            for (int sent = 0; sent < LARGE_BYTES; sent += filler.length) {
                body.write(filler);
            }
            body.write("{}".getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static void send(ServerResponse response, int status, byte[] body) {
        response.status(status);
        response.header("Content-Type", "application/json");
        response.send(body);
    }

    private static byte[] error(String code) {
        ObjectNode body = JSON.createObjectNode();
        body.putObject("error").put("code", code).put("message", "simulated");
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void log(ServerRequest request, Optional<SimulatedModelFault> fault, SimulatedCompletion completion) {
        boolean answered = fault.isEmpty();
        log.append(new SimulatedModelCall(
                Instant.now(),
                request.headers().first(REQUEST_ID).orElse(""),
                attempt(request.headers().first(IDEMPOTENCY_KEY).orElse("")),
                fault.map(SimulatedModelFault::status).orElse(200),
                fault,
                answered ? Optional.of(sha256(completion.bytes())) : Optional.empty(),
                answered ? completion.usage().inputTokens() : 0,
                answered ? completion.usage().outputTokens() : 0));
    }

    private static int attempt(String idempotencyKey) {
        String last = idempotencyKey.substring(idempotencyKey.lastIndexOf(':') + 1);
        return last.matches("\\d{1,9}") ? Integer.parseInt(last) : 0;
    }

    private static String sha256(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
