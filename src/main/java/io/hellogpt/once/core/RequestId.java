package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * The identity a producer gives a request; two records with the same id ask for the same thing once.
 *
 * <p>Usually {@code <business prefix>-<UUID>}. Which strings are acceptable is configuration, see {@link RequestIdFormat}.
 *
 * @param value the id as it stands in the record, never empty
 */
public record RequestId(String value) implements Comparable<RequestId> {
    private static final int UUID_LENGTH = 36;
    private static final int TIME_ORDERED = 7;

    public RequestId {
        Objects.requireNonNull(value, "value");
        if (value.isEmpty()) {
            throw new IllegalArgumentException("a request_id is never empty");
        }
    }

    /**
     * The creation time inside a trailing UUID of version 7.
     *
     * @return the time, or empty when the id does not end in such a UUID (RFC 9562, section 5.7)
     */
    public Optional<Instant> embeddedTime() {
        if (value.length() < UUID_LENGTH) {
            return Optional.empty();
        }
        try {
            UUID uuid = UUID.fromString(value.substring(value.length() - UUID_LENGTH));
            return uuid.version() == TIME_ORDERED
                    ? Optional.of(Instant.ofEpochMilli(uuid.getMostSignificantBits() >>> 16))
                    : Optional.empty();
        } catch (IllegalArgumentException notAUuid) {
            return Optional.empty();
        }
    }

    @Override
    public int compareTo(RequestId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
