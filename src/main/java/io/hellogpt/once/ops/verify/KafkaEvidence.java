package io.hellogpt.once.ops.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.ops.CommittedReader;
import io.hellogpt.once.ops.verify.Evidence.Answered;
import io.hellogpt.once.ops.verify.Evidence.Duplicate;
import io.hellogpt.once.ops.verify.Evidence.EffectEnd;
import io.hellogpt.once.ops.verify.Evidence.Ending;
import io.hellogpt.once.ops.verify.Evidence.Intake;
import io.hellogpt.once.ops.verify.Evidence.Issued;
import io.hellogpt.once.ops.verify.Evidence.Order;
import io.hellogpt.once.ops.verify.Evidence.Outcome;
import io.hellogpt.once.ops.verify.Evidence.Received;
import io.hellogpt.once.ops.verify.Evidence.Recorded;
import io.hellogpt.once.ops.verify.Evidence.Rejected;
import io.hellogpt.once.ops.verify.Evidence.Transition;
import io.hellogpt.once.ops.verify.Evidence.Work;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.Decoded;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.schema.RequestDecoder;
import io.hellogpt.once.topology.Topics;
import io.hellogpt.once.topology.policy.Declared;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads every topic from end to end, committed records only. Not safe for use by several threads. */
public final class KafkaEvidence {
    private static final String DECLARED = new Declared().name();

    private final CommittedReader reader;
    private final RequestDecoder decoder;
    private final List<String> missing = new ArrayList<>();

    /** @param reader not closed here */
    public KafkaEvidence(CommittedReader reader, RequestDecoder decoder) {
        this.reader = reader;
        this.decoder = decoder;
    }

    /**
     * What came in. Read the answers first and the questions last ({@link #work} before this), so that while work goes on
     * everything answered has been asked.
     */
    public Intake intake() {
        List<Rejected> rejected = read(Topics.REJECTED_REQUESTS, json(KafkaEvidence::rejected));
        List<Duplicate> duplicates = read(Topics.DUPLICATE_REQUESTS, json(KafkaEvidence::duplicate));
        List<Transition> transitions = read(Topics.LIFECYCLE_EVENTS, json(KafkaEvidence::transition));
        return new Intake(read(Topics.REQUESTS, this::received), transitions, duplicates, rejected);
    }

    /** What was made of it. */
    public Work work() {
        List<Ending> endings = new ArrayList<>(read(Topics.COMMITTED_RESULTS, json(KafkaEvidence::committed)));
        endings.addAll(read(Topics.FAILED_REQUESTS, json(KafkaEvidence::failed)));
        List<Outcome> outcomes = read(Topics.EFFECT_OUTCOMES, json(KafkaEvidence::outcome));
        List<Issued> effects = read(Topics.EFFECTS, json(KafkaEvidence::issued));
        List<Recorded> snapshots = read(Topics.SNAPSHOTS, KafkaEvidence::recorded);
        return new Work(snapshots, endings, effects, outcomes, answers());
    }

    /**
     * The records of some partitions from a moment on, about some requests.
     *
     * @param wanted whether a request is among them
     */
    public Window window(Instant since, IntPredicate partitions, Predicate<String> wanted) {
        // Questions first: what was accepted by then has all the time of reading to be answered.
        return new Window(
                since(since, Topics.LIFECYCLE_EVENTS, partitions, wanted, json(KafkaEvidence::transition)).stream()
                        .filter(Transition::accepts)
                        .toList(),
                since(since, Topics.SNAPSHOTS, partitions, wanted, KafkaEvidence::recorded),
                Stream.concat(
                                since(
                                        since,
                                        Topics.COMMITTED_RESULTS,
                                        partitions,
                                        wanted,
                                        json(KafkaEvidence::committed))
                                        .stream(),
                                since(since, Topics.FAILED_REQUESTS, partitions, wanted, json(KafkaEvidence::failed))
                                        .stream())
                        .toList());
    }

    /**
     * Part of the evidence about some time.
     *
     * @param accepted the lifecycle events of acceptance
     */
    public record Window(List<Transition> accepted, List<Recorded> snapshots, List<Ending> endings) {
        public Window {
            accepted = List.copyOf(accepted);
            snapshots = List.copyOf(snapshots);
            endings = List.copyOf(endings);
        }

        /** Every request it speaks of. */
        public Set<String> requestIds() {
            return Stream.of(
                            accepted.stream().map(Transition::requestId),
                            snapshots.stream().map(Recorded::requestId),
                            endings.stream().map(Ending::requestId))
                    .flatMap(ids -> ids)
                    .collect(Collectors.toSet());
        }

        Evidence.Intake intake() {
            return new Evidence.Intake(List.of(), accepted, List.of(), List.of());
        }

        Evidence.Work work() {
            return new Evidence.Work(snapshots, endings, List.of(), List.of(), List.of());
        }
    }

    private <T> List<T> since(
            Instant since,
            String topic,
            IntPredicate partitions,
            Predicate<String> wanted,
            Function<ConsumerRecord<byte[], byte[]>, T> entry) {
        List<T> entries = new ArrayList<>();
        List<TopicPartition> some = reader.partitions(topic).stream()
                .filter(partition -> partitions.test(partition.partition()))
                .toList();
        reader.readSince(since, some, record -> {
            if (record.key() != null && wanted.test(new String(record.key(), StandardCharsets.UTF_8))) {
                entries.add(entry.apply(record));
            }
        });
        return entries;
    }

