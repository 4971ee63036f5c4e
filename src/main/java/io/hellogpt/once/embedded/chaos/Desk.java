package io.hellogpt.once.embedded.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.core.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is known of every request while it runs: whether it has ended, whether it waits for a person and for what, and for how long
 * nothing has moved. For progress, the operator and the longest stall; nothing of it decides about a guarantee. Safe for use by several
 * threads.
 */
final class Desk {
    private static final Set<String> REASONS =
            Stream.of(Hold.Reason.values()).map(Enum::name).collect(Collectors.toSet());

    private final Set<String> accepted = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    private final Map<String, Held> held = new HashMap<>();
    private final Map<String, Set<String>> open = new HashMap<>();
    private final Map<String, String> lastState = new HashMap<>();
    private final Map<String, Long> commands = new TreeMap<>();
    private int turnedAway;
    private long moved;
    private boolean busy;
    private long longestStall;

    /**
     * A request that waits for a person.
     *
     * @param reason the kind of hold
     * @param open effects that were issued and have not succeeded
     * @param sinceNanos when it began to wait, or when somebody last did something about it
     */
    record Held(String requestId, String reason, Set<String> open, long sinceNanos) {
        Held {
            open = Set.copyOf(open);
        }
    }

    /** @param now of {@link System#nanoTime}, here and below */
    Desk(long now) {
        moved = now;
    }

    synchronized void event(JsonNode event, long now) {
        String id = event.path("request_id").asText();
        String to = event.path("to").asText();
        String type = event.path("type").asText();
        if (type.startsWith("COMMAND_")) {
            // A detail begins with the verb.
            commands.merge(event.path("detail").asText().split("[ :]", 2)[0] + type.substring(7), 1L, Long::sum);
        }
        if (type.equals("STILL_HELD") || type.equals("COMMAND_REFUSED")) {
            return;
        }
        accepted.add(id);
        lastState.put(id, to);
        String effect = event.path("effect_id").asText("");
        if (type.equals("EFFECT_ISSUED")) {
            open.computeIfAbsent(id, any -> new TreeSet<>()).add(effect);
        } else if (type.equals("EFFECT_OUTCOME")
                && event.path("detail").asText().startsWith("SUCCEEDED")) {
            open.computeIfAbsent(id, any -> new TreeSet<>()).remove(effect);
        }
        if (type.equals("HELD")) {
            held.put(id, new Held(id, reason(event), Set.of(), now));
        } else if (!to.equals("HELD")) {
            held.remove(id);
        }
        moved(now);
    }

    /** A detail begins with the reason and a colon; a policy that asks for an approval says why in words of its own. */
    private static String reason(JsonNode event) {
        String first = event.path("detail").asText().replaceFirst(":.*", "");
        return REASONS.contains(first) ? first : Hold.Reason.APPROVAL.name();
    }

    synchronized void ended(String id, long now) {
        ended.add(id);
        held.remove(id);
        open.remove(id);
        moved(now);
    }

    synchronized void turnedAway(long now) {
        turnedAway++;
        moved(now);
    }

    /** Called now and then, so that a stall is seen while it lasts. */
    synchronized void tick(long now) {
        measure(now);
    }

    private void moved(long now) {
        measure(now);
        moved = now;
    }

    /** Silence counts from the last movement on, while something is due that needs no person. */
    private void measure(long now) {
        boolean due = accepted.size() - ended.size() > held.size();
        if (due && busy) {
            longestStall = Math.max(longestStall, now - moved);
        } else if (due) {
            moved = now;
        }
        busy = due;
    }

    synchronized int accepted() {
        return accepted.size();
    }

    synchronized int ended() {
        return ended.size();
    }

    synchronized int turnedAway() {
        return turnedAway;
    }

    synchronized int unfinished() {
        return accepted.size() - ended.size();
    }

    /** How often each command was applied and refused. */
    synchronized Map<String, Long> commands() {
        return Map.copyOf(commands);
    }

    /** One of the requests that have not ended, whichever. */
    synchronized Optional<String> someUnfinished(Random random) {
        List<String> unfinished =
                accepted.stream().filter(id -> !ended.contains(id)).sorted().toList();
        return unfinished.isEmpty() ? Optional.empty() : Optional.of(unfinished.get(random.nextInt(unfinished.size())));
    }

    synchronized Duration longestStall() {
        return Duration.ofNanos(longestStall);
    }

    /** Requests that have waited for a person at least this long. */
    synchronized List<Held> heldFor(Duration time, LongSupplier clock) {
        long latest = clock.getAsLong() - time.toNanos();
        List<Held> due = new ArrayList<>();
        held.values().stream()
                .filter(each -> each.sinceNanos() - latest <= 0)
                .forEach(each -> due.add(new Held(
                        each.requestId(),
                        each.reason(),
                        open.getOrDefault(each.requestId(), Set.of()),
                        each.sinceNanos())));
        return due;
    }

    /** Somebody did something about it, and waits what comes of it. */
    synchronized void handled(String id, long now) {
        held.computeIfPresent(id, (same, waiting) -> new Held(id, waiting.reason(), Set.of(), now));
    }

    /** For each request without an ending, the state it was seen in last. */
    synchronized Map<String, String> missing() {
        Map<String, String> missing = new HashMap<>();
        accepted.stream().filter(id -> !ended.contains(id)).forEach(id -> missing.put(id, lastState.get(id)));
        return missing;
    }
}
