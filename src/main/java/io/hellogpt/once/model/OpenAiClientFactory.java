package io.hellogpt.once.model;

import java.time.Clock;
import java.util.Map;

/** Makes {@code openai} clients: any server that speaks the chat completions protocol. */
public final class OpenAiClientFactory implements ModelClientFactory {
    @Override
    public String name() {
        return "openai";
    }

    @Override
    public ModelClient create(Map<String, String> config) {
        ClientConfig keys = new ClientConfig(name(), config);
        return new OpenAiClient(
                OpenAiSettings.of(keys), keys.prices(), keys.snapshotMaxBytes(), System::getenv, Clock.systemUTC());
    }
}
