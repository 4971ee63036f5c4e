package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.chaos.FaultLog.Incident;
import io.hellogpt.once.ops.verify.Report;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Everything that is known of a run, for the report.
 *
 * @param setting how it was run
 * @param required types of faults that this machine allows
 */
record ChaosRun(
        ChaosSettings setting,
        Report verdict,
        Figures figures,
        Happened happened,
        List<FaultType> required,
        Limits limits) {
    ChaosRun {
        required = List.copyOf(required);
    }

    /**
     * What was done to it and how it took it.
     *
     * @param sent records handed to each producer
     * @param commands how often each command was applied and refused
     * @param callbacks how many orders were reported in each manner
     * @param missing requests without an ending, with the state they were seen in last
     * @param replayDifference how the replay of the run differs from it; empty when it is equal
     */
    record Happened(
            List<FaultRecord> faults,
            List<Incident> incidents,
            Duration longestStall,
            Map<String, Long> sent,
            Map<String, Long> commands,
            Map<String, Long> callbacks,
            Map<String, String> missing,
            Optional<String> replayDifference) {
        Happened {
            faults = List.copyOf(faults);
            incidents = List.copyOf(incidents);
            sent = new TreeMap<>(sent);
            commands = new TreeMap<>(commands);
            callbacks = new TreeMap<>(callbacks);
            missing = Map.copyOf(missing);
        }
    }

    /**
     * What this machine could not do.
     *
     * @param unavailable kinds of faults, and why
     * @param kcat whether one of the producers was librdkafka
     */
    record Limits(List<String> unavailable, boolean kcat) {
        Limits {
            unavailable = List.copyOf(unavailable);
        }
    }
}
