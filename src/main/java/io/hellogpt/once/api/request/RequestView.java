package io.hellogpt.once.api.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.RequestLookup.Known;
import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.CallHistory;
import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.Compensating;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectPlan;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Failure;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/** One request as JSON: its state, attempts, effects, times and links. Payloads only where they are asked for. */
final class RequestView {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Known known;
    private final boolean payloads;
    private final ObjectNode view = JSON.objectNode();

    private RequestView(Known known, boolean payloads) {
        this.known = known;
        this.payloads = payloads;
    }

    /** @param payloads with prompt, answer and what effects carry */
    static ObjectNode of(Known known, boolean payloads) {
        return new RequestView(known, payloads).build();
    }

    /** What can be said of a request that is only known to be acknowledged. */
    static ObjectNode acknowledged(RequestId id, Fingerprint fingerprint, Optional<RequestState> state) {
        ObjectNode view = JSON.objectNode();
        view.put("request_id", id.value());
        view.put("status", state.map(at -> at.status().name()).orElse("ACKNOWLEDGED_BY_LOG"));
        view.put("fingerprint", fingerprint.hex());
        links(view, id);
        return view;
    }

    static String path(RequestId id) {
        return "/v1/requests/" + URLEncoder.encode(id.value(), StandardCharsets.UTF_8);
    }

    private static void links(ObjectNode view, RequestId id) {
        view.putObject("links").put("self", path(id)).put("events", path(id) + "/events");
    }

    private ObjectNode build() {
        Identity identity = known.state().identity();
        view.put("request_id", identity.id().value());
        view.put("status", known.state().status().name());
        view.put("fingerprint", identity.fingerprint().hex());
        view.put("source", identity.source().toString());
        time("received_at", Optional.of(identity.receivedAt()));
        time("deadline", identity.deadline());
        state(known.state());
        known.snapshot().ifPresent(this::answer);
        links(view, identity.id());
        return view;
    }

    private void state(RequestState state) {
        switch (state) {
            case Pending pending -> {
                attempts(pending.history());
                time("next_attempt_at", Optional.of(pending.dueAt()));
                request(pending.request());
            }
            case Generating generating -> {
                attempts(generating.history());
                time("call_started_at", Optional.of(generating.call().startedAt()));
                time("call_deadline", Optional.of(generating.call().deadline()));
                view.put("caller", generating.call().caller());
                request(generating.request());
            }
            case Acknowledged acknowledged -> {
                view.put("decision", acknowledged.decision());
                time("acknowledged_at", Optional.of(acknowledged.acknowledgedAt()));
                effects(acknowledged.plan());
            }
            case Held held -> held(held);
            case Compensating compensating -> {
                failure(compensating.failure());
                effects(compensating.plan());
            }
            case Committed committed -> {
                view.put("decision", committed.decision());
                ended(committed);
            }
            case Failed failed -> {
                failure(failed.failure());
                ended(failed);
            }
        }
    }

    private void held(Held held) {
        view.putObject("hold")
                .put("reason", held.hold().reason().name())
                .put("detail", held.hold().detail())
                .put("since", held.heldAt().toString());
        held.hold().failure().ifPresent(this::failure);
        held.request().ifPresent(this::request);
        effects(held.plan());
    }

    private void ended(RequestState.Ended ended) {
        time("ended_at", Optional.of(ended.endedAt()));
        time("forgotten_at", Optional.of(ended.expiresAt()));
        effects(ended.plan());
    }

    private void attempts(CallHistory history) {
        view.put("attempts", history.calls());
        view.put("failed_attempts", history.failures());
        history.lastError().ifPresent(error -> view.put("last_error", error));
    }

    private void failure(Failure failure) {
        view.putObject("failure").put("reason", failure.reason().name()).put("detail", failure.detail());
    }

    private void answer(Snapshot snapshot) {
        view.put("attempts", snapshot.attempt());
        ObjectNode answer = view.putObject("answer");
        answer.put("model", snapshot.answer().model());
        answer.put("provider", snapshot.answer().provider());
        answer.put("attempt", snapshot.attempt());
        answer.put("sha256", snapshot.sha256());
        answer.put("started_at", snapshot.answer().startedAt().toString());
        answer.put("finished_at", snapshot.answer().finishedAt().toString());
        answer.put("input_tokens", snapshot.answer().usage().inputTokens());
        answer.put("output_tokens", snapshot.answer().usage().outputTokens());
        answer.put("cost_nanos", snapshot.answer().cost().nanos());
        answer.put("currency", snapshot.answer().cost().currency());
        if (payloads) {
            answer.put("content_type", snapshot.answer().contentType());
            answer.set("body", json(new String(snapshot.answer().body(), StandardCharsets.UTF_8)));
        }
    }

    private void request(ModelRequest request) {
        if (payloads) {
            ObjectNode shown = view.putObject("request");
            shown.put("model", request.model());
            shown.put("policy", request.policy());
            shown.set("messages", json(request.messages()));
            shown.set("parameters", json(request.parameters()));
        }
    }

    private void effects(EffectPlan plan) {
        for (EffectStep step : plan.steps()) {
            EffectId id = new EffectId(known.state().id(), 0, step.step(), false);
            ObjectNode effect = view.withArray("effects").addObject();
            effect.put("effect_id", id.toString());
            effect.put("name", step.planned().name());
            effect.put("route", step.planned().route());
            effect.put("stage", step.planned().stage());
            effect.put("pivot", step.planned().pivot());
            progress(effect, step.forward());
            if (payloads) {
                effect.set("payload", json(step.planned().payload()));
            }
            step.undo().ifPresent(undo -> {
                ObjectNode compensation = effect.putObject("compensation");
                compensation.put("effect_id", id.compensation().toString());
                progress(compensation, undo);
            });
        }
    }

    private static void progress(ObjectNode effect, Progress progress) {
        effect.put("status", progress.status().name());
        effect.put("attempt", progress.attempt());
        progress.dueAt().ifPresent(due -> effect.put("due_at", due.toString()));
        progress.detail().ifPresent(detail -> effect.put("detail", detail));
        progress.reference().ifPresent(reference -> effect.put("reference", reference));
        if (progress.attempts().inDoubt()) {
            effect.put("in_doubt", true);
        }
    }

    private void time(String name, Optional<Instant> time) {
        time.ifPresent(at -> view.put(name, at.toString()));
    }

    /** Text that is no JSON, such as a custom model's answer, is shown as text. */
    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException notJson) {
            return JSON.textNode(text);
        }
    }
}
