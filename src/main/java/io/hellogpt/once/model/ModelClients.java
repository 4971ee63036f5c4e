package io.hellogpt.once.model;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** Finds and assembles model clients. */
public final class ModelClients {
    private ModelClients() {}

    /**
     * The client the gateway calls: the one named, held to size and deadline, measured.
     *
     * @param name of a {@link ModelClientFactory}
     * @param config the keys under {@code model.<name>.}, without that prefix; {@code snapshot.max.bytes} and {@code price.table} among
     *     them
     * @throws IllegalArgumentException when there is no such client or a key is missing or invalid
     */
    public static ModelClient assemble(String name, Map<String, String> config, MeterRegistry meters, Clock clock) {
        int maxBytes = new ClientConfig(name, config).snapshotMaxBytes();
        ModelClient client = factory(name).create(config);
        client = new SizeLimitClient(client, maxBytes);
        client = new DeadlineClient(client, clock);
        return new MeteredClient(client, meters);
    }

    /** The names {@code model.client} can be set to, here. */
    public static List<String> names() {
        return ServiceLoader.load(ModelClientFactory.class).stream()
                .map(provider -> provider.get().name())
                .sorted()
                .toList();
    }

    private static ModelClientFactory factory(String name) {
        return ServiceLoader.load(ModelClientFactory.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(factory -> factory.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "model.client is '" + name + "'; there is no such client, only " + names()));
    }
}
