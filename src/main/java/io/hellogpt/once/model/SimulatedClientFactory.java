package io.hellogpt.once.model;

import java.time.Clock;
import java.util.Map;

/** Makes {@code simulated} clients: a model inside the process, for trying things without one. */
public final class SimulatedClientFactory implements ModelClientFactory {
    @Override
    public String name() {
        return "simulated";
    }

    @Override
    public ModelClient create(Map<String, String> config) {
        ClientConfig keys = new ClientConfig(name(), config);
        return new SimulatedClient(SimulatedSettings.of(keys), keys.prices(), Clock.systemUTC());
    }
}
