package io.hellogpt.once.replay;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.topology.Topics;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What was decided about each request and which effects it led to, then and now; for replays with another policy. */
final class Decisions {
    private static final Set<String> DECIDING =
            Set.of(LifecycleEvent.Type.DECIDED.name(), LifecycleEvent.Type.HELD.name());

    private final Map<String, Sides> byRequest = new TreeMap<>();

    /** The first decision of each side and its effects. */
    private static final class Sides {
        final Side recorded = new Side();
        final Side replayed = new Side();
    }

    private static final class Side {
        String decision = "(none)";
        final List<String> effects = new ArrayList<>();
        private final Set<String> seen = new HashSet<>();
    }

    void recorded(Output output) {
        if (concerns(output)) {
            note(output, true);
        }
    }

    void replayed(Output output) {
        if (concerns(output)) {
            note(output, false);
        }
    }

    private static boolean concerns(Output output) {
        return output.topic().equals(Topics.LIFECYCLE_EVENTS) || output.topic().equals(Topics.EFFECTS);
    }

    private void note(Output output, boolean then) {
        JsonNode json = Differences.json(output.value());
        Sides sides = byRequest.computeIfAbsent(json.path("request_id").asText(), unused -> new Sides());
        Side side = then ? sides.recorded : sides.replayed;
        if (output.topic().equals(Topics.EFFECTS)) {
            if (side.seen.add(json.path("effect_id").asText())
                    && !json.path("undo").asBoolean()) {
                side.effects.add("%s to %s: %s"
                        .formatted(
                                json.path("name").asText(),
                                json.path("route").asText(),
                                json.path("payload").asText()));
            }
        } else if (side.decision.equals("(none)")
                && DECIDING.contains(json.path("type").asText())) {
            side.decision = "%s: %s"
                    .formatted(json.path("to").asText(), json.path("detail").asText());
        }
    }

    /** Requests with a changed decision, or with other effects. Effects that only one side had time to issue do not count. */
    List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        byRequest.forEach((id, sides) -> {
            boolean decision = !sides.recorded.decision.equals(sides.replayed.decision);
            int both = Math.min(sides.recorded.effects.size(), sides.replayed.effects.size());
            boolean effects = !sides.recorded.effects.subList(0, both).equals(sides.replayed.effects.subList(0, both));
            if (decision || effects) {
                changes.add(new Change(
                        id,
                        sides.recorded.decision,
                        sides.replayed.decision,
                        List.copyOf(sides.recorded.effects),
                        List.copyOf(sides.replayed.effects)));
            }
        });
        return changes;
    }
}
