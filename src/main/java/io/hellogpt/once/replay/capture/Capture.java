package io.hellogpt.once.replay.capture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.TaskStep;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/**
 * Makes a capture from the topics. First the steps are read, which fixes what happened; then the inputs they name, and every
 * output up to an end that is fetched later than the steps' own, so that no step lacks one. What was read is kept beside the file
 * until it is whole: an interrupted capture goes on where it was.
 */
public final class Capture {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PLAN = "plan.json";

    private final OnceConfig config;
    private final CaptureRequest request;
    private final Progress progress;
    private final Path work;
    private final Map<TopicPartition, Long> firsts = new HashMap<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final Map<TopicPartition, Spool> spools = new HashMap<>();
    private final Map<TopicPartition, Long> positions = new HashMap<>();

    /** @param config of an instance: the settings a replay depends on go into the manifest */
    public Capture(OnceConfig config, CaptureRequest request, Progress progress) {
        this.config = config;
        this.request = request;
        this.progress = progress;
        this.work = request.workDirectory();
    }

    /** Told how far the reading has come. */
    @FunctionalInterface
    public interface Progress {
        void show(long done, long all);
    }

    /**
     * Reads and writes the file.
     *
     * @return its manifest
     * @throws UnusableCaptureException when what is needed is no longer on the topics, or another capture was interrupted here
     */
    public Manifest run() throws IOException {
        // Before an hour of reading, not behind it.
        ReplaySettings.files(config);
        Files.createDirectories(work);
        try (TopicsReader reader = new TopicsReader(config.reader())) {
            List<TopicPartition> steps = reader.partitions(Topics.TASK_STEPS);
            if (!resumed()) {
                planSteps(reader, steps);
                save();
            }
            read(reader, steps);
            if (firsts.size() == steps.size()) {
                planRest(reader, steps);
                save();
            }
            List<TopicPartition> rest = firsts.keySet().stream()
                    .filter(each -> !steps.contains(each))
                    .toList();
            read(reader, rest);
            Manifest manifest = new Assembly(config, request, spools, ranges())
                    .write(reader.partitions(Topics.REQUESTS).size());
            close();
            delete(work);
            return manifest;
        } finally {
            close();
        }
    }

    private void planSteps(TopicsReader reader, List<TopicPartition> steps) {
        Map<TopicPartition, Long> begins = reader.beginnings(steps);
        // Not where the committed ones end: a transaction that a killed instance left open hides every step behind it
        // until it
        // times out, and requests that have ended would be missing.
        Map<TopicPartition, Long> written = reader.ends(steps);
        firsts.putAll(
                request.from().map(time -> reader.at(time, steps, written)).orElse(begins));
        ends.putAll(request.to().map(time -> reader.at(time, steps, written)).orElse(written));
        steps.forEach(each -> ends.merge(each, firsts.get(each), Math::max));
    }

    private void planRest(TopicsReader reader, List<TopicPartition> steps) throws IOException {
        for (TopicPartition partition : steps) {
            try (Spool.Records records = spools.get(partition).records()) {
                while (records.hasNext()) {
                    TaskStep step = Codecs.TASK_STEP.decode(records.next().value());
                    step.source().ifPresent(source -> {
                        TopicPartition input = new TopicPartition(source.topic(), source.partition());
                        firsts.merge(input, source.offset(), Math::min);
                        ends.merge(input, source.offset() + 1, Math::max);
                    });
                }
            }
        }
        List<TopicPartition> inputs =
                firsts.keySet().stream().filter(each -> !steps.contains(each)).toList();
        if (inputs.isEmpty()) {
            throw new UnusableCaptureException(
                    "no step was recorded in the span: is replay.recording=true on the instances?"
                            + " What happened before it was cannot be captured");
        }
        reader.beginnings(inputs).forEach((input, begin) -> {
            if (firsts.get(input) < begin) {
                throw new UnusableCaptureException(
                        "the steps of the span read %s from offset %d, and the topic begins at %d by now: capture a later span with --from"
                                .formatted(input, firsts.get(input), begin));
            }
        });
        planOutputs(reader);
    }

