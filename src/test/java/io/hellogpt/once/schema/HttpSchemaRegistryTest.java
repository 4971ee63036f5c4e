package io.hellogpt.once.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpSchemaRegistryTest {
    private static final Schema SCHEMA = io.hellogpt.once.schema.avro.ModelRequest.getClassSchema();

    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer server;
    private HttpSchemaRegistry registry;
    private volatile int status = 200;
    private volatile String answer = schemaAnswer(SCHEMA.toString());
    private volatile String path;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.incrementAndGet();
            path = exchange.getRequestURI().getPath();
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        registry = new HttpSchemaRegistry(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/apis/ccompat/v7"));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aSchemaIsAskedForOnceAndKept() {
        assertThat(registry.byId(7)).contains(SCHEMA);
        assertThat(registry.byId(7)).contains(SCHEMA);
        assertThat(asked).hasValue(1);
        assertThat(path).isEqualTo("/apis/ccompat/v7/schemas/ids/7");
    }

    @Test
    void anUnknownIdIsEmptyAndIsAskedForAgain() {
        status = 404;
        answer = "{\"error_code\":40403,\"message\":\"Schema not found\"}";
        assertThat(registry.byId(7)).isEmpty();

        status = 200;
        answer = schemaAnswer(SCHEMA.toString());
        assertThat(registry.byId(7)).contains(SCHEMA);
    }

    @Test
    void aSchemaOfAnotherKindIsEmpty() {
        answer = "{\"schema\":\"syntax\",\"schemaType\":\"PROTOBUF\"}";
        assertThat(registry.byId(7)).isEmpty();

        answer = schemaAnswer("{\"type\":\"nonsense\"}");
        assertThat(registry.byId(8)).isEmpty();
    }

    @Test
    void theNotFoundOfAnotherServerIsNotAnUnknownId() {
        status = 404;
        for (String other : new String[] {"<html>not found</html>", "{}", "{\"error_code\":404}"}) {
            answer = other;
            assertThatThrownBy(() -> registry.byId(7)).isInstanceOf(RegistryUnavailableException.class);
        }
    }

    @Test
    void aRegistryInTroubleIsUnavailable() {
        for (int trouble : new int[] {401, 403, 500, 503}) {
            status = trouble;
            answer = "{\"error_code\":" + trouble + "}";
            assertThatThrownBy(() -> registry.byId(7))
                    .isInstanceOf(RegistryUnavailableException.class)
                    .hasMessageContaining(String.valueOf(trouble));
        }
    }

    @Test
    void aRegistryThatIsGoneIsUnavailable() {
        stop();

        assertThatThrownBy(() -> registry.byId(7))
                .isInstanceOf(RegistryUnavailableException.class)
                .hasCauseInstanceOf(IOException.class);
    }

    private static String schemaAnswer(String schema) {
        return JsonNodeFactory.instance.objectNode().put("schema", schema).toString();
    }
}
