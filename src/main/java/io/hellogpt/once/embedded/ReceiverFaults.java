package io.hellogpt.once.embedded;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.random.RandomGenerator;

/**
 * How often the simulated receivers misbehave. Each rate is a probability per request from 0 to 1; their sum is at most 1.
 *
 * @param error answers 500 and does nothing
 * @param reset does what was asked, then closes the connection without an answer
 * @param slow does what was asked and answers {@code slowMillis} later
 */
public record ReceiverFaults(
        double error,
        double reset,
        double slow,
        @JsonProperty("slow_millis") long slowMillis) {
    public static final ReceiverFaults NONE = new ReceiverFaults(0, 0, 0, 0);

    /** What happens to one request. */
    enum Fault {
        NONE,
        ERROR,
        RESET,
        SLOW
    }

    public ReceiverFaults {
        if (error < 0 || reset < 0 || slow < 0 || error + reset + slow > 1) {
            throw new IllegalArgumentException(
                    "fault rates must be at least 0 and at most 1 together, not error=%s reset=%s slow=%s"
                            .formatted(error, reset, slow));
        }
        if (slowMillis < 0) {
            throw new IllegalArgumentException("slow_millis must be at least 0, not " + slowMillis);
        }
    }

    Fault draw(RandomGenerator random) {
        double drawn = random.nextDouble();
        if (drawn < error) {
            return Fault.ERROR;
        }
        if (drawn < error + reset) {
            return Fault.RESET;
        }
        return drawn < error + reset + slow ? Fault.SLOW : Fault.NONE;
    }
}
