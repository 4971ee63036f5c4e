package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.chaos.FaultLog.Incident;
import io.hellogpt.once.ops.verify.Report;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
     * @param operatorCommands how often a person had to help
     * @param missing requests without an ending, with the state they were seen in last
     * @param replayDifference how the replay of the run differs from it; empty when it is equal
     */
    record Happened(
            List<FaultRecord> faults,
            List<Incident> incidents,
            Duration longestStall,
            int operatorCommands,
            Map<String, String> missing,
            Optional<String> replayDifference) {
        Happened {
            faults = List.copyOf(faults);
            incidents = List.copyOf(incidents);
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