    /** What retention has deleted, in words; empty when every topic is there from its first record. */
    public List<String> missing() {
        return List.copyOf(missing);
    }

    private <T> List<T> read(String topic, Function<ConsumerRecord<byte[], byte[]>, T> entry) {
        List<T> entries = new ArrayList<>();
        List<TopicPartition> partitions = reader.partitions(topic);
        for (Map.Entry<TopicPartition, Long> beginning :
                reader.beginnings(partitions).entrySet()) {
            if (beginning.getValue() > 0) {
                missing.add(beginning.getKey() + " starts at offset " + beginning.getValue()
                        + ": what stood before was deleted");
            }
        }
        reader.readAll(partitions, record -> entries.add(entry.apply(record)));
        return entries;
    }

    private List<Answered> answers() {
        return read(Topics.MODEL_RESPONSES, record -> Codecs.JOURNAL.decode(record.value())).stream()
                .filter(JournalRecord.Answered.class::isInstance)
                .map(JournalRecord.Answered.class::cast)
                .map(answer -> new Answered(answer.id().value(), answer.attempt()))
                .toList();
    }

    private static <T> Function<ConsumerRecord<byte[], byte[]>, T> json(Function<JsonNode, T> entry) {
        return record -> {
            ObjectNode node = RecordJson.read(record.value());
            return entry.apply(node);
        };
    }

    private Received received(ConsumerRecord<byte[], byte[]> record) {
        SourcePosition at = new SourcePosition(record.topic(), record.partition(), record.offset());
        return switch (decoder.decode(record.value())) {
            case Decoded.Request request ->
                new Received(
                        at,
                        Optional.of(request.request().id().value()),
                        Optional.of(request.fingerprint().hex()),
                        undoable(request.request()));
            case Decoded.Unreadable unreadable ->
                new Received(at, unreadable.rejection().id().map(Object::toString), Optional.empty(), Set.of());
        };
    }

    /** Known beforehand only of what the request declares: another policy decides from the answer what can be undone. */
    private static Set<String> undoable(ModelRequest request) {
        if (!request.policy().equals(DECLARED)) {
            return Set.of();
        }
        return IntStream.range(0, request.effects().size())
                .filter(i -> request.effects().get(i).compensation().isPresent())
                // Step 0 is billing.
                .mapToObj(i -> new EffectId(request.id(), 0, i + 1, false).toString())
                .collect(Collectors.toSet());
    }

    private static Recorded recorded(ConsumerRecord<byte[], byte[]> record) {
        Snapshot snapshot = Codecs.SNAPSHOT.decode(record.value());
        return new Recorded(
                snapshot.id().value(),
                snapshot.turn(),
                snapshot.sha256(),
                sha256(snapshot.answer().body()),
                snapshot.answer().cost().nanos());
    }

    private static Transition transition(JsonNode node) {
        return new Transition(
                node.path("request_id").asText(),
                node.path("type").asText(),
                node.path("to").asText(),
                position(node, "source"),
                text(node, "effect_id"),
                time(node, "at"));
    }

    private static Duplicate duplicate(JsonNode node) {
        return new Duplicate(node.path("request_id").asText(), position(node, "duplicate"), position(node, "original"));
    }

    private static Rejected rejected(JsonNode node) {
        return new Rejected(
                text(node, "request_id"),
                position(node, "source"),
                node.path("reason").asText(),
                text(node, "fingerprint"),
                text(node, "known_fingerprint"));
    }

    private static Ending committed(JsonNode node) {
        return new Ending(
                node.path("request_id").asText(),
                true,
                position(node, "source"),
                text(node.path("snapshot").path("answer"), "body_sha256"),
                effects(node),
                time(node, "committed_at"));
    }

    private static Ending failed(JsonNode node) {
        return new Ending(
                node.path("request_id").asText(),
                false,
                position(node, "source"),
                text(node, "snapshot_sha256"),
                effects(node),
                time(node, "failed_at"));
    }

    private static List<EffectEnd> effects(JsonNode node) {
        List<EffectEnd> effects = new ArrayList<>();
        node.path("effects")
                .forEach(effect -> effects.add(new EffectEnd(
                        effect.path("effect_id").asText(),
                        effect.path("route").asText(),
                        effect.path("status").asText(),
                        text(effect, "compensation"))));
        return effects;
    }

    private static Issued issued(JsonNode node) {
        return new Issued(
                node.path("effect_id").asText(),
                node.path("request_id").asText(),
                new Order(
                        node.path("route").asText(),
                        node.path("undo").asBoolean(),
                        sha256(node.path("payload").asText().getBytes(StandardCharsets.UTF_8))),
                node.path("attempt").asInt());
    }

    private static Outcome outcome(JsonNode node) {
        return new Outcome(
                node.path("effect_id").asText(),
                node.path("request_id").asText(),
                node.path("attempt").asInt(),
                node.path("result").asText(),
                node.hasNonNull("callback_id"));
    }

    private static SourcePosition position(JsonNode node, String what) {
        return new SourcePosition(
                node.path(what + "_topic").asText(),
                node.path(what + "_partition").asInt(),
                node.path(what + "_offset").asLong());
    }

    private static Instant time(JsonNode node, String field) {
        return Instant.parse(node.path(field).asText());
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Optional.ofNullable(node.get(field)).filter(JsonNode::isTextual).map(JsonNode::asText);
    }

    private static String sha256(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
