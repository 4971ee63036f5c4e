package io.hellogpt.once.ops.tracing;

import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.TraceContext;
import io.hellogpt.once.topology.FactObserver;
import io.hellogpt.once.topology.Traces;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tells of each step of a request as spans: the request as a whole when it has ended, and below it receive, every model call,
 * decide, every attempt of an effect, and commit. All of it follows from facts and stored states, so it survives a crash with
 * them; a step that is redone tells the same spans again.
 */
final class RequestSpans implements FactObserver {
    private final Traces traces;
    private final Spans spans;
    private final Duration outcomeTimeout;

    RequestSpans(Traces traces, Spans spans, Duration outcomeTimeout) {
        this.traces = Objects.requireNonNull(traces, "traces");
        this.spans = Objects.requireNonNull(spans, "spans");
        this.outcomeTimeout = Objects.requireNonNull(outcomeTimeout, "outcomeTimeout");
    }

    /** A fact alone tells no span: what it began with stands in others of its step. */
    @Override
    public void applied(Fact fact) {}

    @Override
    public void appliedTogether(List<Fact> facts) {
        of(facts, Fact.Save.class)
                .reduce((earlier, last) -> last)
                .ifPresent(save -> traces.of(save.next().identity())
                        .filter(TraceContext::sampled)
                        .ifPresent(own -> tell(facts, save, own)));
    }

    private void tell(List<Fact> facts, Fact.Save save, TraceContext own) {
        Optional<LifecycleEvent> last =
                of(facts, Fact.Log.class).map(Fact.Log::event).reduce((earlier, later) -> later);
        Optional<Snapshot> snapshot = of(facts, Fact.RecordSnapshot.class)
                .map(Fact.RecordSnapshot::snapshot)
                .findFirst();
        last.ifPresent(event ->
                new StepSpans(save, snapshot, event, outcomeTimeout).told().forEach(span -> write(save, own, span)));
    }

    private void write(Fact.Save save, TraceContext own, Spans.Told span) {
        if (!span.id().equals(own.spanId())) {
            spans.below(own, span);
            return;
        }
        save.next()
                .identity()
                .trace()
                .ifPresentOrElse(sender -> spans.below(sender, span), () -> spans.first(own.traceId(), span));
    }

    private static <F extends Fact> Stream<F> of(List<Fact> facts, Class<F> kind) {
        return facts.stream().filter(kind::isInstance).map(kind::cast);
    }
}
