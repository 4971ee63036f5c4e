package io.hellogpt.once.replay;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.TraceContext;
import io.hellogpt.once.core.Usage;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.topology.Headers;
import io.hellogpt.once.topology.Router;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/**
 * A live system as it may go: requests twice, broken and in the wrong partition, answers early, late, failed and never, slots that
 * run out, outcomes of every kind, operators, clocks that jump, tasks that are started anew. Everything that happens is handed on
 * as it would stand on the topics.
 */
final class LiveWorld implements AutoCloseable {
    static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    final Random random;
    final int partitions;
    private final Path dir;
    private final Consumer<CapturedRecord> out;
    private final List<LiveTask> tasks = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
    private final List<byte[]> requests = new ArrayList<>();
    private final List<Effect> effects = new ArrayList<>();
    private final List<CapturedRecord> rerouted = new ArrayList<>();
    private final long[] requestOffsets;
    private final long[] reroutedOffsets;
    private Instant now = START;
    int slots;
    int longestPause = 200;
    /** What a live system keeps on disk is kept in memory where there is a lot of it. */
    final Function<String, KeyValueBytesStoreSupplier> stores;

    LiveWorld(long seed, int partitions, Path dir, Consumer<CapturedRecord> out) {
        this(seed, partitions, dir, out, Stores::persistentKeyValueStore);
    }

    LiveWorld(
            long seed,
            int partitions,
            Path dir,
            Consumer<CapturedRecord> out,
            Function<String, KeyValueBytesStoreSupplier> stores) {
        this.stores = stores;
        this.random = new Random(seed);
        this.partitions = partitions;
        this.dir = dir;
        this.out = out;
        this.slots = 3 + random.nextInt(20);
        this.requestOffsets = new long[partitions];
        this.reroutedOffsets = new long[partitions];
        for (int partition = 0; partition < partitions; partition++) {
            tasks.add(new LiveTask(this, partition, dir));
        }
        tasks.forEach(task -> record(task.start()));
    }

    void steps(int number) {
        for (int i = 0; i < number; i++) {
            step();
        }
        settle();
    }

    Instant now() {
        return now;
    }

