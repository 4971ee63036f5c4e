package io.hellogpt.once.schema;

import io.hellogpt.once.core.ModelRequest;
import java.nio.charset.StandardCharsets;

/** Writes requests, for the API, the demo and tests. What it writes {@link RequestDecoder} reads back to the same request. */
public final class RequestEncoder {
    private static final SingleObject<io.hellogpt.once.schema.avro.ModelRequest> WIRE =
            new SingleObject<>(io.hellogpt.once.schema.avro.ModelRequest.getClassSchema());

    private RequestEncoder() {}

    /** Avro single-object encoding. */
    public static byte[] avro(ModelRequest request) {
        return WIRE.encode(RequestFields.toAvro(request));
    }

    /**
     * The JSON form, in UTF-8.
     *
     * @throws IllegalArgumentException when one of the request's JSON texts is not JSON
     */
    public static byte[] json(ModelRequest request) {
        try {
            return CanonicalJson.text(RequestJson.of(RequestFields.toAvro(request)))
                    .getBytes(StandardCharsets.UTF_8);
        } catch (Refusal e) {
            throw new IllegalArgumentException("request " + request.id() + ": " + e.getMessage(), e);
        }
    }
}
