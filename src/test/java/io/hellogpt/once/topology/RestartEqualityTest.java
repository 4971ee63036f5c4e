package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.topology.RestartableTask.End;
import io.hellogpt.once.topology.RestartableTask.Output;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * A task closed after any prefix of its input and opened again from its changelogs goes on as if nothing had been: the same keys,
 * values, headers and times, in the same order, on every topic.
 */
class RestartEqualityTest {
    private static final List<Consumer<RestartableTask>> RICH = RichHistory.steps();

    @SuppressWarnings("unused")
    private static final List<String> STORES = Stores.ALL;

    @TempDir
    Path dir;

    @Test
    void theHistoryIsRich() {
        Map<String, List<Output>> outputs = run("rich", RICH, (task, step) -> {});
        assertThat(outputs.keySet()).as("topics").containsAll(Topics.OUTPUTS);
        assertThat(values(outputs, Topics.LIFECYCLE_EVENTS))
                .contains("HELD", "STILL_HELD", "COMPENSATING", "CALL_FAILED", "COMMAND_APPLIED", "COMMAND_REFUSED")
                .contains("EFFECT_ISSUED", "DISPATCHED", "COMMITTED", "FAILED");
        assertThat(values(outputs, Topics.REJECTED_REQUESTS)).contains("CONFLICT", "MALFORMED", "EXPIRED", "INVALID");
        assertThat(values(outputs, Topics.FAILED_REQUESTS))
                .contains("CANCELLED", "REFUSED", "EFFECT_FAILED", "MODEL_REJECTED", "DEADLINE_EXCEEDED");
        assertThat(values(outputs, Topics.DUPLICATE_REQUESTS)).contains("GENERATING", "ACKNOWLEDGED", "COMMITTED");
    }

    @Test
    void aRestartAfterAnyPrefixChangesNoOutput() {
        Map<String, List<Output>> whole = run("whole", RICH, (task, step) -> {});
        run("prefixes", RICH, (task, step) -> {
            Map<String, List<Output>> interrupted = restartedAfter(task, step, Set.of());
            assertSame(interrupted, whole, "restarted after %d of %d steps".formatted(step + 1, RICH.size()));
        });
    }

    /** What the next owner of the task notes of a handover, or of calls lost with a process, it notes in the audit log alone. */
    @ParameterizedTest
    @EnumSource(names = {"HANDED_OVER", "CRASHED"})
    void aRestartAfterEveryStepChangesNothingOutsideTheAuditLog(End end) {
        Map<String, List<String>> whole = told(run("whole", RICH, (task, step) -> {}));
        assertThat(told(run("restarted", RICH, (task, step) -> task.restart(end))))
                .isEqualTo(whole);
    }

    /** A restore that leaves out one store is noticed, whichever it is: the comparison can fail. */
    @ParameterizedTest
    @FieldSource("STORES")
    void aRestoreThatForgetsAStoreIsNoticed(String store) {
        Map<String, List<Output>> whole = run("whole", RICH, (task, step) -> {});
        List<Integer> noticed = new ArrayList<>();
        run("without-" + store, RICH, (task, step) -> {
            if (noticed.isEmpty() && !restartedAfter(task, step, Set.of(store)).equals(whole)) {
                noticed.add(step);
            }
        });
        assertThat(noticed).as("the first step after which it shows").hasSize(1);
    }

    @Test
    void aRestartAnywhereInAnyHistoryChangesNoOutput() {
        long first = Long.getLong("rig.seed", 1);
        int histories = Integer.getInteger("rig.histories", 8);
        for (long seed = first; seed < first + histories; seed++) {
            RandomHistory history = new RandomHistory(seed);
            Map<String, List<Output>> whole = run("random-" + seed, history.steps(), (task, step) -> {});
            Map<String, List<Output>> restarted = run("restarted-" + seed, history.steps(), (task, step) -> {
                if (history.restartsAfter(step)) {
                    task.restart(End.SAME_PROCESS);
                }
            });
            assertSame(restarted, whole, "seed %d; again with -Drig.seed=%d -Drig.histories=1".formatted(seed, seed));
        }
    }

    /** What the rest of the rich history leads to, from a copy of the task that was restarted after a step. */
    private Map<String, List<Output>> restartedAfter(RestartableTask task, int step, Set<String> forgotten) {
        try (RestartableTask copy = task.restartedCopy(dir.resolve("copy-" + step), forgotten)) {
            RICH.subList(step + 1, RICH.size()).forEach(each -> each.accept(copy));
            return copy.outputs();
        }
    }

    private Map<String, List<Output>> run(
            String name, List<Consumer<RestartableTask>> history, ObjIntConsumer<RestartableTask> afterStep) {
        try (RestartableTask task = new RestartableTask(dir.resolve(name), RichHistory.setup())) {
            for (int step = 0; step < history.size(); step++) {
                history.get(step).accept(task);
                afterStep.accept(task, step);
            }
            return task.outputs();
        }
    }

    /** As equality, but a difference is shown as the one record it is. */
    private static <T> void assertSame(Map<String, List<T>> actual, Map<String, List<T>> expected, String when) {
        expected.forEach((topic, records) -> {
            List<T> others = actual.getOrDefault(topic, List.of());
            for (int i = 0; i < Math.min(records.size(), others.size()); i++) {
                assertThat(others.get(i))
                        .as("%s: record %d of %s", when, i, topic)
                        .isEqualTo(records.get(i));
            }
        });
        assertThat(actual.keySet()).as("%s: topics", when).isEqualTo(expected.keySet());
    }

    private static <T> Optional<T> at(List<T> records, int index) {
        return index < records.size() ? Optional.of(records.get(index)) : Optional.empty();
    }

    private static String values(Map<String, List<Output>> outputs, String topic) {
        return String.join("\n", outputs.get(topic).stream().map(Output::value).toList());
    }

    /** What is told to producers, consumers and receivers, without number and time of the call that did. */
    private static Map<String, List<String>> told(Map<String, List<Output>> outputs) {
        Map<String, List<String>> told = new TreeMap<>();
        outputs.forEach((topic, records) -> {
            if (!topic.equals(Topics.LIFECYCLE_EVENTS)) {
                told.put(topic, records.stream().map(RestartEqualityTest::told).toList());
            }
        });
        return told;
    }

    private static String told(Output output) {
        String json = output.value().substring(0, output.value().lastIndexOf(" #"));
        return output.key() + " "
                + json.replaceAll("\"(attempt|source_offset)\":\\d+", "\"$1\":\"any\"")
                        .replaceAll("(deadline|since) 2026-[^ ;]+", "$1 any");
    }
}
