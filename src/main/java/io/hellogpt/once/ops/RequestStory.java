package io.hellogpt.once.ops;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Router;
import io.hellogpt.once.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * What the topics say about one request, told for people.
 *
 * @param records the request's records by topic, each in the order of its log
 */
public record RequestStory(String requestId, Map<String, List<ObjectNode>> records) {
    /** Requests last: what is read of them by then stands in the topics before. */
    private static final List<String> TOPICS = List.of(
            Topics.LIFECYCLE_EVENTS,
            Topics.EFFECTS,
            Topics.EFFECT_OUTCOMES,
            Topics.COMMITTED_RESULTS,
            Topics.FAILED_REQUESTS,
            Topics.DUPLICATE_REQUESTS,
            Topics.REJECTED_REQUESTS,
            Topics.REQUESTS);

    /** Reads the request's partition of each topic, committed records only; of {@code requests}, where its records stand and since when. */
    public static RequestStory read(OnceConfig config, String requestId) {
        Map<String, List<ObjectNode>> records = new HashMap<>();
        byte[] key = requestId.getBytes(StandardCharsets.UTF_8);
        try (CommittedReader reader = new CommittedReader(config.reader())) {
            for (String topic : TOPICS) {
                int partition = Router.partitionOf(key, reader.partitions(topic).size());
                List<ObjectNode> found = records.computeIfAbsent(topic, any -> new ArrayList<>());
                reader.readAll(List.of(new TopicPartition(topic, partition)), record -> {
                    if (Arrays.equals(record.key(), key)) {
                        found.add(topic.equals(Topics.REQUESTS) ? sent(record) : RecordJson.read(record.value()));
                    }
                });
            }
        }
        return new RequestStory(requestId, records);
    }

