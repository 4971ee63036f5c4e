package io.hellogpt.once.topology;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.TraceContext;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.RecordJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;

/**
 * One task that can be closed after any step and opened again from nothing but its changelogs, its committed offsets and its
 * stream time: what Kafka keeps of a task. What it puts out is collected over all its lives.
 */
final class RestartableTask implements AutoCloseable {
    private final Path stateDir;
    private final TopologyRig.Setup setup;
    private final TopologyRig.ManualGateway gateway = new TopologyRig.ManualGateway();
    private final Map<String, List<Output>> outputs = new TreeMap<>();
    private final Map<String, Map<Bytes, byte[]>> changelogs = new HashMap<>();
    private final Map<String, Integer> offsets = new HashMap<>();
    private final Set<RequestId> answered = new LinkedHashSet<>();
    private Instant streamTime = Instant.EPOCH;
    private Instant now = TopologyRig.START;
    private int lives;
    private TopologyRig rig;

    /** A record as a consumer sees it. */
    record Output(String key, String value, String headers, Instant at) {}

    /** How a life ends, and so what the next one is told. */
    enum End {
        /** The stream thread loses the task and gets it back; the process and its calls live on. */
        SAME_PROCESS,
        /** The task goes to another process; this one lives, and its calls go on. */
        HANDED_OVER,
        /** The process dies with its calls. */
        CRASHED
    }

    RestartableTask(Path stateDir, TopologyRig.Setup setup) {
        this.stateDir = stateDir;
        this.setup = setup;
        open();
        barrier();
    }

    /** A life that begins where another one's is now, as after its end in the same process; the other one goes on. */
    private RestartableTask(RestartableTask former, Path stateDir, Set<String> forgotten) {
        this.stateDir = stateDir;
        this.setup = former.setup;
        gateway.calls.addAll(former.gateway.calls);
        gateway.slots = former.gateway.slots;
        former.outputs.forEach((topic, records) -> outputs.put(topic, new ArrayList<>(records)));
        former.changelogs.forEach((store, entries) -> changelogs.put(store, new TreeMap<>(entries)));
        offsets.putAll(former.offsets);
        answered.addAll(former.answered);
        streamTime = former.streamTime;
        now = former.now;
        restore(forgotten);
        barrier();
    }

    /** @param forgotten stores that a broken restore leaves empty */
    RestartableTask restartedCopy(Path copyDir, Set<String> forgotten) {
        return new RestartableTask(this, copyDir, forgotten);
    }

    Map<String, List<Output>> outputs() {
        return outputs;
    }

    TopologyRig.ManualGateway gateway() {
        return gateway;
    }

    Instant now() {
        return now;
    }

    /** Ends the task's life and begins the next, with every store restored. */
    void restart(End end) {
        reopen(end);
        barrier();
    }

    /** @param unread stands in the journal behind what the former life read, and ahead of the next one's barrier */
    void restartWithUnread(End end, JournalRecord unread) {
        reopen(end);
        journal(unread);
        barrier();
    }

    /** The process is started again on a machine whose clock is off. */
    void clockJumps(Duration by) {
        now = now.plus(by);
        restart(End.CRASHED);
    }

    private void reopen(End end) {
        rig.close();
        if (end != End.SAME_PROCESS) {
            gateway.instance = "rig-" + (lives + 1);
        }
        String before = "rig-" + lives;
        restore(Set.of());
        if (end == End.HANDED_OVER) {
            journal(new JournalRecord.Handover(before, running()));
        }
    }

    private void restore(Set<String> forgotten) {
        open();
        skipWhatWasRead();
        changelogs.forEach((store, entries) -> {
            if (!forgotten.contains(store)) {
                KeyValueStore<Bytes, byte[]> restored = rig.driver().getKeyValueStore(store);
                entries.forEach(restored::put);
            }
        });
        discardOutputs();
    }

    void request(String json, Duration after) {
        Instant at = TopologyRig.START.plus(after);
        streamTime = at.isAfter(streamTime) ? at : streamTime;
        RecordHeaders headers = new RecordHeaders();
        if (json.hashCode() % 2 == 0) {
            headers.add(TraceContext.TRACEPARENT, traceparent(json).getBytes(StandardCharsets.UTF_8));
        }
        pipe(Topics.REQUESTS, new TestRecord<>(new byte[] {1}, json.getBytes(StandardCharsets.UTF_8), headers, at));
    }

    private static String traceparent(String json) {
        return "00-%032x-%016x-01".formatted(1L + json.length(), 1L + Integer.toUnsignedLong(json.hashCode()));
    }

    /** A request that another partition's task sent here. */
    void rerouted(String json, Duration after) {
        Instant at = TopologyRig.START.plus(after);
        streamTime = at.isAfter(streamTime) ? at : streamTime;
        RecordHeaders headers = new RecordHeaders();
        Headers.write(headers, new io.hellogpt.once.core.SourcePosition(Topics.REQUESTS, 3, 17), at);
        pipe(Topics.REQUESTS_REROUTED, new TestRecord<>(null, json.getBytes(StandardCharsets.UTF_8), headers, at));
    }

