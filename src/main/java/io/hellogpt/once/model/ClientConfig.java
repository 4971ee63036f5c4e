package io.hellogpt.once.model;

import io.hellogpt.once.core.ProtocolSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the keys of a client. Every message names the key as it is set, {@code model.openai.base.url}.
 *
 * @param client the client's name
 * @param values the keys under {@code model.<client>.}, without that prefix
 */
record ClientConfig(String client, Map<String, String> values) {
    /** Set by the application to the protocol's limit; see {@link ProtocolSettings#snapshotMaxBytes()}. */
    static final String SNAPSHOT_MAX_BYTES = "snapshot.max.bytes";

    /** File with a {@link PriceTable}; the built-in example when it is not set. */
    static final String PRICE_TABLE = "price.table";

    ClientConfig {
        values = Map.copyOf(values);
    }

    private String name(String key) {
        return "model." + client + "." + key;
    }

    Optional<String> text(String key) {
        return Optional.ofNullable(values.get(key)).map(String::strip).filter(value -> !value.isEmpty());
    }

    String required(String key, String meaning) {
        return text(key).orElseThrow(() -> new IllegalArgumentException(name(key) + " is not set: " + meaning));
    }

    Optional<Long> whole(String key) {
        return text(key).map(value -> {
            try {
                return Long.valueOf(value);
            } catch (NumberFormatException notANumber) {
                throw new IllegalArgumentException(
                        name(key) + " is '" + value + "'; it must be a whole number", notANumber);
            }
        });
    }

    Optional<Double> number(String key) {
        return text(key).map(value -> {
            try {
                return Double.valueOf(value);
            } catch (NumberFormatException notANumber) {
                throw new IllegalArgumentException(name(key) + " is '" + value + "'; it must be a number", notANumber);
            }
        });
    }

    /** A share of calls, 0 when it is not set. */
    double share(String key) {
        double share = number(key).orElse(0.0);
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException(name(key) + " is " + share + "; it must be between 0 and 1");
        }
        return share;
    }

    int snapshotMaxBytes() {
        return Math.toIntExact(whole(SNAPSHOT_MAX_BYTES)
                .orElse((long) ProtocolSettings.defaults().snapshotMaxBytes()));
    }

    PriceTable prices() {
        return text(PRICE_TABLE).map(file -> PriceTable.load(Path.of(file))).orElseGet(PriceTable::builtIn);
    }

    /** Names the keys only: a value may be a secret. */
    @Override
    public String toString() {
        return "ClientConfig" + values.keySet();
    }
}
