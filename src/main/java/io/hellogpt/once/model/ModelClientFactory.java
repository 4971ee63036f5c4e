package io.hellogpt.once.model;

import java.util.Map;

/** Makes clients of one kind. Found by {@link java.util.ServiceLoader}; see {@link ModelClients}. */
public interface ModelClientFactory {
    /** What {@code model.client} is set to, to choose this kind. */
    String name();

    /**
     * @param config the keys under {@code model.<name>.}, without that prefix
     * @throws IllegalArgumentException when a value is missing or invalid; the message names the key
     */
    ModelClient create(Map<String, String> config);
}
