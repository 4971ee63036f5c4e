package io.hellogpt.once.replay.docs;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.Usage;
import io.hellogpt.once.replay.Output;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A path being played through the real topology, and the sequence diagram of what it did. Every arrow to and from {@code once} is
 * a record that was read or written; nothing is drawn that did not happen.
 */
final class Scene implements AutoCloseable {
    private final StringBuilder diagram = new StringBuilder("sequenceDiagram\n    participant P as producer\n"
            + "    participant O as once\n    participant M as model\n    participant C as sink connector\n"
            + "    participant R as consumers\n");
    private final SceneTask task;
    private final List<ModelCall> calls = new ArrayList<>();
    private final List<Effect> effects = new ArrayList<>();
    private final List<byte[]> unread = new ArrayList<>();

    Scene(Path dir) {
        this.task = new SceneTask(dir, new SceneTask.Calls() {
            @Override
            public void started(ModelCall call) {
                calls.add(call);
                diagram.append("    O->>M: call ").append(call.attempt()).append('\n');
            }

            @Override
            public void givenUp() {
                diagram.append("    Note over M: the call is given up\n");
            }
        });
        readsBarrier();
    }

    boolean hasBegun() {
        return !calls.isEmpty();
    }

    Scene note(String text) {
        diagram.append("    Note over O: ").append(text).append('\n');
        return this;
    }

    Scene request(String json) {
        diagram.append("    P->>O: requests\n");
        written(task.read(Topics.REQUESTS, json.getBytes(StandardCharsets.UTF_8)));
        return this;
    }

    Scene answers(String body) {
        ModelCall call = calls.get(calls.size() - 1);
        diagram.append("    M-->>O: answer, written to model-responses\n");
        written(task.read(
                Topics.MODEL_RESPONSES,
                Codecs.JOURNAL.encode(new JournalRecord.Answered(
                        call.id(), 0, call.attempt(), call.requestReceivedAt(), answer(body)))));
        return this;
    }

    Scene fails(int status) {
        ModelCall call = calls.get(calls.size() - 1);
        diagram.append("    M-->>O: status ").append(status).append(", written to model-responses\n");
        written(task.read(
                Topics.MODEL_RESPONSES,
                Codecs.JOURNAL.encode(new JournalRecord.CallFailed(
                        call.id(),
                        0,
                        call.attempt(),
                        call.requestReceivedAt(),
                        new CallError(CallError.Kind.RETRYABLE, "status " + status, Optional.empty()),
                        task.now()))));
        return this;
    }

    /** The answer reaches the journal, and the process dies before it reads it. */
    Scene answersUnread(String body) {
        ModelCall call = calls.get(calls.size() - 1);
        diagram.append("    M-->>O: answer, written to model-responses, not read yet\n");
        unread.add(Codecs.JOURNAL.encode(
                new JournalRecord.Answered(call.id(), 0, call.attempt(), call.requestReceivedAt(), answer(body))));
        return this;
    }

    /** The process dies; another one restores the task from its changelogs. */
    Scene crash() {
        diagram.append("    Note over O: killed, another process takes over and writes a barrier\n");
        task.restart();
        for (byte[] journaled : unread) {
            diagram.append("    Note over O: reads the answer from the journal\n");
            written(task.read(Topics.MODEL_RESPONSES, journaled));
        }
        unread.clear();
        diagram.append("    Note over O: reads its barrier, every answer journaled before is in\n");
        written(readsBarrier());
        return this;
    }

    private List<Output> readsBarrier() {
        return task.read(Topics.MODEL_RESPONSES, Codecs.JOURNAL.encode(new JournalRecord.Barrier(task.openBarrier(0))));
    }

    Scene outcome(String effect, EffectOutcome.Result result) {
        Effect issued = effects.stream()
                .filter(each -> each.name().equals(effect))
                .reduce((first, second) -> second)
                .orElseThrow();
        diagram.append("    C-->>O: effect-outcomes: ")
                .append(effect)
                .append(' ')
                .append(result)
                .append('\n');
        written(task.read(
                Topics.EFFECT_OUTCOMES,
                Codecs.EFFECT_OUTCOME.encode(new EffectOutcome(
                        issued.id(),
                        issued.attempt(),
                        result,
                        "status " + result,
                        Optional.empty(),
                        Optional.empty(),
                        result == EffectOutcome.Result.AWAITING_CALLBACK
                                ? Optional.of(task.now().plus(Duration.ofHours(1)))
                                : Optional.empty(),
                        task.now(),
                        issued.requestReceivedAt(),
                        false))));
        return this;
    }

    Scene resolves(String effect) {
        Effect issued = effects.stream()
                .filter(each -> each.name().equals(effect))
                .reduce((first, second) -> second)
                .orElseThrow();
        diagram.append("    Note over O: a person looks it up: it was carried out\n");
        written(task.read(
                Topics.COMMANDS,
                Codecs.COMMAND.encode(new OperatorCommand(
                        UUID.nameUUIDFromBytes(new byte[] {1}).toString(),
                        issued.id().requestId(),
                        OperatorCommand.Verb.RESOLVE_SUCCEEDED,
                        Optional.of(issued.id()),
                        "operator",
                        "seen at the receiver",
                        task.now()))));
        return this;
    }

    Scene waits(Duration time) {
        diagram.append("    Note over O: ").append(time.toSeconds()).append(" s later\n");
        written(task.waits(time));
        return this;
    }

    private void written(List<Output> outputs) {
        for (Output output : outputs) {
            JsonNode json = RecordJson.read(output.value());
            switch (output.topic()) {
                case Topics.LIFECYCLE_EVENTS ->
                    diagram.append("    Note right of O: %s, %s\n"
                            .formatted(
                                    json.path("to").asText(), json.path("type").asText()));
                case Topics.EFFECTS -> {
                    effects.add(Codecs.EFFECT.decode(output.value()));
                    diagram.append("    O->>C: effects: %s, attempt %s%s\n"
                            .formatted(
                                    json.path("name").asText(),
                                    json.path("attempt").asText(),
                                    json.path("undo").asBoolean() ? ", undo" : ""));
                }
                case Topics.DUPLICATE_REQUESTS ->
                    diagram.append("    O->>P: duplicate-requests: %s\n"
                            .formatted(json.path("status").asText()));
                case Topics.REJECTED_REQUESTS ->
                    diagram.append("    O->>P: rejected-requests: %s\n"
                            .formatted(json.path("reason").asText()));
                case Topics.TASK_STEPS -> {
                    // Every step writes one; it tells the reader of the diagram nothing.
                }
                default -> diagram.append("    O->>R: ").append(output.topic()).append('\n');
            }
        }
    }

    private Answer answer(String body) {
        return new Answer(
                body.getBytes(StandardCharsets.UTF_8),
                "application/json",
                "0".repeat(64),
                "provider",
                "model",
                "{}",
                new Usage(10, 20),
                new Cost(700, "USD", "1"),
                Optional.empty(),
                task.now(),
                task.now());
    }

    String mermaid() {
        return "```mermaid\n" + diagram + "```\n";
    }

    @Override
    public void close() {
        task.close();
    }
}
