package io.hellogpt.once.topology;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.OperatorCommand.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** A history drawn from a seed: what could be sent, answered, reported and ordered about a few requests, in any order. */
final class RandomHistory {
    private static final int STEPS = 80;
    private static final List<String> IDS = List.of("a-1", "b-2", "c-3", "d-4");

    private final SplittableRandom random;
    private final List<Consumer<RestartableTask>> steps = new ArrayList<>();
    private final List<Boolean> restarts = new ArrayList<>();
    private Duration streamTime = Duration.ZERO;

    RandomHistory(long seed) {
        random = new SplittableRandom(seed);
        for (int i = 0; i < STEPS; i++) {
            // A task that starts looks at what is due at once, one that runs at its next look: each step ends after it.
            steps.add(draw().andThen(task -> {
                task.advance(Duration.ofMillis(50));
                task.advance(Duration.ofMillis(50));
            }));
            restarts.add(random.nextInt(10) == 0);
        }
    }

    List<Consumer<RestartableTask>> steps() {
        return steps;
    }

    boolean restartsAfter(int step) {
        return restarts.get(step);
    }

    private Consumer<RestartableTask> draw() {
        String id = oneOf(IDS);
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> request(id);
            case 3, 4 -> {
                String body = "{\"text\":\"" + random.nextInt(3) + "\"}";
                yield task -> task.answer(id, body);
            }
            case 5 -> {
                int attempt = 1 + random.nextInt(3);
                yield random.nextBoolean()
                        ? task -> task.journal(TopologyRig.answered(id, attempt, "{\"text\":\"unasked\"}"))
                        : failure(id, attempt);
            }
            case 6, 7, 8 -> outcome(id);
            case 9 -> command(id);
            case 10 -> {
                int free = oneOf(List.of(0, 1, 100));
                yield task -> task.slots(free);
            }
            default -> {
                Duration time = Duration.ofMillis(50L * oneOf(List.of(1, 20, 200, 2_400, 14_000, 50_000)));
                yield task -> task.advance(time);
            }
        };
    }

    private Consumer<RestartableTask> request(String id) {
        String json = oneOf(List.of(
                RichHistory.plain(id),
                RichHistory.plain(id),
                RichHistory.plain(id).replace("hello", "other"),
                RichHistory.by(id, "asking"),
                RichHistory.by(id, "broken"),
                RichHistory.saga(id),
                RichHistory.plain(id).replace("}", ",\"deadline\":\"2026-01-01T00:10:00Z\"}"),
                "no request"));
        streamTime = streamTime.plus(Duration.ofMinutes(oneOf(List.of(0, 0, 1, 10, 90))));
        Duration at = streamTime;
        return random.nextInt(5) == 0 ? task -> task.rerouted(json, at) : task -> task.request(json, at);
    }

    private Consumer<RestartableTask> failure(String id, int attempt) {
        CallError.Kind kind = oneOf(List.of(CallError.Kind.values()));
        return task -> task.journal(RichHistory.failed(id, attempt, kind));
    }

    private Consumer<RestartableTask> outcome(String id) {
        String effectId = id + ":0." + random.nextInt(4) + (random.nextInt(4) == 0 ? ":undo" : "");
        int attempt = 1 + (random.nextInt(4) == 0 ? 1 : 0);
        Result result = random.nextBoolean() ? Result.SUCCEEDED : oneOf(List.of(Result.values()));
        return task -> task.outcome(effectId, attempt, result);
    }

    private Consumer<RestartableTask> command(String id) {
        Verb verb = oneOf(List.of(Verb.values()));
        Optional<String> effectId =
                random.nextBoolean() ? Optional.of(id + ":0." + random.nextInt(4)) : Optional.empty();
        return task -> task.command(id, verb, effectId);
    }

    private <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
