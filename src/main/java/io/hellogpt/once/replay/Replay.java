package io.hellogpt.once.replay;

import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.TaskStep;
import io.hellogpt.once.ops.ConfiguredTopology;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.Settings;
import io.hellogpt.once.replay.capture.CaptureReader;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.replay.capture.Manifest;
import io.hellogpt.once.replay.capture.StepMarks;
import io.hellogpt.once.replay.capture.UnusableCaptureException;
import io.hellogpt.once.schema.CodecException;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.RequestDecoder;
import io.hellogpt.once.topology.OnceTopology;
import io.hellogpt.once.topology.StepLogs;
import io.hellogpt.once.topology.Surroundings;
import io.hellogpt.once.topology.Topics;
import io.hellogpt.once.topology.TopologySettings;
import io.hellogpt.once.topology.policy.Policies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.Stores;

/**
 * Takes the steps of a capture again. One driver per partition; what each writes is compared as it comes. Not safe for use by
 * several threads.
 */
public final class Replay implements AutoCloseable {
    private final Manifest manifest;
    private final ReplayOptions options;
    private final ReplayListener listener;
    private final OnceConfig config;
    private final Policies policies;
    private final Path stateDir;
    private final Map<Integer, ReplayTask> tasks = new HashMap<>();
    private final Map<Integer, TaskStep> last = new HashMap<>();
    private final Set<Integer> reopened = new HashSet<>();
    private final Comparison comparison;
    private final Decisions decisions = new Decisions();
    private long steps;
    private long requests;
    private int restarts;

    public Replay(Manifest manifest, ReplayOptions options, ReplayListener listener) {
        this.manifest = manifest;
        this.options = options;
        this.listener = listener;
        Map<String, String> settings = new TreeMap<>(manifest.configuration());
        settings.putAll(options.configuration());
        this.config = OnceConfig.of(settings);
        this.policies = ReplayPolicies.of(config, manifest, options);
        this.comparison = new Comparison(manifest.partitions(), manifest.complete());
        try {
            this.stateDir = Files.createTempDirectory("once-replay");
        } catch (IOException e) {
            throw new UncheckedIOException("the replay needs a temporary directory", e);
        }
    }

