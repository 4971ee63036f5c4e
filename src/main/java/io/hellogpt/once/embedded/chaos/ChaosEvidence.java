package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.chaos.FaultLog.Incident;
import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.RequestRules;
import io.hellogpt.once.ops.Settings;
import io.hellogpt.once.ops.verify.Evidence;
import io.hellogpt.once.ops.verify.Evidence.Disturbance;
import io.hellogpt.once.ops.verify.KafkaEvidence;
import io.hellogpt.once.ops.verify.LedgerEvidence;
import io.hellogpt.once.ops.verify.LogEvidence;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** What a run has left behind: topics, ledger and the others' own logs. The log of faults says when calls may have been cut off. */
final class ChaosEvidence {
    /**
     * The consequences of a fault outlive it: until the cluster has missed a member, and its successor has restored its stores, a call
     * of the old one may be made again.
     */
    private static final Duration AFTERMATH = Duration.ofSeconds(15);

    private ChaosEvidence() {}

    static Evidence read(Rig rig, List<FaultRecord> faults, List<Incident> incidents) throws IOException, SQLException {
        OnceConfig config = rig.config();
        Evidence.Ledger ledger = LedgerEvidence.read(rig.database().address(), new Properties());
        try (CommittedReader reader = new CommittedReader(config.reader())) {
            KafkaEvidence topics = new KafkaEvidence(reader, RequestRules.decoder(config));
            Evidence.Work work = topics.work();
            Evidence.Intake intake = topics.intake();
            Evidence.Terms terms = new Evidence.Terms(
                    0,
                    0,
                    config.duration(Settings.DEDUP_RETENTION),
                    false,
                    topics.missing(),
                    disturbances(faults, incidents));
            Evidence.Logs logs =
                    LogEvidence.read(rig.receiverLogs(), List.of(rig.model().calls()));
            return new Evidence(intake, work, Optional.of(ledger), logs, terms);
        }
    }

    /** Only what may cut off a call, by the type of the fault. */
    static List<Disturbance> disturbances(List<FaultRecord> faults, List<Incident> incidents) {
        List<Disturbance> disturbances = new ArrayList<>();
        faults.stream()
                .filter(fault -> fault.type().mayRepeatCalls())
                .map(ChaosEvidence::disturbance)
                .forEach(disturbances::add);
        incidents.stream()
                .filter(Incident::repeatsCalls)
                .forEach(incident -> disturbances.add(new Disturbance(
                        "incident",
                        incident.at().minus(AFTERMATH),
                        incident.at().plus(AFTERMATH))));
        return disturbances;
    }

    /** How long a fault and its consequences last. */
    static Disturbance disturbance(FaultRecord fault) {
        return new Disturbance(
                fault.type().key(), fault.injected(), endOf(fault).plus(AFTERMATH));
    }

    private static Instant endOf(FaultRecord fault) {
        return fault.recovered().or(fault::healed).orElse(Instant.MAX.minus(AFTERMATH));
    }
}