    void raw(String topic, byte[] value) {
        pipe(topic, new TestRecord<>(null, value, topic.equals(Topics.REQUESTS) ? streamTime : TopologyRig.START));
    }

    void journal(JournalRecord record) {
        if (record instanceof JournalRecord.CallResult result) {
            answered.add(result.id());
        }
        raw(Topics.MODEL_RESPONSES, Codecs.JOURNAL.encode(record));
    }

    /** Answers the last call made for an id; nothing, when none was made. */
    void answer(String id, String body) {
        lastCall(id)
                .ifPresent(call -> journal(TopologyRig.answered(id, call.attempt(), body, call.requestReceivedAt())));
    }

    /** The last call made for an id ends with an error. */
    void fail(String id, CallError.Kind kind) {
        lastCall(id).ifPresent(call -> journal(RichHistory.failed(id, call.attempt(), kind, call.requestReceivedAt())));
    }

    private Optional<ModelCall> lastCall(String id) {
        return gateway.calls.stream()
                .filter(call -> call.id().value().equals(id))
                .reduce((a, b) -> b);
    }

    void outcome(String effectId, int attempt, Result result) {
        raw(
                Topics.EFFECT_OUTCOMES,
                Codecs.EFFECT_OUTCOME.encode(TopologyRig.outcomeOf(
                        effectId,
                        attempt,
                        result,
                        gateway.receivedAt(EffectId.parse(effectId).requestId()))));
    }

    void command(String id, Verb verb, Optional<String> effectId) {
        raw(Topics.COMMANDS, TopologyRig.commanded(id, verb, effectId));
    }

    /** @param time a multiple of the timers' interval, so that a restart does not shift the looks at them */
    void advance(Duration time) {
        now = now.plus(time);
        rig.advance(time);
        collect();
    }

    void slots(int free) {
        gateway.slots = free;
    }

    private void open() {
        lives++;
        rig = new TopologyRig(stateDir.resolve("life-" + lives), setup, gateway, now);
    }

    private void barrier() {
        journal(new JournalRecord.Barrier(gateway.barrier));
    }

    /** The driver counts offsets from 0 and knows no stream time; a broker keeps both with the task's offsets. */
    private void skipWhatWasRead() {
        // The barrier that is read next takes the place of the last record, so that later offsets are what they would
        // be.
        offsets.merge(Topics.MODEL_RESPONSES, -1, Integer::sum);
        offsets.forEach((topic, count) -> {
            Instant at = topic.equals(Topics.REQUESTS) ? streamTime : Instant.EPOCH;
            for (int i = 0; i < count; i++) {
                rig.pipe(topic, new TestRecord<>(null, new byte[] {0}, at));
            }
        });
    }

    private List<JournalRecord.RunningCall> running() {
        Map<RequestId, JournalRecord.RunningCall> calls =
                new TreeMap<>((a, b) -> a.value().compareTo(b.value()));
        gateway.calls.stream()
                .filter(call -> !answered.contains(call.id()))
                .forEach(call -> calls.put(
                        call.id(), new JournalRecord.RunningCall(call.id(), call.attempt(), call.deadline())));
        return List.copyOf(calls.values());
    }

    private void pipe(String topic, TestRecord<byte[], byte[]> record) {
        offsets.merge(topic, 1, Integer::sum);
        rig.pipe(topic, record);
        collect();
    }

    private void discardOutputs() {
        rig.driver().producedTopicNames().forEach(rig::records);
    }

    private void collect() {
        for (String topic : Set.copyOf(rig.driver().producedTopicNames())) {
            for (TestRecord<byte[], byte[]> record : rig.records(topic)) {
                Optional<String> store = Stores.ALL.stream()
                        .filter(name -> topic.equals("rig-" + name + "-changelog"))
                        .findFirst();
                if (store.isPresent()) {
                    remember(store.get(), record);
                } else {
                    outputs.computeIfAbsent(topic, any -> new ArrayList<>()).add(output(record));
                }
            }
        }
    }

    private void remember(String store, TestRecord<byte[], byte[]> record) {
        Map<Bytes, byte[]> entries = changelogs.computeIfAbsent(store, any -> new TreeMap<>());
        if (record.value() == null) {
            entries.remove(Bytes.wrap(record.key()));
        } else {
            entries.put(Bytes.wrap(record.key()), record.value());
        }
    }

    private static Output output(TestRecord<byte[], byte[]> record) {
        return new Output(
                record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8),
                readable(record.value()) + " #" + Arrays.hashCode(record.value()),
                Arrays.stream(record.headers().toArray())
                        .map(header -> header.key() + "=" + HexFormat.of().formatHex(header.value()))
                        .toList()
                        .toString(),
                record.getRecordTime());
    }

    private static String readable(byte[] value) {
        return RecordJson.read(value).toString();
    }

    @Override
    public void close() {
        rig.close();
    }
}
