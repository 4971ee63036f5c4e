package io.hellogpt.once.embedded;

import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.RequestRules;
import io.hellogpt.once.ops.Settings;
import io.hellogpt.once.ops.verify.Evidence;
import io.hellogpt.once.ops.verify.KafkaEvidence;
import io.hellogpt.once.ops.verify.LedgerEvidence;
import io.hellogpt.once.ops.verify.LogEvidence;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** Everything a stack leaves behind from which the guarantees can be decided: topics, ledger, and the others' own logs. */
final class StackEvidence {
    private StackEvidence() {}

    /** @param crashes how many instances were killed, and so how many times calls may have been repeated */
    static Evidence read(Stack stack, int crashes) throws IOException, SQLException {
        OnceConfig config = stack.config();
        Evidence.Ledger ledger = LedgerEvidence.read(stack.database().address(), new Properties());
        try (CommittedReader reader = new CommittedReader(config.reader())) {
            KafkaEvidence topics = new KafkaEvidence(reader, RequestRules.decoder(config));
            Evidence.Work work = topics.work();
            Evidence.Intake intake = topics.intake();
            Evidence.Terms terms = new Evidence.Terms(
                    crashes,
                    config.number(Settings.MODEL_MAX_IN_FLIGHT),
                    config.duration(Settings.DEDUP_RETENTION),
                    false,
                    topics.missing());
            Evidence.Logs logs = LogEvidence.read(List.of(stack.receiversLog()), List.of(stack.modelLog()));
            return new Evidence(intake, work, Optional.of(ledger), logs, terms);
        }
    }
}
