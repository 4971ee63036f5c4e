package io.hellogpt.once.ops;

import io.hellogpt.once.core.Fact;
import io.hellogpt.once.topology.FactObserver;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts what the stages decide: {@code once.facts} by {@code fact} and {@code detail}. A fact of a transaction that was aborted
 * counts again when it is redone, so these figures show load and health; what happened is told by the topics.
 */
final class FactMeters implements FactObserver {
    private final MeterRegistry meters;

    FactMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void applied(Fact fact) {
        meters.counter("once.facts", "fact", fact.getClass().getSimpleName(), "detail", detail(fact))
                .increment();
    }

    private static String detail(Fact fact) {
        return switch (fact) {
            case Fact.Save save -> save.next().status().name();
            case Fact.Log log -> log.event().type().name();
            case Fact.Ignore ignore -> ignore.reason().name();
            case Fact.Reject reject -> reject.rejection().reason().name();
            case Fact.Fail fail -> fail.state().failure().reason().name();
            case Fact.IssueEffect issue -> issue.effect().route();
            case Fact.Forget forgotten -> "";
            case Fact.RecordSnapshot recorded -> "";
            case Fact.Stash stashed -> "";
            case Fact.Unstash unstashed -> "";
            case Fact.Commit committed -> "";
            case Fact.AnswerDuplicate answered ->
                answered.duplicate().known().status().name();
            case Fact.StartCall started -> "";
            case Fact.CancelCall cancelled -> "";
        };
    }
}
