package io.hellogpt.once.replay.docs;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.Usage;
import io.hellogpt.once.ops.ConfiguredTopology;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.PolicySet;
import io.hellogpt.once.ops.RequestRules;
import io.hellogpt.once.replay.Output;
import io.hellogpt.once.replay.TaskDriver;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.FactObserver;
import io.hellogpt.once.topology.ModelGateway;
import io.hellogpt.once.topology.OnceTopology;
import io.hellogpt.once.topology.StepLogs;
import io.hellogpt.once.topology.Surroundings;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.state.Stores;

/**
 * A path being played through the real topology, and the sequence diagram of what it did. Every arrow to and from {@code once} is
 * a record that was read or written; nothing is drawn that did not happen.
 */
final class Scene implements Surroundings, ModelGateway, AutoCloseable {
    private static final Instant START = Instant.parse("2026-01-01T09:00:00Z");
    private static final OnceConfig CONFIG = OnceConfig.of(Map.of());

    private final Path dir;
    private final StringBuilder diagram = new StringBuilder("sequenceDiagram\n    participant P as producer\n"
            + "    participant O as once\n    participant M as model\n    participant C as sink connector\n"
            + "    participant R as consumers\n");
    private final Map<String, Long> offsets = new HashMap<>();
    private final List<ModelCall> calls = new ArrayList<>();
    private final List<Effect> effects = new ArrayList<>();
    private final List<byte[]> unread = new ArrayList<>();
    private TaskDriver driver;
    private Instant now = START;
    private Optional<SourcePosition> reading = Optional.empty();
    private int starts;

    Scene(Path dir) {
        this.dir = dir;
        this.driver = driver();
        read(Topics.MODEL_RESPONSES, Codecs.JOURNAL.encode(new JournalRecord.Barrier(openBarrier(0))));
    }

    static Topology topology() {
        return ConfiguredTopology.of(
                        CONFIG,
                        PolicySet.of(CONFIG),
                        new OnceTopology.Parts(
                                ConfiguredTopology.settings(CONFIG, 1),
                                RequestRules.decoder(CONFIG),
                                new NoGateway(),
                                FactObserver.NONE))
                .build();
    }

    private TaskDriver driver() {
        OnceTopology.Parts parts = new OnceTopology.Parts(
                ConfiguredTopology.settings(CONFIG, 1),
                RequestRules.decoder(CONFIG),
                this,
                FactObserver.NONE,
                new StepLogs(this));
        return new TaskDriver(
                ConfiguredTopology.of(CONFIG, PolicySet.of(CONFIG), parts).build(Stores::inMemoryKeyValueStore),
                dir.resolve("scene-" + starts),
                Instant.EPOCH);
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
        written(read(Topics.REQUESTS, json.getBytes(StandardCharsets.UTF_8)));
        return this;
    }

    Scene answers(String body) {
        ModelCall call = calls.get(calls.size() - 1);
        diagram.append("    M-->>O: answer, written to model-responses\n");
        written(read(
                Topics.MODEL_RESPONSES,
                Codecs.JOURNAL.encode(new JournalRecord.Answered(
                        call.id(), 0, call.attempt(), call.requestReceivedAt(), answer(body)))));
        return this;
    }

    Scene fails(int status) {
        ModelCall call = calls.get(calls.size() - 1);
        diagram.append("    M-->>O: status ").append(status).append(", written to model-responses\n");
        written(read(
                Topics.MODEL_RESPONSES,
                Codecs.JOURNAL.encode(new JournalRecord.CallFailed(
                        call.id(),
                        0,
                        call.attempt(),
                        call.requestReceivedAt(),
                        new CallError(CallError.Kind.RETRYABLE, "status " + status, Optional.empty()),
                        now))));
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
        starts++;
        diagram.append("    Note over O: killed, another process takes over and writes a barrier\n");
        TaskDriver next = driver();
        next.restoreFrom(driver);
        driver.close();
        driver = next;
        for (byte[] journaled : unread) {
            diagram.append("    Note over O: reads the answer from the journal\n");
            written(read(Topics.MODEL_RESPONSES, journaled));
        }
        unread.clear();
        diagram.append("    Note over O: reads its barrier, every answer journaled before is in\n");
        written(read(Topics.MODEL_RESPONSES, Codecs.JOURNAL.encode(new JournalRecord.Barrier(openBarrier(0)))));
        return this;
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
        written(read(
                Topics.EFFECT_OUTCOMES,
                Codecs.EFFECT_OUTCOME.encode(new EffectOutcome(
                        issued.id(),
                        issued.attempt(),
                        result,
                        "status " + result,
                        Optional.empty(),
                        Optional.empty(),
                        result == EffectOutcome.Result.AWAITING_CALLBACK
                                ? Optional.of(now.plus(Duration.ofHours(1)))
                                : Optional.empty(),
                        now,
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
        written(read(
                Topics.COMMANDS,
                Codecs.COMMAND.encode(new OperatorCommand(
                        UUID.nameUUIDFromBytes(new byte[] {1}).toString(),
                        issued.id().requestId(),
                        OperatorCommand.Verb.RESOLVE_SUCCEEDED,
                        Optional.of(issued.id()),
                        "operator",
                        "seen at the receiver",
                        now))));
        return this;
    }

    Scene waits(Duration time) {
        now = now.plus(time);
        diagram.append("    Note over O: ").append(time.toSeconds()).append(" s later\n");
        reading = Optional.empty();
        written(driver.advance(Duration.ofMillis(50)));
        return this;
    }

    private List<Output> read(String topic, byte[] value) {
        now = now.plusMillis(10);
        long offset = offsets.merge(topic, 1L, Long::sum) - 1;
        reading = Optional.of(new SourcePosition(topic, 0, offset));
        return driver.read(new CapturedRecord(topic, 0, offset, now.toEpochMilli(), null, value, List.of()));
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
                now,
                now);
    }

    String mermaid() {
        return "```mermaid\n" + diagram + "```\n";
    }

    @Override
    public Moment moment(ProcessingContext context) {
        return new Moment(now, START);
    }

    @Override
    public Optional<SourcePosition> source(ProcessingContext context) {
        return reading;
    }

    @Override
    public int partition(ProcessingContext context) {
        return 0;
    }

    @Override
    public boolean looks() {
        return reading.isEmpty();
    }

    @Override
    public Optional<Before> before() {
        return Optional.empty();
    }

    @Override
    public Optional<Dispatches> dispatches() {
        return Optional.empty();
    }

    @Override
    public String instance() {
        return "once-" + (starts + 1);
    }

    @Override
    public Demand demand(ModelRequest request) {
        return new Demand(request.model(), 0);
    }

    @Override
    public boolean reserve(int partition, Demand demand) {
        return true;
    }

    @Override
    public void release(int partition, Demand demand) {
        // There is always a slot.
    }

    @Override
    public void start(int partition, ModelCall call) {
        calls.add(call);
        diagram.append("    O->>M: call ").append(call.attempt()).append('\n');
    }

    @Override
    public void cancel(RequestId id) {
        diagram.append("    Note over M: the call is given up\n");
    }

    @Override
    public String openBarrier(int partition) {
        return "barrier-" + starts;
    }

    @Override
    public void handover(int partition) {
        // A killed process hands nothing over.
    }

    @Override
    public void close() {
        driver.close();
    }
}