    /** Named as in the records about it. */
    private static ObjectNode sent(ConsumerRecord<byte[], byte[]> record) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("source_topic", record.topic())
                .put("source_partition", record.partition())
                .put("source_offset", record.offset())
                .put("at", Instant.ofEpochMilli(record.timestamp()).toString());
    }

    private List<ObjectNode> of(String topic) {
        return records.getOrDefault(topic, List.of());
    }

    /** Whether any topic knows the request. */
    public boolean isKnown() {
        return records.values().stream().anyMatch(list -> !list.isEmpty());
    }

    /** Where it stands, how it came there and what it waits for, as lines of text. */
    public List<String> tell(Instant now) {
        List<String> lines = new ArrayList<>();
        List<ObjectNode> events = of(Topics.LIFECYCLE_EVENTS);
        if (events.isEmpty()) {
            lines.add(requestId + ": "
                    + unread(now).orElse("never accepted" + (isKnown() ? "" : "; no topic knows this id")));
        } else {
            ObjectNode last = events.getLast();
            lines.add("%s: %s since %s (%s ago)"
                    .formatted(
                            requestId,
                            last.path("to").asText(),
                            since(events, last.path("to").asText()),
                            ago(since(events, last.path("to").asText()), now)));
            waits(last, events, now).forEach(line -> lines.add("  " + line));
            lines.add("");
            events.forEach(event -> lines.add("  " + eventLine(event)));
        }
        endings(lines);
        aside(lines);
        return lines;
    }

    /** A record that nothing was said about yet. */
    private Optional<String> unread(Instant now) {
        List<String> rejected =
                of(Topics.REJECTED_REQUESTS).stream().map(RequestStory::source).toList();
        return of(Topics.REQUESTS).stream()
                .filter(sent -> !rejected.contains(source(sent)))
                .findFirst()
                .map(sent -> "not read yet, at %s since %s (%s ago): is an instance running?"
                        .formatted(
                                source(sent),
                                sent.path("at").asText(),
                                ago(sent.path("at").asText(), now)));
    }

    private static String source(ObjectNode record) {
        return "%s-%s@%s"
                .formatted(
                        record.path("source_topic").asText(),
                        record.path("source_partition").asText(),
                        record.path("source_offset").asText());
    }

    private static String since(List<ObjectNode> events, String state) {
        String since = events.getLast().path("at").asText();
        for (ObjectNode event : events.reversed()) {
            if (!event.path("to").asText().equals(state)) {
                break;
            }
            since = event.path("at").asText();
        }
        return since;
    }

    private List<String> waits(ObjectNode last, List<ObjectNode> events, Instant now) {
        return switch (last.path("to").asText()) {
            case "PENDING" -> waitsForCall(events, "waits for a model call to be dispatched");
            case "GENERATING" -> waitsForCall(events, "a model call is running");
            case "ACKNOWLEDGED", "COMPENSATING" -> waitsForEffects(now);
            case "HELD" ->
                List.of("waits for a person: " + last.path("detail").asText() + "; decide with `once operate`");
            default -> List.of();
        };
    }

    private static List<String> waitsForCall(List<ObjectNode> events, String what) {
        List<ObjectNode> failures = events.stream()
                .filter(event -> List.of("CALL_FAILED", "CALL_LOST")
                        .contains(event.path("type").asText()))
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add(what + "; `--url` asks an instance whether calls are paused, and why");
        if (!failures.isEmpty()) {
            lines.add(failures.size() + " calls failed or were lost, the last one: "
                    + failures.getLast().path("detail").asText());
        }
        return lines;
    }

    private List<String> waitsForEffects(Instant now) {
        Map<String, ObjectNode> issued = new LinkedHashMap<>();
        of(Topics.EFFECTS).forEach(effect -> issued.put(effect.path("effect_id").asText(), effect));
        List<String> lines = new ArrayList<>();
        issued.forEach((id, effect) -> outstanding(id, effect, now).ifPresent(lines::add));
        return lines;
    }

    private Optional<String> outstanding(String id, ObjectNode effect, Instant now) {
        int attempt = effect.path("attempt").asInt();
        String what = "effect %s (%s), attempt %d, "
                .formatted(id, effect.path("route").asText(), attempt);
        Optional<ObjectNode> outcome = of(Topics.EFFECT_OUTCOMES).stream()
                .filter(one -> one.path("effect_id").asText().equals(id)
                        && one.path("attempt").asInt() == attempt)
                .reduce((first, second) -> second);
        if (outcome.isEmpty()) {
            return Optional.of(what
                    + "issued %s ago, no outcome yet: is the connector running?"
                            .formatted(ago(effect.path("issued_at").asText(), now)));
        }
        String detail = outcome.get().path("detail").asText();
        return switch (outcome.get().path("result").asText()) {
            case "RETRYABLE" -> Optional.of(what + "failed and will be tried again: " + detail);
            case "AWAITING_CALLBACK" ->
                Optional.of(what + "was taken by the receiver, which will call back until "
                        + outcome.get().path("deadline").asText());
            case "UNKNOWN" -> Optional.of(what + "may or may not have been carried out: " + detail);
            case "FAILED", "MALFORMED" -> Optional.of(what + "failed: " + detail);
            default -> Optional.empty();
        };
    }

    private static String eventLine(ObjectNode event) {
        StringBuilder line = new StringBuilder("%s  %-15s"
                .formatted(event.path("at").asText(), event.path("type").asText()));
        if (event.hasNonNull("effect_id")) {
            line.append("  ").append(event.path("effect_id").asText());
        }
        if (event.path("attempt").asInt() > 0) {
            line.append("  attempt ").append(event.path("attempt").asInt());
        }
        if (event.hasNonNull("actor")) {
            line.append("  by ").append(event.path("actor").asText());
        }
        return line.append("  ")
                .append(event.path("detail").asText())
                .toString()
                .stripTrailing();
    }

    private void endings(List<String> lines) {
        of(Topics.COMMITTED_RESULTS)
                .forEach(ending ->
                        lines.add("committed: " + ending.path("decision").asText()));
        of(Topics.FAILED_REQUESTS)
                .forEach(ending -> lines.add("failed: " + ending.path("reason").asText() + ", "
                        + ending.path("detail").asText()));
    }

    private void aside(List<String> lines) {
        of(Topics.DUPLICATE_REQUESTS)
                .forEach(duplicate -> lines.add("sent again at %s (%s-%s@%s)"
                        .formatted(
                                duplicate.path("at").asText(),
                                duplicate.path("duplicate_topic").asText(),
                                duplicate.path("duplicate_partition").asText(),
                                duplicate.path("duplicate_offset").asText())));
        of(Topics.REJECTED_REQUESTS)
                .forEach(rejected -> lines.add("a record with this id was rejected at %s: %s, %s"
                        .formatted(
                                rejected.path("at").asText(),
                                rejected.path("reason").asText(),
                                rejected.path("detail").asText())));
    }

    private static String ago(String since, Instant now) {
        Duration passed = Duration.between(Instant.parse(since), now);
        if (passed.toHours() >= 48) {
            return passed.toDays() + " days";
        }
        if (passed.toMinutes() >= 120) {
            return passed.toHours() + " h";
        }
        return passed.toSeconds() >= 120 ? passed.toMinutes() + " min" : passed.toSeconds() + " s";
    }
}
