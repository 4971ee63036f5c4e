package io.hellogpt.once.replay.capture;

import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.TaskStep;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.ProductVersion;
import io.hellogpt.once.ops.Settings;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.HttpSchemaRegistry;
import io.hellogpt.once.schema.SchemaFingerprints;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Puts what was read into one file, in an order in which it can be replayed from beginning to end: each step right behind the
 * record it read, each output near the step that wrote it.
 */
final class Assembly {
    private final OnceConfig config;
    private final CaptureRequest request;
    private final Map<TopicPartition, Spool> spools;
    private final List<Manifest.Range> ranges;
    private final Lives lives;
    private final Map<TopicPartition, Spool.Records> inputs = new HashMap<>();
    private final List<Spool.Records> opened = new ArrayList<>();
    private final Map<Integer, TaskStep> last = new HashMap<>();
    private final PriorityQueue<Spool.Records> outputs = new PriorityQueue<>(
            Comparator.comparingLong(records -> records.peek().timestamp()));

    Assembly(
            OnceConfig config, CaptureRequest request, Map<TopicPartition, Spool> spools, List<Manifest.Range> ranges) {
        this.config = config;
        this.request = request;
        this.spools = spools;
        this.ranges = ranges;
        this.lives = new Lives(request.ids());
    }

    Manifest write(int partitions) throws IOException {
        scan(Topics.LIFECYCLE_EVENTS);
        scan(Topics.DUPLICATE_REQUESTS);
        scan(Topics.REJECTED_REQUESTS);
        Manifest manifest = manifest(partitions, lives.foreign());
        try (CaptureWriter writer = new CaptureWriter(request.out(), manifest)) {
            merge(writer, manifest.complete());
            writer.finish();
        } finally {
            for (Spool.Records records : opened) {
                records.close();
            }
        }
        return manifest;
    }

    private void scan(String topic) throws IOException {
        for (TopicPartition partition : partitions(topic)) {
            try (Spool.Records records = spools.get(partition).records()) {
                records.forEachRemaining(lives::note);
            }
        }
    }

    private Manifest manifest(int partitions, int foreign) throws IOException {
        boolean fromTheBeginning = ranges.stream()
                .filter(range -> range.topic().equals(Topics.TASK_STEPS))
                .allMatch(range -> range.first() == 0);
        Manifest.Selection selection = !request.ids().isEmpty()
                ? Manifest.Selection.IDS
                : fromTheBeginning && foreign == 0 ? Manifest.Selection.EVERYTHING : Manifest.Selection.WHOLE_LIVES;
        return new Manifest(
                Manifest.FORMAT,
                ProductVersion.get(),
                selection,
                foreign,
                false,
                partitions,
                ranges,
                ReplaySettings.of(config),
                ReplaySettings.files(config),
                SchemaFingerprints.current(),
                registry());
    }

    private void merge(CaptureWriter writer, boolean complete) throws IOException {
        PriorityQueue<Spool.Records> steps = new PriorityQueue<>(
                Comparator.comparingLong(records -> records.peek().timestamp()));
        open(List.of(Topics.TASK_STEPS), steps);
        open(Topics.OUTPUTS, outputs);
        while (!steps.isEmpty()) {
            Spool.Records next = steps.poll();
            long at = next.peek().timestamp();
            step(writer, next.next(), complete);
            if (next.hasNext()) {
                steps.add(next);
            }
            outputsUntil(writer, at, complete);
        }
        outputsUntil(writer, Long.MAX_VALUE, complete);
        for (TopicPartition partition : partitions(Topics.REQUESTS_REROUTED)) {
            Spool.Records rest = input(partition);
            while (rest.hasNext()) {
                writeRerouted(writer, rest.next());
            }
        }
    }

    private void step(CaptureWriter writer, CapturedRecord recorded, boolean complete) throws IOException {
        TaskStep step = Codecs.TASK_STEP.decode(recorded.value());
        TaskStep before = last.put(step.partition(), step);
        Optional<CapturedRecord> read = Optional.empty();
        if (step.source().isPresent()) {
            read = Optional.of(take(step.source().get()));
        }
        if (complete) {
            write(writer, read, recorded);
        } else if (lives.isWanted(step)) {
            write(writer, read, StepMarks.mark(recorded, before, step));
        }
    }

    private static void write(CaptureWriter writer, Optional<CapturedRecord> read, CapturedRecord step)
            throws IOException {
        if (read.isPresent()) {
            writer.write(read.get());
        }
        writer.write(step);
    }

    private CapturedRecord take(SourcePosition source) {
        Spool.Records records = input(new TopicPartition(source.topic(), source.partition()));
        while (records.hasNext()) {
            CapturedRecord record = records.next();
            if (record.offset() == source.offset()) {
                return record;
            }
        }
        throw new UnusableCaptureException(
                "a step read " + source + ", which is not on the topic any more: capture a later span with --from");
    }

    private Spool.Records input(TopicPartition partition) {
        return inputs.computeIfAbsent(partition, this::opened);
    }

    private void outputsUntil(CaptureWriter writer, long time, boolean complete) throws IOException {
        while (!outputs.isEmpty() && outputs.peek().peek().timestamp() <= time) {
            Spool.Records next = outputs.poll();
            CapturedRecord record = next.next();
            if (complete || lives.isWanted(record)) {
                writer.write(record);
            }
            if (next.hasNext()) {
                outputs.add(next);
            }
        }
    }

    private void writeRerouted(CaptureWriter writer, CapturedRecord record) throws IOException {
        if (lives.isWanted(record)) {
            writer.write(record);
        }
    }

    private void open(List<String> topics, PriorityQueue<Spool.Records> queue) {
        for (String topic : topics) {
            for (TopicPartition partition : partitions(topic)) {
                Spool.Records records = opened(partition);
                if (records.hasNext()) {
                    queue.add(records);
                }
            }
        }
    }

    private Spool.Records opened(TopicPartition partition) {
        Spool.Records records = spools.get(partition).records();
        opened.add(records);
        return records;
    }

    private List<TopicPartition> partitions(String topic) {
        List<TopicPartition> found = new ArrayList<>(spools.keySet());
        found.removeIf(partition -> !partition.topic().equals(topic));
        found.sort(Comparator.comparingInt(TopicPartition::partition));
        return found;
    }

    /** The schemas of framed requests: a replay asks no server. */
    private SortedMap<Integer, String> registry() throws IOException {
        SortedMap<Integer, String> schemas = new TreeMap<>();
        String url = config.text(Settings.SCHEMA_REGISTRY_URL);
        if (url.isEmpty()) {
            return schemas;
        }
        HttpSchemaRegistry registry = new HttpSchemaRegistry(URI.create(url));
        for (String topic : List.of(Topics.REQUESTS, Topics.REQUESTS_REROUTED)) {
            for (TopicPartition partition : partitions(topic)) {
                try (Spool.Records records = spools.get(partition).records()) {
                    records.forEachRemaining(record -> {
                        if (SchemaFingerprints.isFramed(record.value())) {
                            schemas.computeIfAbsent(
                                    SchemaFingerprints.registryId(record.value()),
                                    id -> registry.byId(id)
                                            .map(Object::toString)
                                            .orElse(null));
                        }
                    });
                }
            }
        }
        return schemas;
    }
}
