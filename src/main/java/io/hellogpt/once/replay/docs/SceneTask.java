package io.hellogpt.once.replay.docs;

import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.ops.ConfiguredTopology;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.PolicySet;
import io.hellogpt.once.ops.RequestRules;
import io.hellogpt.once.replay.Output;
import io.hellogpt.once.replay.TaskDriver;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.topology.FactObserver;
import io.hellogpt.once.topology.ModelGateway;
import io.hellogpt.once.topology.OnceTopology;
import io.hellogpt.once.topology.StepLogs;
import io.hellogpt.once.topology.Surroundings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.state.Stores;

/** The one task of a scene, with a clock that goes on when the scene says so and a gateway that always has a slot. */
final class SceneTask implements Surroundings, ModelGateway, AutoCloseable {
    private static final Instant START = Instant.parse("2026-01-01T09:00:00Z");
    private static final OnceConfig CONFIG = OnceConfig.of(Map.of());

    private final Path dir;
    private final Calls calls;
    private final Map<String, Long> offsets = new HashMap<>();
    private TaskDriver driver;
    private Instant now = START;
    private Optional<SourcePosition> reading = Optional.empty();
    private int starts;

    /** Is told what the task asks of the model. */
    interface Calls {
        void started(ModelCall call);

        void givenUp();
    }

    SceneTask(Path dir, Calls calls) {
        this.dir = dir;
        this.calls = calls;
        this.driver = driver();
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

    Instant now() {
        return now;
    }

    /** Reads the next record of a topic, a moment after the last one. */
    List<Output> read(String topic, byte[] value) {
        now = now.plusMillis(10);
        long offset = offsets.merge(topic, 1L, Long::sum) - 1;
        reading = Optional.of(new SourcePosition(topic, 0, offset));
        return driver.read(new CapturedRecord(topic, 0, offset, now.toEpochMilli(), null, value, List.of()));
    }

    /** Looks at the timers that much later. */
    List<Output> waits(Duration time) {
        now = now.plus(time);
        reading = Optional.empty();
        return driver.advance(Duration.ofMillis(50));
    }

    /** Another process restores it from its changelogs. */
    void restart() {
        starts++;
        TaskDriver next = driver();
        next.restoreFrom(driver);
        driver.close();
        driver = next;
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
        calls.started(call);
    }

    @Override
    public void cancel(RequestId id) {
        calls.givenUp();
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