    private void step() {
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> request(fresh());
            case 4 -> again();
            case 5 -> oddity();
            case 6, 7, 8, 9, 10 -> answer();
            case 11, 12, 13, 14 -> outcome();
            case 15 -> command();
            case 16, 17 -> tick(Duration.ofMillis(50 + random.nextInt(400)));
            case 18 -> tick(Duration.ofSeconds(random.nextInt(longestPause)));
            case 19 -> restartOrReroute();
            default -> throw new IllegalStateException();
        }
    }

    /** Time enough for most of what is open to come to an end. */
    private void settle() {
        for (int i = 0; i < 40; i++) {
            answer();
            outcome();
            tick(Duration.ofSeconds(1));
        }
    }

    private String fresh() {
        String id = "contract-" + new UUID(random.nextLong(), random.nextLong());
        ids.add(id);
        if (random.nextInt(3) == 0) {
            return """
                    {"request_id":"%s","model":"m%d","input":"review clause %d","metadata":{"b":"1","a":"2","c":"3"}}""".formatted(id, random.nextInt(3), random.nextInt(1000));
        }
        return """
                {"request_id":"%s","model":"m%d","input":"review clause %d","policy":"declared","metadata":{"b":"1","a":"2","c":"3"},
                 "effects":[{"name":"sign","route":"signing","pointers":{"/amount":"/amount","/who":"/who"},
                    "compensation":{"route":"signing","payload":{"void":true}}},
                   {"name":"mail","route":"mail","stage":1,"pivot":%b}]%s}""".formatted(
                        id,
                        random.nextInt(3),
                        random.nextInt(1000),
                        random.nextBoolean(),
                        random.nextInt(10) == 0 ? ",\"deadline\":\"" + now.plusSeconds(20) + "\"" : "");
    }

    private void request(String json) {
        requests.add(json.getBytes(StandardCharsets.UTF_8));
        send(json.getBytes(StandardCharsets.UTF_8));
    }

    private void again() {
        if (!requests.isEmpty()) {
            byte[] before = requests.get(random.nextInt(requests.size()));
            String text = new String(before, StandardCharsets.UTF_8);
            send(random.nextInt(4) == 0 ? text.replace("review", "rewrite").getBytes(StandardCharsets.UTF_8) : before);
        }
    }

    private void oddity() {
        send(
                switch (random.nextInt(3)) {
                    case 0 -> new byte[] {1, 2, 3};
                    case 1 -> "{\"request_id\":\"x y\"}".getBytes(StandardCharsets.UTF_8);
                    default -> fresh().replace("\"declared\"", "\"unheard-of\"").getBytes(StandardCharsets.UTF_8);
                });
    }

    /** One in eight goes to a partition of the producer's own choice. */
    private void send(byte[] value) {
        String text = new String(value, StandardCharsets.ISO_8859_1);
        int at = text.indexOf("\"request_id\":\"") + 14;
        String id = at < 14 ? "" : text.substring(at, text.indexOf('"', at));
        int partition = random.nextInt(8) == 0
                ? random.nextInt(partitions)
                : Router.partitionOf(id.getBytes(StandardCharsets.UTF_8), partitions);
        long offset = requestOffsets[partition]++;
        deliver(new CapturedRecord(
                Topics.REQUESTS, partition, offset, now.toEpochMilli(), null, value, traceOf(partition, offset)));
    }

    /** Every second request has one; no chance is taken, so that a history is the same with and without traces. */
    private static List<CapturedRecord.Entry> traceOf(int partition, long offset) {
        if (offset % 2 == 0) {
            return List.of();
        }
        String parent = "00-%032x-%016x-01".formatted(1000L * partition + offset, offset);
        return List.of(
                new CapturedRecord.Entry(TraceContext.TRACEPARENT, parent.getBytes(StandardCharsets.UTF_8)),
                new CapturedRecord.Entry(TraceContext.TRACESTATE, "test=1".getBytes(StandardCharsets.UTF_8)));
    }

    private void answer() {
        LiveTask task = tasks.get(random.nextInt(partitions));
        if (task.calls.isEmpty() || random.nextInt(12) == 0) {
            early();
            return;
        }
        ModelCall call = task.calls.get(random.nextInt(task.calls.size()));
        if (random.nextInt(20) != 0) {
            task.calls.remove(call);
            slots++;
        }
        journal(result(call.id(), call.attempt(), call.requestReceivedAt()));
    }

    /** An answer whose request is not there yet, or was never asked for. */
    private void early() {
        if (random.nextInt(4) == 0) {
            String json = fresh();
            RequestId id = new RequestId(ids.get(ids.size() - 1));
            journal(result(id, 1, now));
            if (random.nextBoolean()) {
                request(json);
            }
        }
    }

    private JournalRecord result(RequestId id, int attempt, Instant receivedAt) {
        return switch (random.nextInt(8)) {
            case 0 ->
                new JournalRecord.CallFailed(
                        id,
                        0,
                        attempt,
                        receivedAt,
                        new CallError(CallError.Kind.RETRYABLE, "status 503", Optional.empty()),
                        now);
            case 1 ->
                new JournalRecord.CallFailed(
                        id,
                        0,
                        attempt,
                        receivedAt,
                        new CallError(CallError.Kind.REJECTED, "status 400", Optional.empty()),
                        now);
            default -> new JournalRecord.Answered(id, 0, attempt, receivedAt, answered());
        };
    }

    private Answer answered() {
        String body = random.nextInt(10) == 0
                ? "{\"who\":\"nobody\"}"
                : "{\"who\":\"ann\",\"amount\":%d}".formatted(random.nextInt(900));
        return new Answer(
                body.getBytes(StandardCharsets.UTF_8),
                "application/json",
                Integer.toHexString(body.hashCode()),
                "test",
                "m",
                "{\"temperature\":0}",
                new Usage(3, 4),
                new Cost(700, "USD", "t1"),
                Optional.of("req-1"),
                now,
                now.plusMillis(5));
    }

    void journal(JournalRecord record) {
        RequestId id = switch (record) {
            case JournalRecord.CallResult result -> result.id();
            case JournalRecord.Barrier barrier -> throw new IllegalArgumentException();
            case JournalRecord.Handover handover -> throw new IllegalArgumentException();
        };
        LiveTask task = taskOf(id);
        deliver(task.record(Topics.MODEL_RESPONSES, null, Codecs.JOURNAL.encode(record)));
    }

    private void outcome() {
        if (effects.isEmpty()) {
            return;
        }
        Effect effect = effects.get(random.nextInt(effects.size()));
        if (random.nextInt(10) != 0) {
            effects.remove(effect);
        }
        EffectOutcome.Result[] all = EffectOutcome.Result.values();
        EffectOutcome.Result result =
                random.nextInt(3) == 0 ? all[random.nextInt(all.length)] : EffectOutcome.Result.SUCCEEDED;
        EffectOutcome outcome = new EffectOutcome(
                effect.id(),
                effect.attempt(),
                result,
                "status " + result,
                Optional.of("ref-" + random.nextInt(100)),
                Optional.empty(),
                Optional.empty(),
                now,
                effect.requestReceivedAt(),
                random.nextBoolean());
        deliver(taskOf(effect.id().requestId())
                .record(Topics.EFFECT_OUTCOMES, null, Codecs.EFFECT_OUTCOME.encode(outcome)));
    }

    private void command() {
        if (ids.isEmpty()) {
            return;
        }
        RequestId id = new RequestId(ids.get(random.nextInt(ids.size())));
        OperatorCommand.Verb[] verbs = OperatorCommand.Verb.values();
        OperatorCommand command = new OperatorCommand(
                UUID.nameUUIDFromBytes(id.value().getBytes(StandardCharsets.UTF_8))
                        .toString(),
                id,
                verbs[random.nextInt(verbs.length)],
                Optional.of(new EffectId(id, 0, random.nextInt(3), false)),
                "ann",
                "asked to",
                now);
        deliver(taskOf(id).record(Topics.COMMANDS, null, Codecs.COMMAND.encode(command)));
    }

    private LiveTask taskOf(RequestId id) {
        return tasks.get(Router.partitionOf(id.value().getBytes(StandardCharsets.UTF_8), partitions));
    }

    private void tick(Duration time) {
        now = now.plus(time);
        for (LiveTask task : tasks) {
            written(task, task.advance(now));
        }
    }

    private void restartOrReroute() {
        if (rerouted.isEmpty() || random.nextBoolean()) {
            int partition = random.nextInt(partitions);
            LiveTask old = tasks.get(partition);
            Optional<CapturedRecord> handover = random.nextBoolean() ? Optional.of(old.handover()) : Optional.empty();
            LiveTask fresh = old.restarted(dir, handover.isPresent());
            tasks.set(partition, fresh);
            handover.ifPresent(this::deliver);
            record(fresh.start());
        } else {
            deliver(rerouted.remove(0));
        }
    }

    /** A task's barrier, which it reads at some time, or never. */
    private void record(CapturedRecord barrier) {
        if (random.nextInt(5) != 0) {
            deliver(barrier);
        }
    }

    private void deliver(CapturedRecord input) {
        LiveTask task = tasks.get(input.partition());
        List<Output> written = task.read(input, now);
        if (written.stream().anyMatch(output -> output.topic().equals(Topics.TASK_STEPS))) {
            out.accept(input);
        }
        written(task, written);
    }

    private void written(LiveTask task, List<Output> outputs) {
        for (Output output : outputs) {
            if (output.topic().equals(Topics.REQUESTS_REROUTED)) {
                int partition = Router.partitionOf(output.key(), partitions);
                rerouted.add(new CapturedRecord(
                        output.topic(),
                        partition,
                        reroutedOffsets[partition]++,
                        now.toEpochMilli(),
                        output.key(),
                        output.value(),
                        output.headers()));
            } else if (output.topic().equals(Topics.EFFECTS)) {
                effects.add(Codecs.EFFECT.decode(output.value()));
            }
        }
        task.captured(outputs).forEach(out);
    }

    /** Delivers what was sent on and not read yet. */
    void drain() {
        while (!rerouted.isEmpty()) {
            deliver(rerouted.remove(0));
        }
    }

    List<String> ids() {
        return ids;
    }

    static boolean isRerouted(CapturedRecord record) {
        return record.header(Headers.SOURCE_TOPIC).isPresent();
    }

    @Override
    public void close() {
        tasks.forEach(LiveTask::close);
    }
}
