package io.hellogpt.once.replay.capture;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.TaskStep;
import io.hellogpt.once.schema.CodecException;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Topics;
import java.util.HashSet;
import java.util.Set;

/** Which requests a span holds whole. One that was accepted before it cannot be replayed: what it had become is not known. */
final class Lives {
    private final Set<String> begun = new HashSet<>();
    private final Set<String> older = new HashSet<>();
    private final Set<String> wanted;

    /** @param wanted only these; empty for all */
    Lives(Set<String> wanted) {
        this.wanted = wanted;
    }

    /** Outputs of one topic and partition must come in their order. */
    void note(CapturedRecord output) {
        if (output.key() == null || output.value() == null) {
            return;
        }
        String id = output.keyText().orElseThrow();
        switch (output.topic()) {
            case Topics.LIFECYCLE_EVENTS -> {
                boolean first = !begun.contains(id) && !older.contains(id);
                if (first) {
                    (json(output).path("from").isNull() ? begun : older).add(id);
                }
            }
            case Topics.DUPLICATE_REQUESTS -> older.add(id);
            case Topics.REJECTED_REQUESTS -> {
                if (json(output).path("reason").asText().equals(Rejection.Reason.CONFLICT.name())) {
                    older.add(id);
                }
            }
            default -> {
                // Says nothing about when its request began.
            }
        }
    }

    /** What was refused as known before it was accepted was accepted earlier; topics are not in one order, so this comes last. */
    int foreign() {
        older.removeAll(begun);
        return (int) older.stream()
                .filter(id -> wanted.isEmpty() || wanted.contains(id))
                .count();
    }

    boolean isWanted(String id) {
        return !older.contains(id) && (wanted.isEmpty() || wanted.contains(id));
    }

    /** Steps that are about no request open a partition, put a record without an id aside, or note that time has passed. */
    boolean isWanted(TaskStep step) {
        if (step.requests().isEmpty()) {
            return wanted.isEmpty()
                    || step.source()
                            .filter(source -> source.topic().equals(Topics.MODEL_RESPONSES))
                            .isPresent();
        }
        // Passed over in silence, and not accepted in the span: what it was passed over for lies before it.
        boolean passedOver =
                step.outputs() == 0 && step.requests().stream().noneMatch(id -> begun.contains(id.value()));
        return !passedOver && step.requests().stream().anyMatch(id -> isWanted(id.value()));
    }

    boolean isWanted(CapturedRecord output) {
        return output.keyText().map(this::isWanted).orElse(wanted.isEmpty());
    }

    private static JsonNode json(CapturedRecord record) {
        try {
            return RecordJson.read(record.value());
        } catch (CodecException unreadable) {
            throw new UnusableCaptureException(
                    "%s cannot be read: %s".formatted(record.position(), unreadable.getMessage()), unreadable);
        }
    }
}