    /**
     * Replays a whole capture.
     *
     * @throws UnusableCaptureException when the file cannot be replayed
     */
    public static ReplayReport of(Path file, ReplayOptions options, ReplayListener listener) {
        try (CaptureReader reader = CaptureReader.open(file);
                Replay replay = new Replay(reader.manifest(), options, listener)) {
            return replay.run(reader, file.toString());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private ReplayReport run(CaptureReader reader, String name) {
        long start = System.nanoTime();
        Optional<CapturedRecord> read = Optional.empty();
        Optional<CapturedRecord> record = reader.next();
        while (record.isPresent() && !isOver()) {
            CapturedRecord next = record.get();
            if (next.topic().equals(Topics.TASK_STEPS)) {
                take(next, read);
                read = Optional.empty();
            } else if (Topics.INPUTS.contains(next.topic())) {
                noteRerouted(next);
                read = Optional.of(next);
            } else {
                recorded(Output.of(next));
            }
            record = reader.next();
        }
        if (record.isEmpty()) {
            comparison.end();
        }
        return report(name, (System.nanoTime() - start) / 1_000_000);
    }

    private ReplayReport report(String name, long millis) {
        return new ReplayReport(
                name,
                steps,
                requests,
                comparison.equal(),
                comparison.outside(),
                manifest.leftOut(),
                options.whatIf(),
                comparison.divergences(),
                options.whatIf() ? decisions.changes() : List.of(),
                millis);
    }

    /** A rerouted request is an output of the task that sent it on, and an input of the one it belongs to. */
    private void noteRerouted(CapturedRecord input) {
        if (input.topic().equals(Topics.REQUESTS_REROUTED)) {
            recorded(Output.of(input));
        }
    }

    private void recorded(Output output) {
        comparison.recorded(output);
        if (options.whatIf()) {
            decisions.recorded(output);
        }
    }

    private boolean isOver() {
        return options.until()
                .flatMap(id -> last.values().stream()
                        .filter(step -> step.requests().contains(id))
                        .findFirst()
                        .flatMap(step -> tasks.get(step.partition()).state(id)))
                .filter(RequestState.Ended.class::isInstance)
                .isPresent();
    }

    private void take(CapturedRecord recorded, Optional<CapturedRecord> read) {
        TaskStep step = step(recorded);
        List<Output> written = step(step, recorded, read);
        comparison.stepTaken(step);
        if (manifest.complete() && !options.whatIf()) {
            comparison.recorded(Output.of(recorded.with(List.of())));
        }
        written.forEach(this::note);
        listener.taken(new ReplayListener.Taken(step, read, written, tasks.get(step.partition())::state));
    }

    /** Takes one step and gives what it wrote. */
    List<Output> step(CapturedRecord recorded, Optional<CapturedRecord> read) {
        return step(step(recorded), recorded, read);
    }

    private List<Output> step(TaskStep step, CapturedRecord recorded, Optional<CapturedRecord> read) {
        requireItsInput(step, read, recorded);
        ReplayTask task = tasks.computeIfAbsent(step.partition(), this::task);
        List<Output> written = task.take(step, before(step, recorded), read);
        steps++;
        last.put(step.partition(), step);
        return written;
    }

    private void note(Output output) {
        if (output.topic().equals(Topics.TASK_STEPS)) {
            if (manifest.complete() && !options.whatIf()) {
                comparison.replayed(output);
            }
            return;
        }
        comparison.replayed(output);
        if (options.whatIf()) {
            decisions.replayed(output);
        }
    }

    private static TaskStep step(CapturedRecord recorded) {
        try {
            return Codecs.TASK_STEP.decode(recorded.value());
        } catch (CodecException unreadable) {
            throw new UnusableCaptureException(
                    "the step " + recorded.position() + " cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private static void requireItsInput(TaskStep step, Optional<CapturedRecord> read, CapturedRecord recorded) {
        Optional<SourcePosition> found =
                read.map(input -> new SourcePosition(input.topic(), input.partition(), input.offset()));
        if (!step.source().equals(found)) {
            throw new UnusableCaptureException("the step %s read %s, and before it stands %s"
                    .formatted(
                            recorded.position(),
                            step.source().map(Object::toString).orElse("nothing"),
                            found.map(Object::toString).orElse("nothing")));
        }
    }

    /** A task that was started anew remembers nothing; of a selection of steps each says what it found. */
    private Optional<Surroundings.Before> before(TaskStep step, CapturedRecord recorded) {
        Optional<Boolean> marked = StepMarks.openBefore(recorded);
        if (marked.isPresent()) {
            return Optional.of(new Surroundings.Before(step.start(), marked.get()));
        }
        TaskStep previous = last.get(step.partition());
        if (reopened.remove(step.partition()) && previous.start().equals(step.start())) {
            return Optional.of(new Surroundings.Before(step.start(), previous.open()));
        }
        return previous != null && previous.start().equals(step.start())
                ? Optional.empty()
                : Optional.of(new Surroundings.Before(step.start(), false));
    }

    /**
     * Closes every task and opens it again from its changelogs, as a process that is stopped and started would. Only what Kafka
     * keeps is carried over, and what the step before wrote down.
     */
    void restart() {
        tasks.replaceAll((partition, task) -> {
            ReplayTask restored = task(partition);
            restored.driver().restoreFrom(task.driver());
            task.close();
            reopened.add(partition);
            return restored;
        });
    }

    private ReplayTask task(int partition) {
        TopologySettings settings = ConfiguredTopology.settings(config, manifest.partitions());
        Recording recording = new Recording();
        Topology topology = ConfiguredTopology.of(
                        config,
                        policies,
                        new OnceTopology.Parts(
                                settings, decoder(config, manifest), recording, this::applied, new StepLogs(recording)))
                .build(Stores::inMemoryKeyValueStore);
        Path dir = stateDir.resolve(partition + "-" + restarts++);
        return new ReplayTask(new TaskDriver(topology, dir, Instant.EPOCH), recording, settings.timerInterval());
    }

    private void applied(Fact fact) {
        if (fact instanceof Fact.Save save && save.previous().isEmpty()) {
            requests++;
        }
    }

    /** Reads the requests of a capture. */
    static RequestDecoder decoder(Manifest manifest) {
        return decoder(OnceConfig.of(manifest.configuration()), manifest);
    }

    private static RequestDecoder decoder(OnceConfig config, Manifest manifest) {
        return new RequestDecoder(
                config.requestIds(),
                config.number(Settings.REQUEST_MAX_BYTES),
                manifest.registry().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new RecordedRegistry(manifest.registry())));
    }

    @Override
    public void close() {
        tasks.values().forEach(ReplayTask::close);
        tasks.clear();
        try {
            Directories.delete(stateDir);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the temporary directory " + stateDir, e);
        }
    }
}
