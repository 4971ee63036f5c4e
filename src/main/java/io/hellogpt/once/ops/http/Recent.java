package io.hellogpt.once.ops.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.api.EventFeed.Heard;
import io.hellogpt.once.schema.CodecException;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Topics;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The requests heard of last, each with where it stands and how often it came again. Safe for use by several threads. */
final class Recent {
    private static final Logger LOG = LoggerFactory.getLogger(Recent.class);
    private static final int MANY = 5_000;
    /** Events of more requests than are remembered: the oldest would be forgotten at once. */
    static final int UNREAD = 4 * MANY;
    /** A larger one, as a rejected record with its bytes may be, is read at once and not kept. */
    static final int SMALL_BYTES = 2_048;

    private static final List<String> SHOWN = List.of("attempt", "effect_id", "detail");

    /** Least recently heard of first. */
    private final Map<String, ObjectNode> requests = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ObjectNode> eldest) {
            return size() > MANY;
        }
    };

    /** As they came, until somebody asks: under load nobody looks at most of them. */
    private final Deque<ConsumerRecord<byte[], byte[]>> unread = new ArrayDeque<>();

    synchronized void add(ConsumerRecord<byte[], byte[]> event) {
        if (event.value() != null && event.value().length > SMALL_BYTES) {
            readUp();
            heard(event).ifPresent(this::add);
            return;
        }
        unread.addLast(event);
        if (unread.size() > UNREAD) {
            unread.removeFirst();
        }
    }

    private void readUp() {
        while (!unread.isEmpty()) {
            heard(unread.removeFirst()).ifPresent(this::add);
        }
    }

    /** What an event says; empty for one that a later version has written. */
    static Optional<Heard> heard(ConsumerRecord<byte[], byte[]> event) {
        try {
            return Optional.of(new Heard(event.topic(), RecordJson.read(event.value())));
        } catch (CodecException newer) {
            LOG.warn(
                    "event=unreadable_event topic={} partition={} offset={} action=\"passed over\"",
                    event.topic(),
                    event.partition(),
                    event.offset(),
                    newer);
            return Optional.empty();
        }
    }

    /** Events that nobody has asked for yet. */
    synchronized int unread() {
        return unread.size();
    }

    private void add(Heard heard) {
        String id = heard.record().path("request_id").asText("");
        if (id.isEmpty()) {
            return;
        }
        ObjectNode request = requests.computeIfAbsent(id, Recent::unheardOf);
        switch (heard.topic()) {
            case Topics.LIFECYCLE_EVENTS -> step(request, heard.record());
            case Topics.DUPLICATE_REQUESTS -> again(request, "duplicates", heard.record());
            case Topics.REJECTED_REQUESTS -> again(request, "rejected", heard.record());
            default -> throw new IllegalArgumentException(heard.topic());
        }
    }

    private static ObjectNode unheardOf(String id) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("request_id", id)
                .put("duplicates", 0)
                .put("rejected", 0);
    }

    private static void step(ObjectNode request, ObjectNode event) {
        String to = event.path("to").asText();
        if (!request.path("status").asText().equals(to)) {
            request.put("status", to);
            request.put("since", event.path("at").asText());
        }
        String type = event.path("type").asText();
        request.put("last_event", type);
        request.put("at", event.path("at").asText());
        SHOWN.forEach(name -> request.set(name, event.path(name)));
        if (type.equals("ACCEPTED")) {
            request.put("accepted_at", event.path("at").asText());
        }
    }

    private static void again(ObjectNode request, String count, ObjectNode record) {
        request.put(count, request.path(count).asInt() + 1);
        request.put("at", record.path("at").asText());
        if (!request.has("status") && record.hasNonNull("status")) {
            request.put("status", record.path("status").asText());
        }
    }

    /** The last ones, the newest first. */
    synchronized List<ObjectNode> last(int limit, Optional<String> status) {
        readUp();
        return new ArrayList<>(requests.values())
                .reversed().stream()
                        .filter(request -> status.isEmpty()
                                || request.path("status").asText().equals(status.get()))
                        .limit(limit)
                        .map(ObjectNode::deepCopy)
                        .toList();
    }

    /** Looking does not make a request more recent. */
    synchronized Optional<Instant> acceptedAt(String id) {
        readUp();
        return requests.entrySet().stream()
                .filter(entry -> entry.getKey().equals(id))
                .filter(entry -> entry.getValue().has("accepted_at"))
                .map(entry -> Instant.parse(entry.getValue().path("accepted_at").asText()))
                .findFirst();
    }
}
