package io.hellogpt.once.schema;

import io.hellogpt.once.core.Attempts;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.EffectPlan;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.schema.avro.ProgressStatus;
import io.hellogpt.once.schema.avro.StoredProgress;
import io.hellogpt.once.schema.avro.StoredStep;
import java.util.List;
import java.util.Optional;

/** A plan and how far it has come, as it stands inside stored states. */
final class PlanFields {
    static final Symbols<Progress.Status, ProgressStatus> STATUSES =
            new Symbols<>("progress of an effect", Progress.Status.class, ProgressStatus.class);

    private PlanFields() {}

    static List<StoredStep> toAvro(EffectPlan plan) {
        return plan.steps().stream().map(PlanFields::toAvro).toList();
    }

    static EffectPlan toCore(List<StoredStep> steps) {
        return steps.isEmpty()
                ? EffectPlan.NONE
                : new EffectPlan(steps.stream().map(PlanFields::toCore).toList());
    }

    private static StoredStep toAvro(EffectStep step) {
        PlannedEffect planned = step.planned();
        StoredStep avro = new StoredStep();
        avro.setStep(step.step());
        avro.setName(planned.name());
        avro.setRoute(planned.route());
        avro.setStage(planned.stage());
        avro.setPayload(planned.payload());
        avro.setCompensation(planned.compensation().map(RequestFields::toAvro).orElse(null));
        avro.setPivot(planned.pivot());
        avro.setForward(toAvro(step.forward()));
        avro.setUndo(step.undo().map(PlanFields::toAvro).orElse(null));
        return avro;
    }

    private static EffectStep toCore(StoredStep avro) {
        PlannedEffect planned = new PlannedEffect(
                avro.getName(),
                avro.getRoute(),
                avro.getStage(),
                avro.getPayload(),
                Optional.ofNullable(avro.getCompensation()).map(RequestFields::toCore),
                avro.getPivot());
        return new EffectStep(
                avro.getStep(),
                planned,
                toCore(avro.getForward()),
                Optional.ofNullable(avro.getUndo()).map(PlanFields::toCore));
    }

    private static StoredProgress toAvro(Progress progress) {
        StoredProgress avro = new StoredProgress();
        avro.setStatus(STATUSES.avro(progress.status()));
        avro.setAttempt(progress.attempts().last());
        avro.setAttemptsBefore(progress.attempts().before());
        avro.setProbe(progress.attempts().probe());
        avro.setInDoubt(progress.attempts().inDoubt());
        avro.setSeveral(progress.attempts().several());
        avro.setRefused(progress.attempts().refused());
        avro.setDueAt(progress.dueAt().orElse(null));
        avro.setDetail(progress.detail().orElse(null));
        avro.setReference(progress.reference().orElse(null));
        avro.setCallbackIds(progress.callbacks());
        return avro;
    }

    private static Progress toCore(StoredProgress avro) {
        return new Progress(
                STATUSES.core(avro.getStatus()),
                new Attempts(
                        avro.getAttempt(),
                        avro.getAttemptsBefore(),
                        avro.getProbe(),
                        avro.getInDoubt(),
                        avro.getSeveral(),
                        avro.getRefused()),
                Optional.ofNullable(avro.getDueAt()),
                Optional.ofNullable(avro.getDetail()),
                Optional.ofNullable(avro.getReference()),
                avro.getCallbackIds());
    }
}
