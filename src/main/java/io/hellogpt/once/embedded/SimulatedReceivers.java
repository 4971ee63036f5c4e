package io.hellogpt.once.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.hellogpt.once.embedded.ReceiverDesk.Desk;
import io.hellogpt.once.embedded.ReceiverDesk.Reply;
import io.hellogpt.once.embedded.ReceiverDesk.Visit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;

/**
 * The outside world that effects act on, over real HTTP: a receiver for each class of effect. They misbehave as told, and log every
 * request, see {@link ReceiverLog}.
 *
 * <p>The first three want an {@code Idempotency-Key}, quoted or bare, and act once per key: the same key again gets the same answer
 * and {@code Idempotent-Replayed: true}, the same key with another body gets 422. The next two know an effect by its
 * {@code X-Effect-Id} and act each time they are told to; of one of them it can be asked whether it did. The next one takes an order, and
 * leaves it to whoever reads the log to carry it out and to call back. The last one refuses.
 *
 * <pre>
 * POST /contracts/sign         201 {"id": ...}
 * POST /contracts/revoke       201 {"id": ...}
 * POST /notify                 201 {"id": ...}
 * POST /charges                201 {"id": ...}
 * GET  /charges/{effect_id}    200 {"id": ...} or 404
 * POST /mail                   201 {"id": ...}
 * POST /orders                 202 {"id": ...}
 * POST /contracts/impossible   422
 * POST /admin/faults     {"error": 0.05, "reset": 0.02, "slow": 0.1, "slow_millis": 300}, see {@link ReceiverFaults}
 * GET  /admin/faults
 * </pre>
 */
public final class SimulatedReceivers implements AutoCloseable {
    public static final String SIGN = "/contracts/sign";
    public static final String NOTIFY = "/notify";
    public static final String REVOKE = "/contracts/revoke";
    public static final String CHARGES = "/charges";
    public static final String MAIL = "/mail";
    public static final String ORDERS = "/orders";
    public static final String IMPOSSIBLE = "/contracts/impossible";
    public static final String FAULTS = "/admin/faults";

    private static final HeaderName IDEMPOTENCY_KEY = HeaderNames.create("Idempotency-Key");
    private static final HeaderName EFFECT_ID = HeaderNames.create("X-Effect-Id");
    private static final HeaderName REPLAYED = HeaderNames.create("Idempotent-Replayed");
    private static final HeaderName REQUEST_ID = HeaderNames.create("X-Request-Id");
    private static final long MAX_BODY = 16 * 1024 * 1024L;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final WebServer server;

    private SimulatedReceivers(WebServer server) {
        this.server = server;
    }

    /**
     * Starts both on loopback. Keys that an existing log says were executed stay executed.
     *
     * @param port 0 for any
     * @param seed of the faults' dice
     */
    public static SimulatedReceivers start(int port, Path log, ReceiverFaults faults, long seed) {
        return start(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), log, faults, seed);
    }

    /** As above, but listening elsewhere than on loopback: a container's port is published only then. */
    public static SimulatedReceivers start(InetSocketAddress address, Path log, ReceiverFaults faults, long seed) {
        ReceiverDesk desk = new ReceiverDesk(new ReceiverLog(log), faults, seed);
        WebServer server = WebServer.builder()
                .address(address.getAddress())
                .port(address.getPort())
                .maxPayloadSize(MAX_BODY)
                .shutdownHook(false)
                .routing(routing -> route(routing, desk))
                .build()
                .start();
        return new SimulatedReceivers(server);
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.stop();
    }

    private static void route(HttpRouting.Builder routing, ReceiverDesk desk) {
        Map.of(
                        SIGN, Desk.SIGN,
                        NOTIFY, Desk.NOTIFY,
                        REVOKE, Desk.REVOKE,
                        CHARGES, Desk.CHARGE,
                        MAIL, Desk.MAIL,
                        ORDERS, Desk.ORDER,
                        IMPOSSIBLE, Desk.REFUSE)
                .forEach((path, at) -> routing.post(path, (request, response) -> receive(desk, at, request, response)));
        routing.get(
                        CHARGES + "/{effect}",
                        (request, response) -> answer(
                                desk.probe(
                                        CHARGES, request.path().pathParameters().get("effect")),
                                response))
                .get(FAULTS, (request, response) -> response.send(JSON.writeValueAsBytes(desk.faults())))
                .post(FAULTS, (request, response) -> setFaults(desk, request, response));
    }

    private static void receive(ReceiverDesk desk, Desk at, ServerRequest request, ServerResponse response) {
        byte[] body = request.content().hasEntity() ? request.content().as(byte[].class) : new byte[0];
        Visit visit = new Visit(
                at,
                request.path().path(),
                request.headers().first(at.isKeyed() ? IDEMPOTENCY_KEY : EFFECT_ID),
                request.headers().first(REQUEST_ID),
                body);
        answer(desk.receive(visit), response);
    }

    private static void answer(Reply reply, ServerResponse response) {
        switch (reply) {
            case Reply.Answer answer -> {
                if (answer.replayed()) {
                    response.header(REPLAYED, "true");
                }
                response.status(Status.create(answer.status()))
                        .header(HeaderNames.CONTENT_TYPE, "application/json")
                        .send(answer.body());
            }
            case Reply.HangUp hangUp -> throw new CloseConnectionException("told to reset");
        }
    }

    private static void setFaults(ReceiverDesk desk, ServerRequest request, ServerResponse response) {
        try {
            desk.setFaults(JSON.readValue(request.content().as(byte[].class), ReceiverFaults.class));
            response.status(Status.NO_CONTENT_204).send();
        } catch (JsonProcessingException e) {
            response.status(Status.BAD_REQUEST_400).send(e.getOriginalMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