    /** Requests that are sent on are written by one task and read by another, or not read yet: what is read of them is no measure. */
    private void planOutputs(TopicsReader reader) {
        List<TopicPartition> outputs = new ArrayList<>();
        Topics.OUTPUTS.forEach(topic -> outputs.addAll(reader.partitions(topic)));
        outputs.addAll(reader.partitions(Topics.REQUESTS_REROUTED));
        Map<TopicPartition, Long> written = reader.ends(outputs);
        Map<TopicPartition, Long> begins = reader.beginnings(outputs);
        request.from()
                .map(time -> reader.at(time, outputs, written))
                .orElse(begins)
                .forEach((output, first) -> firsts.merge(output, first, Math::min));
        ends.putAll(written);
    }

    private void read(TopicsReader reader, List<TopicPartition> partitions) throws IOException {
        Map<TopicPartition, Long> from = new HashMap<>();
        Map<TopicPartition, Long> to = new HashMap<>();
        for (TopicPartition each : partitions) {
            Spool spool = new Spool(work, each.topic(), each.partition(), firsts.get(each));
            spools.put(each, spool);
            from.put(each, spool.nextOffset());
            to.put(each, ends.get(each));
        }
        reader.read(from, to, new TopicsReader.Sink() {
            @Override
            public void accept(CapturedRecord record) throws IOException {
                spools.get(new TopicPartition(record.topic(), record.partition()))
                        .append(record);
            }

            @Override
            public void progressed(TopicPartition partition, long position) throws IOException {
                spools.get(partition).flush();
                positions.put(partition, position);
                show();
            }
        });
    }

    private void show() {
        long done = positions.entrySet().stream()
                .mapToLong(each -> each.getValue() - firsts.get(each.getKey()))
                .sum();
        long all = ends.entrySet().stream()
                .mapToLong(each -> each.getValue() - firsts.get(each.getKey()))
                .sum();
        progress.show(done, all);
    }

    private List<Manifest.Range> ranges() {
        return firsts.entrySet().stream()
                .map(each -> new Manifest.Range(
                        each.getKey().topic(), each.getKey().partition(), each.getValue(), ends.get(each.getKey())))
                .sorted(Comparator.comparing(Manifest.Range::topic).thenComparing(Manifest.Range::partition))
                .toList();
    }

    private boolean resumed() throws IOException {
        Path file = work.resolve(PLAN);
        if (!Files.exists(file)) {
            return false;
        }
        JsonNode plan = JSON.readTree(file.toFile());
        if (!plan.path("request").asText().equals(request.identity())) {
            throw new UnusableCaptureException(
                    "%s holds what an interrupted capture of another span has read (%s): repeat that one, or delete the directory"
                            .formatted(work, plan.path("request").asText()));
        }
        plan.path("ranges").forEach(range -> {
            TopicPartition partition = new TopicPartition(
                    range.path("topic").asText(), range.path("partition").asInt());
            firsts.put(partition, range.path("first").asLong());
            ends.put(partition, range.path("end").asLong());
        });
        return true;
    }

    private void save() throws IOException {
        ObjectNode plan = JSON.createObjectNode().put("request", request.identity());
        var all = plan.putArray("ranges");
        ranges().forEach(range -> all.addObject()
                .put("topic", range.topic())
                .put("partition", range.partition())
                .put("first", range.first())
                .put("end", range.end()));
        Path next = work.resolve(PLAN + ".new");
        JSON.writeValue(next.toFile(), plan);
        Files.move(
                next,
                work.resolve(PLAN),
                java.nio.file.StandardCopyOption.ATOMIC_MOVE,
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    private void close() throws IOException {
        for (Spool spool : new TreeMap<>(byName()).values()) {
            spool.close();
        }
    }

    private Map<String, Spool> byName() {
        Map<String, Spool> named = new HashMap<>();
        spools.forEach((partition, spool) -> named.put(partition.toString(), spool));
        return named;
    }

    private static void delete(Path directory) throws IOException {
        List<Path> found;
        try (Stream<Path> all = Files.walk(directory)) {
            found = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : found) {
            Files.delete(path);
        }
    }
}
