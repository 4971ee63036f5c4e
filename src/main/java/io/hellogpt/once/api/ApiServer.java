package io.hellogpt.once.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.common.socket.SocketOptions;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server: knows who asks, holds clients to the limits, and turns what goes wrong into an answer. What each endpoint does is
 * handed in. One virtual thread per connection.
 */
public final class ApiServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);

    private final Access access;
    private final Limits limits;
    private final Watchdog watchdog = new Watchdog();
    private final WebServer server;

    /** @param port 0 for a free one */
    public record Address(String host, int port) {}

    /**
     * Starts listening.
     *
     * @param handlers one for every endpoint
     * @param pages further routes, which need no token
     * @throws IllegalArgumentException when an endpoint has no handler
     */
    public ApiServer(
            Address address,
            Limits limits,
            Access access,
            Map<Endpoint, Handler> handlers,
            Consumer<HttpRouting.Builder> pages) {
        this.access = access;
        this.limits = limits;
        requireAll(handlers);
        this.server = WebServer.builder()
                .host(address.host())
                .port(address.port())
                // Its own hook would stop the server first thing on SIGTERM, while a drain should still be visible.
                .shutdownHook(false)
                .maxTcpConnections(limits.connections())
                .idleConnectionTimeout(limits.clientTimeout())
                .idleConnectionPeriod(limits.clientTimeout())
                .connectionOptions(SocketOptions.builder()
                        .readTimeout(limits.clientTimeout())
                        .build())
                .addProtocol(Http1Config.builder()
                        .maxPrologueLength(limits.headerBytes())
                        .maxHeadersSize(limits.headerBytes())
                        .addReceiveListener(new HeaderDeadline(watchdog, limits.clientTimeout()))
                        .build())
                .directHandlers(directHandlers())
                .routing(routing -> route(routing, handlers, pages))
                .build()
                .start();
        if (!server.isRunning()) {
            watchdog.close();
            throw new IllegalArgumentException(
                    "port %d of %s cannot be listened on: is it in use? Choose another http.port"
                            .formatted(address.port(), address.host()));
        }
    }

    /** The port it listens on. */
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.stop();
        watchdog.close();
    }

    private static void requireAll(Map<Endpoint, Handler> handlers) {
        EnumSet<Endpoint> missing = EnumSet.allOf(Endpoint.class);
        missing.removeAll(handlers.keySet());
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("no handler for " + missing);
        }
    }

    private void route(
            HttpRouting.Builder routing, Map<Endpoint, Handler> handlers, Consumer<HttpRouting.Builder> pages) {
        for (Endpoint endpoint : Endpoint.values()) {
            Handler handler = handlers.get(endpoint);
            routing.route(
                    Method.create(endpoint.method()),
                    endpoint.path(),
                    (request, response) -> serve(endpoint, handler, request, response));
        }
        Map<String, String> allowed = Arrays.stream(Endpoint.values())
                .collect(Collectors.groupingBy(
                        Endpoint::path, Collectors.mapping(Endpoint::method, Collectors.joining(", "))));
        allowed.forEach(
                (path, methods) -> routing.any(path, (request, response) -> wrongMethod(methods, request, response)));
        pages.accept(routing);
        routing.any((request, response) ->
                answer(response, false, Problem.of(Problem.Kind.NOT_FOUND, "nothing is served under this path")));
    }

    private void serve(Endpoint endpoint, Handler handler, ServerRequest request, ServerResponse response) {
        boolean chat = endpoint == Endpoint.CHAT;
        Exchange exchange = null;
        try {
            Caller caller = admit(endpoint, request);
            exchange = new Exchange(request, response, caller, limits, watchdog);
            handler.handle(exchange);
        } catch (ProblemException refused) {
            answer(response, chat, refused.problem());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new CloseConnectionException("the server stops", stopping);
        } catch (CloseConnectionException | UncheckedIOException gone) {
            // The client does not read any more; nobody is left to tell.
            throw new CloseConnectionException("the client is gone", gone);
        } catch (RuntimeException unforeseen) {
            LOG.error("event=http_failed endpoint={} action=\"answered 500\"", endpoint, unforeseen);
            if (exchange != null && exchange.isCommitted()) {
                throw new CloseConnectionException("failed in the middle of the answer", unforeseen);
            }
            answer(response, chat, Problem.of(Problem.Kind.INTERNAL, "the instance's log says what happened"));
        }
    }

    private Caller admit(Endpoint endpoint, ServerRequest request) {
        Optional<Role> role = endpoint.role();
        if (role.isEmpty()) {
            return Caller.NOBODY;
        }
        Caller caller = access.identify(
                request.headers().first(HeaderNames.AUTHORIZATION),
                request.headers().first(HeaderNames.HOST));
        if (!caller.may(role.get())) {
            throw Problem.of(
                            Problem.Kind.FORBIDDEN,
                            "the token %s does not have the role %s"
                                    .formatted(caller.name(), role.get().word()))
                    .asException();
        }
        return caller;
    }

    private static void wrongMethod(String methods, ServerRequest request, ServerResponse response) {
        response.header(HeaderValues.create(HeaderNames.ALLOW, methods));
        answer(
                response,
                false,
                Problem.of(
                        Problem.Kind.METHOD_NOT_ALLOWED,
                        request.prologue().method().text() + " is not for this path; " + methods + " is"));
    }

    private static void answer(ServerResponse response, boolean chat, Problem problem) {
        problem.retryAfter()
                .ifPresent(wait -> response.header(
                        HeaderValues.create(HeaderNames.RETRY_AFTER, Long.toString(Math.max(1, wait.toSeconds())))));
        if (problem.kind() == Problem.Kind.UNAUTHENTICATED) {
            response.header(HeaderValues.create(HeaderNames.WWW_AUTHENTICATE, "Bearer"));
        }
        if (Body.endsConnection(problem)) {
            response.header(Body.close());
        }
        ObjectNode body = chat ? ChatError.of(problem) : problem.json();
        response.status(problem.kind().status())
                .header(HeaderValues.create(HeaderNames.CONTENT_TYPE, chat ? "application/json" : Problem.MEDIA_TYPE));
        response.send(body.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** What the server itself refuses, before there is a route: its own texts may quote the request. */
    private static DirectHandlers directHandlers() {
        DirectHandler plain = (request, type, status, headers, message) -> DirectHandler.TransportResponse.builder()
                .status(status)
                .headers(headers)
                .header(HeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE)
                .keepAlive(false)
                .entity("{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d}"
                        .formatted(status.reasonPhrase(), status.code()))
                .build();
        DirectHandlers.Builder all = DirectHandlers.builder();
        Arrays.stream(DirectHandler.EventType.values()).forEach(type -> all.addHandler(type, plain));
        return all.build();
    }
}
