package io.hellogpt.once.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;

/**
 * A registry that speaks Confluent's HTTP API. A schema never changes under its id, so what was found is kept for good; what
 * was not found is asked for again, since it may be registered any time.
 */
public final class HttpSchemaRegistry implements SchemaRegistry {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int SCHEMA_NOT_FOUND = 40403;

    private final URI base;
    private final HttpClient http;
    private final Map<Integer, Schema> found = new ConcurrentHashMap<>();

    /** @param base the registry's address; its path, if any, is kept */
    public HttpSchemaRegistry(URI base) {
        this.base = URI.create(base.toString().replaceAll("/+$", "") + "/");
        this.http = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
    }

    @Override
    public Optional<Schema> byId(int id) {
        Schema known = found.get(id);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<Schema> fetched = fetch(id);
        fetched.ifPresent(schema -> found.put(id, schema));
        return fetched;
    }

    private Optional<Schema> fetch(int id) {
        HttpResponse<byte[]> response = ask(id);
        JsonNode body = json(id, response.body());
        // Any server has a 404; only the registry's own says that the id is unknown and not that the address is wrong.
        if (response.statusCode() == NOT_FOUND && body.path("error_code").intValue() == SCHEMA_NOT_FOUND) {
            return Optional.empty();
        }
        if (response.statusCode() != OK || !body.path("schema").isTextual()) {
            throw new RegistryUnavailableException("the schema registry at %s answered %d for schema id %d; check its"
                            .formatted(base.getHost(), response.statusCode(), id)
                    + " address, credentials and health");
        }
        return standsAlone(body) ? parse(body.path("schema").textValue()) : Optional.empty();
    }

    private HttpResponse<byte[]> ask(int id) {
        HttpRequest request = HttpRequest.newBuilder(base.resolve("schemas/ids/" + id))
                .header("Accept", "application/vnd.schemaregistry.v1+json, application/json")
                .timeout(REQUEST_TIMEOUT)
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw unreachable(id, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(id, e);
        }
    }

    private RegistryUnavailableException unreachable(int id, Exception cause) {
        return new RegistryUnavailableException(
                "the schema registry at %s cannot be reached for schema id %d".formatted(base.getHost(), id), cause);
    }

    private JsonNode json(int id, byte[] body) {
        try {
            return StrictJson.parse(body);
        } catch (Refusal e) {
            throw new RegistryUnavailableException(
                    "what answers at %s for schema id %d is no schema registry".formatted(base.getHost(), id), e);
        }
    }

    private static boolean standsAlone(JsonNode body) {
        return "AVRO".equals(body.path("schemaType").asText("AVRO"))
                && body.path("references").isEmpty();
    }

    private static Optional<Schema> parse(String schema) {
        try {
            return Optional.of(new Schema.Parser().parse(schema));
        } catch (SchemaParseException notAvro) {
            return Optional.empty();
        }
    }
}
