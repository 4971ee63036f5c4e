package io.hellogpt.once.replay;

import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.ops.ConfiguredTopology;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.PolicySet;
import io.hellogpt.once.ops.Settings;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.RequestDecoder;
import io.hellogpt.once.topology.FactObserver;
import io.hellogpt.once.topology.ModelGateway;
import io.hellogpt.once.topology.OnceTopology;
import io.hellogpt.once.topology.StepLogs;
import io.hellogpt.once.topology.Surroundings;
import io.hellogpt.once.topology.Topics;
import io.hellogpt.once.topology.TopologySettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/** A live task of any partition: its own clock, its own offsets, its calls answered by the world around it. */
final class LiveTask implements Surroundings, ModelGateway, AutoCloseable {
    static final OnceConfig CONFIG = OnceConfig.of(Map.of());

    final List<ModelCall> calls = new ArrayList<>();
    private final LiveWorld world;
    private final int partition;
    private final int starts;
    private final Map<String, Long> offsets;
    private final TaskDriver driver;
    private Optional<SourcePosition> reading = Optional.empty();
    private Moment moment;
    private Instant streamTime = Instant.EPOCH;

    LiveTask(LiveWorld world, int partition, Path dir) {
        this(world, partition, dir, 0, new HashMap<>());
    }

    private LiveTask(LiveWorld world, int partition, Path dir, int starts, Map<String, Long> offsets) {
        this.world = world;
        this.partition = partition;
        this.starts = starts;
        this.offsets = offsets;
        TopologySettings settings = ConfiguredTopology.settings(CONFIG, world.partitions);
        OnceTopology.Parts parts = new OnceTopology.Parts(
                settings,
                new RequestDecoder(CONFIG.requestIds(), CONFIG.number(Settings.REQUEST_MAX_BYTES), Optional.empty()),
                this,
                FactObserver.NONE,
                new StepLogs(this));
        driver = new TaskDriver(
                ConfiguredTopology.of(CONFIG, PolicySet.of(CONFIG), parts).build(world.stores),
                dir.resolve("live-" + partition + "-" + starts),
                Instant.EPOCH);
    }

    /** The barrier of this start, as it stands in the journal. */
    CapturedRecord start() {
        return record(Topics.MODEL_RESPONSES, null, Codecs.JOURNAL.encode(new JournalRecord.Barrier(openBarrier(0))));
    }

    CapturedRecord handover() {
        List<JournalRecord.RunningCall> running = calls.stream()
                .map(call -> new JournalRecord.RunningCall(call.id(), call.attempt(), call.deadline()))
                .toList();
        return record(
                Topics.MODEL_RESPONSES, null, Codecs.JOURNAL.encode(new JournalRecord.Handover(instance(), running)));
    }

    /** @param callsGoOn otherwise they die with the process */
    LiveTask restarted(Path dir, boolean callsGoOn) {
        LiveTask fresh = new LiveTask(world, partition, dir, starts + 1, offsets);
        fresh.driver.restoreFrom(driver);
        fresh.streamTime = streamTime;
        if (callsGoOn) {
            fresh.calls.addAll(calls);
        } else {
            world.slots += calls.size();
        }
        close();
        return fresh;
    }

    CapturedRecord record(String topic, byte[] key, byte[] value) {
        long offset = offsets.merge(topic, 1L, Long::sum) - 1;
        return new CapturedRecord(topic, partition, offset, world.now().toEpochMilli(), key, value, List.of());
    }

    List<Output> read(CapturedRecord input, Instant now) {
        reading = Optional.of(new SourcePosition(input.topic(), partition, input.offset()));
        if (input.topic().equals(Topics.REQUESTS)) {
            Instant at = Instant.ofEpochMilli(input.timestamp());
            streamTime = at.isAfter(streamTime) ? at : streamTime;
        }
        moment = new Moment(now, streamTime);
        return driver.read(input);
    }

    List<Output> advance(Instant now) {
        reading = Optional.empty();
        moment = new Moment(now, streamTime);
        return driver.advance(Duration.ofMillis(50));
    }

    /** Outputs as they stand on their topics. */
    List<CapturedRecord> captured(List<Output> outputs) {
        return outputs.stream()
                .filter(output -> !output.topic().equals(Topics.REQUESTS_REROUTED))
                .sorted((a, b) -> Boolean.compare(isStep(b), isStep(a)))
                .map(output -> new CapturedRecord(
                        output.topic(),
                        partition,
                        offsets.merge(output.topic(), 1L, Long::sum) - 1,
                        output.timestamp(),
                        output.key(),
                        output.value(),
                        output.headers()))
                .toList();
    }

    private static boolean isStep(Output output) {
        return output.topic().equals(Topics.TASK_STEPS);
    }

    @Override
    public Moment moment(ProcessingContext context) {
        return moment;
    }

    @Override
    public Optional<SourcePosition> source(ProcessingContext context) {
        return context.recordMetadata()
                .filter(at -> at.topic() != null)
                .flatMap(at -> reading.filter(position -> position.topic().equals(at.topic())));
    }

    @Override
    public int partition(ProcessingContext context) {
        return partition;
    }

    @Override
    public boolean looks(boolean open) {
        return open && reading.isEmpty();
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
        return "live-" + starts;
    }

    @Override
    public Demand demand(ModelRequest request) {
        return new Demand(request.model(), 0);
    }

    @Override
    public boolean reserve(int ignored, Demand demand) {
        if (world.slots <= 0 || world.random.nextInt(6) == 0) {
            return false;
        }
        world.slots--;
        return true;
    }

    @Override
    public void release(int ignored, Demand demand) {
        world.slots++;
    }

    @Override
    public void start(int ignored, ModelCall call) {
        calls.add(call);
    }

    @Override
    public void cancel(RequestId id) {
        calls.removeIf(call -> call.id().equals(id));
    }

    @Override
    public String openBarrier(int ignored) {
        return "barrier-" + partition + "-" + starts;
    }

    @Override
    public void handover(int ignored) {
        // The world writes it.
    }

    @Override
    public void close() {
        driver.close();
    }
}
