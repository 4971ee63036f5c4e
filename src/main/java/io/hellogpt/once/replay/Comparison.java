package io.hellogpt.once.replay;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.core.TaskStep;
import io.hellogpt.once.topology.Headers;
import io.hellogpt.once.topology.Router;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Sets every output of the replay against the recorded one: per topic and request in their order, which one task's transaction
 * fixes. Only what waits for its counterpart is held in memory.
 */
final class Comparison {
    private static final List<String> SOURCE_HEADERS =
            List.of(Headers.SOURCE_TOPIC, Headers.SOURCE_PARTITION, Headers.SOURCE_OFFSET);

    private final int partitions;
    private final boolean complete;
    private final List<Divergence> divergences = new ArrayList<>();
    private final Map<Counterpart, Pair> pairs = new LinkedHashMap<>();
    private final Map<Integer, Long> lastStep = new HashMap<>();
    /** Of {@code requests}, by partition: what a task sends on has no key that tells which task sent it. */
    private final Map<Integer, Long> lastRead = new HashMap<>();

    private long equal;
    private long outside;

    /** @param complete every step of every task is replayed */
    Comparison(int partitions, boolean complete) {
        this.partitions = partitions;
        this.complete = complete;
    }

    private static final class Pair {
        final Deque<Output> recorded = new ArrayDeque<>(2);
        final Deque<Output> replayed = new ArrayDeque<>(2);
    }

    void stepTaken(TaskStep step) {
        lastStep.put(step.partition(), step.moment().now().toEpochMilli());
        step.source()
                .filter(source -> source.topic().equals(Topics.REQUESTS))
                .ifPresent(source -> lastRead.put(source.partition(), source.offset()));
    }

    void recorded(Output output) {
        Counterpart counterpart = Counterpart.of(output);
        Pair pair = pair(counterpart);
        pair.recorded.add(output);
        compare(counterpart, pair);
    }

    void replayed(Output output) {
        Counterpart counterpart = Counterpart.of(output);
        Pair pair = pair(counterpart);
        pair.replayed.add(output);
        compare(counterpart, pair);
    }

    private Pair pair(Counterpart counterpart) {
        return pairs.computeIfAbsent(counterpart, unused -> new Pair());
    }

    /**
     * What outputs are set against each other by.
     *
     * @param about the request, or where the record stood that has no id
     * @param source where it stood, on the topics that several tasks write about one request; how their transactions lie between each
     *     other there is chance. Empty on the others
     */
    private record Counterpart(String topic, String about, String source) {
        static Counterpart of(Output output) {
            String about = Comparison.about(output);
            return switch (output.topic()) {
                case Topics.REQUESTS_REROUTED -> new Counterpart(output.topic(), about, sourceInHeaders(output));
                case Topics.REJECTED_REQUESTS -> new Counterpart(output.topic(), about, sourceInValue(output));
                default -> new Counterpart(output.topic(), about, "");
            };
        }

        private static String sourceInHeaders(Output output) {
            return output.headers().stream()
                    .filter(header -> SOURCE_HEADERS.contains(header.name()))
                    .map(header -> new String(header.value(), StandardCharsets.UTF_8))
                    .collect(Collectors.joining("-"));
        }
    }

    private void compare(Counterpart counterpart, Pair pair) {
        if (pair.recorded.isEmpty() || pair.replayed.isEmpty()) {
            return;
        }
        String topic = counterpart.topic();
        String about = counterpart.about();
        // The broker stamps a rerouted request with its own time.
        boolean timestamps = !topic.equals(Topics.REQUESTS_REROUTED);
        Output recorded = pair.recorded.poll();
        List<Differences.Field> fields = Differences.between(recorded, pair.replayed.poll(), timestamps);
        fields.forEach(field -> divergences.add(
                new Divergence(about, topic, at(recorded), field.pointer(), field.recorded(), field.replayed())));
        if (fields.isEmpty()) {
            equal++;
        }
        if (pair.recorded.isEmpty() && pair.replayed.isEmpty()) {
            pairs.remove(counterpart);
        }
    }

    private static Instant at(Output output) {
        return Instant.ofEpochMilli(output.timestamp());
    }

    /** What is left has no counterpart. */
    void end() {
        pairs.forEach((counterpart, pair) -> {
            String topic = counterpart.topic();
            String about = counterpart.about();
            pair.replayed.forEach(extra -> divergences.add(
                    new Divergence(about, topic, at(extra), Divergence.RECORD, Divergence.NOTHING, text(extra))));
            for (Output missing : pair.recorded) {
                if (isBehindTheEnd(missing) || isOfAnEarlierStep(missing)) {
                    outside++;
                } else {
                    divergences.add(new Divergence(
                            about, topic, at(missing), Divergence.RECORD, text(missing), Divergence.NOTHING));
                }
            }
        });
        pairs.clear();
    }

    /**
     * Outputs are read a moment longer than steps, so that no step lacks one; those of later steps are of no account. A last step's
     * own outputs cannot be mistaken for them: the step says how many it wrote.
     */
    private boolean isBehindTheEnd(Output output) {
        if (output.topic().equals(Topics.REQUESTS_REROUTED)) {
            // The broker stamped it, and its key is another task's: only where it came from tells.
            int from = (int) number(output, Headers.SOURCE_PARTITION);
            return number(output, Headers.SOURCE_OFFSET) > lastRead.getOrDefault(from, -1L);
        }
        if (output.key() == null) {
            return lastStep.values().stream().anyMatch(last -> output.timestamp() >= last);
        }
        Long last = lastStep.get(Router.partitionOf(output.key(), partitions));
        return last == null || output.timestamp() >= last;
    }

    /** A request that was sent on before the span is read within it. */
    private boolean isOfAnEarlierStep(Output output) {
        return !complete && output.topic().equals(Topics.REQUESTS_REROUTED);
    }

    private static long number(Output output, String header) {
        return output.header(header).map(Long::parseLong).orElse(-1L);
    }

    private static String text(Output output) {
        return Differences.json(output.value()).toString();
    }

    /** The request an output is about; what has no id is known by where it stood. */
    private static String about(Output output) {
        if (output.key() != null) {
            return new String(output.key(), StandardCharsets.UTF_8);
        }
        return sourceInValue(output);
    }

    private static String sourceInValue(Output output) {
        JsonNode rejected = Differences.json(output.value());
        return "%s-%s@%s"
                .formatted(
                        rejected.path("source_topic").asText(),
                        rejected.path("source_partition").asText(),
                        rejected.path("source_offset").asText());
    }

    List<Divergence> divergences() {
        return divergences;
    }

    long equal() {
        return equal;
    }

    /** Recorded outputs of steps that are not in the capture. */
    long outside() {
        return outside;
    }
}
