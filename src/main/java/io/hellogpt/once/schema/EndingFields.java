package io.hellogpt.once.schema;

import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectPlan;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.schema.avro.CommittedResult;
import io.hellogpt.once.schema.avro.EffectSummary;
import io.hellogpt.once.schema.avro.FailedRequest;
import java.util.List;
import java.util.function.Predicate;

/** The two terminal records, as they stand on their topics and inside the answer to a duplicate. */
final class EndingFields {
    private EndingFields() {}

    static CommittedResult committed(io.hellogpt.once.core.CommittedResult result) {
        Committed state = result.state();
        Identity identity = state.identity();
        CommittedResult avro = new CommittedResult();
        avro.setRequestId(identity.id().value());
        avro.setFingerprint(identity.fingerprint().hex());
        avro.setSourceTopic(identity.source().topic());
        avro.setSourcePartition(identity.source().partition());
        avro.setSourceOffset(identity.source().offset());
        avro.setSnapshot(SnapshotCodec.toAvro(result.snapshot()));
        avro.setDecision(state.decision());
        avro.setEffects(summaries(identity.id(), state.plan(), step -> true));
        avro.setReceivedAt(identity.receivedAt());
        avro.setCommittedAt(state.endedAt());
        return avro;
    }

    static FailedRequest failed(Failed state) {
        Identity identity = state.identity();
        FailedRequest avro = new FailedRequest();
        avro.setRequestId(identity.id().value());
        avro.setFingerprint(identity.fingerprint().hex());
        avro.setSourceTopic(identity.source().topic());
        avro.setSourcePartition(identity.source().partition());
        avro.setSourceOffset(identity.source().offset());
        avro.setReason(state.failure().reason().name());
        avro.setDetail(state.failure().detail());
        avro.setSnapshotSha256(state.snapshot().orElse(null));
        avro.setEffects(
                summaries(identity.id(), state.plan(), step -> step.forward().status() != Progress.Status.WAITING));
        avro.setReceivedAt(identity.receivedAt());
        avro.setFailedAt(state.endedAt());
        return avro;
    }

    private static List<EffectSummary> summaries(RequestId id, EffectPlan plan, Predicate<EffectStep> which) {
        return plan.steps().stream()
                .filter(which)
                .map(step -> summary(id, step))
                .toList();
    }

    private static EffectSummary summary(RequestId id, EffectStep step) {
        EffectSummary avro = new EffectSummary();
        avro.setEffectId(new EffectId(id, 0, step.step(), false).toString());
        avro.setName(step.planned().name());
        avro.setRoute(step.planned().route());
        avro.setStatus(PlanFields.STATUSES.avro(step.forward().status()));
        avro.setAttempts(step.forward().attempt());
        avro.setReference(step.forward().reference().orElse(null));
        avro.setDetail(step.forward().detail().orElse(null));
        avro.setCompensation(
                step.undo().map(Progress::status).map(PlanFields.STATUSES::avro).orElse(null));
        return avro;
    }
}
