package io.hellogpt.once.ops;

import io.hellogpt.once.schema.HttpSchemaRegistry;
import io.hellogpt.once.schema.RequestDecoder;
import io.hellogpt.once.schema.SchemaRegistry;
import java.net.URI;
import java.util.Optional;

/** Which records are requests, by the configuration; the same rules for the topology, {@code submit} and {@code verify}. */
public final class RequestRules {
    private RequestRules() {}

    public static RequestDecoder decoder(OnceConfig config) {
        Optional<SchemaRegistry> registry = Optional.of(config.text(Settings.SCHEMA_REGISTRY_URL))
                .filter(url -> !url.isEmpty())
                .map(URI::create)
                .map(HttpSchemaRegistry::new);
        return new RequestDecoder(config.requestIds(), config.number(Settings.REQUEST_MAX_BYTES), registry);
    }
}
