package io.hellogpt.once.ops.tracing;

import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;

import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.topology.OwnSpans;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The spans that one step of one request has ended. No prompt, answer or payload goes into them. */
final class StepSpans {
    private final Optional<RequestState> previous;
    private final RequestState next;
    private final Optional<Snapshot> snapshot;
    private final LifecycleEvent event;
    private final Duration outcomeTimeout;
    private final List<Spans.Told> told = new ArrayList<>();

    /**
     * @param snapshot recorded in this step
     * @param event the last one of the step; its time is the step's
     */
    StepSpans(Fact.Save save, Optional<Snapshot> snapshot, LifecycleEvent event, Duration outcomeTimeout) {
        this.previous = save.previous();
        this.next = save.next();
        this.snapshot = snapshot;
        this.event = event;
        this.outcomeTimeout = outcomeTimeout;
    }

    List<Spans.Told> told() {
        if (previous.isEmpty()) {
            receive();
        }
        previous.filter(Generating.class::isInstance)
                .map(Generating.class::cast)
                .ifPresent(this::callOver);
        snapshot.ifPresent(this::answered);
        previous.ifPresent(this::effects);
        if (next instanceof RequestState.Ended ended) {
            ended(ended);
        }
        return told;
    }

    private void receive() {
        Identity identity = next.identity();
        Attributes about = Attributes.of(
                stringKey("messaging.system"), "kafka",
                stringKey("messaging.destination.name"), identity.source().topic(),
                stringKey("messaging.destination.partition.id"),
                        Integer.toString(identity.source().partition()),
                longKey("messaging.kafka.offset"), identity.source().offset());
        tell("receive", "receive", SpanKind.INTERNAL, identity.receivedAt(), event.at(), about, Optional.empty());
    }

    /** A call that ended without the answer that counts. */
    private void callOver(Generating call) {
        boolean goesOn = next instanceof Generating now && now.attempt() == call.attempt();
        boolean answered = snapshot.filter(recorded -> recorded.attempt() == call.attempt())
                .isPresent();
        if (goesOn || answered) {
            return;
        }
        tell(
                OwnSpans.call(0, call.attempt()),
                "chat " + call.request().model(),
                SpanKind.CLIENT,
                call.call().startedAt(),
                event.at(),
                chat(call.request().model(), call.attempt()).build(),
                Optional.of(lower(event.type())));
    }

    private void answered(Snapshot recorded) {
        Answer answer = recorded.answer();
        String model = previous.filter(Generating.class::isInstance)
                .map(state -> ((Generating) state).request().model())
                .orElse(answer.model());
        tell(
                OwnSpans.call(recorded.turn(), recorded.attempt()),
                "chat " + model,
                SpanKind.CLIENT,
                answer.startedAt(),
                answer.finishedAt(),
                chat(model, recorded.attempt())
                        .put("gen_ai.provider.name", answer.provider())
                        .put("gen_ai.response.model", answer.model())
                        .put("gen_ai.usage.input_tokens", answer.usage().inputTokens())
                        .put("gen_ai.usage.output_tokens", answer.usage().outputTokens())
                        .build(),
                Optional.empty());
        Attributes effects = Attributes.of(
                longKey("once.effects"), (long) next.plan().steps().size());
        tell("decide", "decide", SpanKind.INTERNAL, answer.finishedAt(), event.at(), effects, Optional.empty());
    }

    private static AttributesBuilder chat(String model, int attempt) {
        return Attributes.builder()
                .put("gen_ai.operation.name", "chat")
                .put("gen_ai.request.model", model)
                .put("once.attempt", attempt);
    }

    private void effects(RequestState before) {
        for (EffectStep step : next.plan().steps()) {
            before.plan().step(step.step()).ifPresent(old -> {
                effect(step, false, old.forward(), step.forward());
                step.undo().ifPresent(undo -> old.undo().ifPresent(was -> effect(step, true, was, undo)));
            });
        }
    }

    private void effect(EffectStep step, boolean undo, Progress was, Progress now) {
        boolean over = was.status() == Progress.Status.ISSUED
                && (now.status() != Progress.Status.ISSUED || now.attempt() != was.attempt());
        if (!over) {
            return;
        }
        EffectId id = new EffectId(next.id(), 0, step.step(), undo);
        String route = undo
                ? step.planned().compensation().orElseThrow().route()
                : step.planned().route();
        Attributes about = Attributes.of(
                stringKey("once.effect_id"), id.toString(),
                stringKey("once.effect"), step.planned().name(),
                stringKey("once.route"), route,
                longKey("once.attempt"), (long) was.attempt(),
                stringKey("once.outcome"), lower(now.status()));
        tell(
                OwnSpans.effect(id, was.attempt()),
                "effect " + route,
                SpanKind.PRODUCER,
                was.dueAt().map(due -> due.minus(outcomeTimeout)).orElse(event.at()),
                event.at(),
                about,
                error(now.status()));
    }

    private static Optional<String> error(Progress.Status status) {
        return switch (status) {
            case SUCCEEDED, AWAITING_CALLBACK, WAITING, ISSUED, SKIPPED -> Optional.empty();
            case RETRYING, FAILED, UNKNOWN -> Optional.of(lower(status));
        };
    }

    private void ended(RequestState.Ended ended) {
        Optional<String> failure = ended instanceof Failed failed
                ? Optional.of(lower(failed.failure().reason()))
                : Optional.empty();
        tell("commit", "commit", SpanKind.INTERNAL, decidedAt(), ended.endedAt(), Attributes.empty(), failure);
        Attributes about = Attributes.of(
                stringKey("once.request_id"), ended.id().value(),
                stringKey("once.ending"), lower(ended.status()));
        Instant received = ended.identity().receivedAt();
        tell(OwnSpans.request(), "request", SpanKind.CONSUMER, received, ended.endedAt(), about, failure);
    }

    private Instant decidedAt() {
        return switch (previous.orElse(next)) {
            case Acknowledged acknowledged -> acknowledged.acknowledgedAt();
            case Held held -> held.heldAt();
            case RequestState other -> event.at();
        };
    }

    private void tell(
            String span,
            String name,
            SpanKind kind,
            Instant from,
            Instant to,
            Attributes about,
            Optional<String> error) {
        told.add(new Spans.Told(OwnSpans.spanId(next.identity(), span), name, kind, from, to, about, error));
    }

    private static String lower(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }
}
