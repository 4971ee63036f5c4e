package io.hellogpt.once.topology;

import java.time.Duration;
import java.util.Objects;

/**
 * What the topology needs to know beside the protocol.
 *
 * @param router which partition a request belongs to
 * @param timerInterval how often the due timers are looked at
 * @param timerBatch how many timers of a kind fire, and how many waiting requests are dispatched, at one look; bounds how long the
 *     stream thread is away from its input
 * @param commitSpacing at low load a commit is asked for as soon as there is something to show, but not more often than this
 * @param maxRecordBytes largest record the output topics take
 * @param answers how the topics are written that producers and consumers read, {@link Topics#ANSWERS}
 */
public record TopologySettings(
        Router router,
        Duration timerInterval,
        int timerBatch,
        Duration commitSpacing,
        int maxRecordBytes,
        Encoding answers) {
    public TopologySettings {
        Objects.requireNonNull(router, "router");
        Objects.requireNonNull(timerInterval, "timerInterval");
        Objects.requireNonNull(commitSpacing, "commitSpacing");
        Objects.requireNonNull(answers, "answers");
    }

    /** How a record is written. */
    public enum Encoding {
        /** Avro single-object encoding: compact, evolvable, and what Java consumers decode fastest. */
        AVRO,
        /** A JSON object with the same fields: larger, and readable with any client. */
        JSON
    }

    /** The defaults, for a given router. */
    public static TopologySettings defaults(Router router) {
        return new TopologySettings(
                router, Duration.ofMillis(50), 500, Duration.ofMillis(10), 1_000_000, Encoding.AVRO);
    }
}
