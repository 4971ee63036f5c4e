package io.hellogpt.once.replay;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.core.TaskStep;
import io.hellogpt.once.replay.capture.CaptureReader;
import io.hellogpt.once.replay.capture.CaptureWriter;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.replay.capture.Manifest;
import io.hellogpt.once.replay.capture.StepMarks;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes a capture fit to leave the company. Only inputs are redacted; the outputs in the redacted file are what the topology
 * writes when it reads those, so that nothing can slip through them, and the file replays equal by what it is. Requests that take
 * another course when their text is replaced cannot be shown that way, and are left out.
 */
public final class RedactedCapture {
    private final Path file;
    private final Manifest manifest;
    private final Redactor redactor;
    private final Set<String> leftOut = new TreeSet<>();
    private final Map<Integer, TaskStep> last = new HashMap<>();
    private final Map<String, Long> offsets = new HashMap<>();

    private RedactedCapture(Path file, Manifest manifest, Redactor redactor) {
        this.file = file;
        this.manifest = manifest;
        this.redactor = redactor;
    }

    /** Replaces a capture by its redacted form, and gives the new manifest. */
    public static Manifest replace(Path file) throws IOException {
        Manifest manifest;
        try (CaptureReader reader = CaptureReader.open(file)) {
            manifest = reader.manifest();
        }
        return new RedactedCapture(file, manifest, new Redactor(Replay.decoder(manifest))).replace();
    }

    private Manifest replace() throws IOException {
        compareCourses();
        Manifest redacted = manifest.redactedLeavingOut(leftOut.size());
        try (CaptureReader reader = CaptureReader.open(file);
                CaptureWriter writer = new CaptureWriter(file, redacted);
                Replay replay = new Replay(redacted, ReplayOptions.AS_RECORDED, ReplayListener.NONE)) {
            Optional<CapturedRecord> read = Optional.empty();
            for (Optional<CapturedRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
                CapturedRecord record = next.get();
                if (record.topic().equals(Topics.TASK_STEPS)) {
                    write(writer, replay, record, read);
                    read = Optional.empty();
                } else if (Topics.INPUTS.contains(record.topic())) {
                    read = Optional.of(redactor.redact(record));
                }
            }
            writer.finish();
        }
        return redacted;
    }

    private void write(CaptureWriter writer, Replay replay, CapturedRecord recorded, Optional<CapturedRecord> read)
            throws IOException {
        TaskStep step = Codecs.TASK_STEP.decode(recorded.value());
        TaskStep before = last.put(step.partition(), step);
        if (isLeftOut(step)) {
            return;
        }
        CapturedRecord kept =
                leftOut.isEmpty() || StepMarks.openBefore(recorded).isPresent()
                        ? recorded
                        : StepMarks.mark(recorded, before, step);
        if (read.isPresent()) {
            writer.write(read.get());
        }
        writer.write(kept);
        for (Output output : replay.step(kept, read)) {
            if (!output.topic().equals(Topics.TASK_STEPS) && !output.topic().equals(Topics.REQUESTS_REROUTED)) {
                writer.write(new CapturedRecord(
                        output.topic(),
                        step.partition(),
                        offsets.merge(output.topic() + step.partition(), 1L, Long::sum) - 1,
                        output.timestamp(),
                        output.key(),
                        output.value(),
                        output.headers()));
            }
        }
    }

    private boolean isLeftOut(TaskStep step) {
        return step.requests().isEmpty()
                ? leftOut.contains(name(step))
                : step.requests().stream().allMatch(id -> leftOut.contains(id.value()));
    }

    private static String name(TaskStep step) {
        return step.source().map(Object::toString).orElse("timers");
    }

    /** Takes every step with the original and with the redacted texts, and notes which requests take another course. */
    private void compareCourses() throws IOException {
        try (CaptureReader reader = CaptureReader.open(file);
                Replay plain = new Replay(manifest, ReplayOptions.AS_RECORDED, ReplayListener.NONE);
                Replay redacted = new Replay(manifest, ReplayOptions.AS_RECORDED, ReplayListener.NONE)) {
            Optional<CapturedRecord> read = Optional.empty();
            for (Optional<CapturedRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
                CapturedRecord record = next.get();
                if (record.topic().equals(Topics.TASK_STEPS)) {
                    Map<String, List<String>> before = courses(plain.step(record, read));
                    Map<String, List<String>> now = courses(redacted.step(record, read.map(redactor::redact)));
                    TaskStep step = Codecs.TASK_STEP.decode(record.value());
                    note(step, before, now);
                    read = Optional.empty();
                } else if (Topics.INPUTS.contains(record.topic())) {
                    read = Optional.of(record);
                }
            }
        }
    }

    private void note(TaskStep step, Map<String, List<String>> before, Map<String, List<String>> now) {
        Set<String> all = new TreeSet<>(before.keySet());
        all.addAll(now.keySet());
        for (String id : all) {
            if (!before.getOrDefault(id, List.of()).equals(now.getOrDefault(id, List.of()))) {
                leftOut.add(id.isEmpty() ? name(step) : id);
            }
        }
    }

    /** What was written about each request, without its texts. */
    private static Map<String, List<String>> courses(List<Output> written) {
        Map<String, List<String>> courses = new HashMap<>();
        for (Output output : written) {
            if (!output.topic().equals(Topics.TASK_STEPS)) {
                String id = output.key() == null ? "" : new String(output.key(), StandardCharsets.UTF_8);
                courses.computeIfAbsent(id, unused -> new ArrayList<>()).add(course(output));
            }
        }
        return courses;
    }

    private static String course(Output output) {
        JsonNode json = Differences.json(output.value());
        return output.topic()
                + Arrays.stream(new String[] {"type", "from", "to", "attempt", "effect_id", "route", "status"})
                        .map(field -> json.path(field).asText())
                        .toList()
                + (output.topic().equals(Topics.REJECTED_REQUESTS)
                        ? json.path("reason").asText()
                        : "");
    }
}
