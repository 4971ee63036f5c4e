package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.ops.verify.Verdict;
import io.hellogpt.once.replay.Change;
import io.hellogpt.once.replay.Replay;
import io.hellogpt.once.replay.ReplayListener;
import io.hellogpt.once.replay.ReplayOptions;
import io.hellogpt.once.replay.ReplayReport;
import io.hellogpt.once.replay.ReplayedSteps;
import io.hellogpt.once.replay.capture.Capture;
import io.hellogpt.once.replay.capture.CaptureReader;
import io.hellogpt.once.replay.capture.CaptureRequest;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.replay.capture.Manifest;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.topology.Topics;
import io.hellogpt.once.topology.policy.Declared;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoIT {
    private static final DemoScale SMALL = new DemoScale(80, 24, 4, 12, Duration.ofSeconds(8));

    @TempDir
    Path dir;

    @Test
    void everythingTakesEffectOnceThroughTwoKills() throws Exception {
        DemoResult result;
        ReplayReport replay;
        try (Stack stack = Stack.create(dir, StackSettings.STANDARD)) {
            stack.start(what -> {});
            result = new Demo(stack, SMALL, Duration.ofMinutes(4), new Silent()).run();
            replay = captured(stack);
        }

        assertThat(result.differences()).isEmpty();
        assertThat(result.report().result()).as(result.table()).isEqualTo(Verdict.Result.HELD);
        assertThat(result.summary()).isEqualTo("exactly once: held");
        assertThat(ProcessHandle.current().descendants()).isEmpty();
        assertThat(replay.divergences()).isEmpty();
        assertThat(replay.requests()).isEqualTo(SMALL.requests());
        Path capture = dir.resolve("demo.avro");
        assertThat(ReplayedSteps.restarted(capture, new Random(1), 100))
                .as("the same bytes a second time, and after any step a restart")
                .isEqualTo(ReplayedSteps.uninterrupted(capture));
        oneChangedLineChangesExactlyItsDecisions(capture);
    }

    private static void oneChangedLineChangesExactlyItsDecisions(Path capture) throws Exception {
        ReplayReport report = Replay.of(capture, ReplayOptions.with(new Cautious()), ReplayListener.NONE);

        assertThat(report.changes())
                .extracting(Change::requestId)
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(decidedOtherwise(capture));
        assertThat(report.changes()).allSatisfy(change -> {
            assertThat(change.recorded()).startsWith("ACKNOWLEDGED: ");
            assertThat(change.replayed()).startsWith("HELD: ").contains(Cautious.WHY);
        });
    }

    private static Set<String> decidedOtherwise(Path capture) throws Exception {
        Set<String> ids = new TreeSet<>();
        try (CaptureReader reader = CaptureReader.open(capture)) {
            for (Optional<CapturedRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
                if (next.get().topic().equals(Topics.SNAPSHOTS)) {
                    Snapshot snapshot = Codecs.SNAPSHOT.decode(next.get().value());
                    if (Cautious.holds(snapshot)) {
                        ids.add(snapshot.id().value());
                    }
                }
            }
        }
        return ids;
    }

    /** {@code declared} with one line more: a quarter of the answers, chosen by their digest, waits for a person. */
    private static final class Cautious implements DecisionPolicy {
        static final String WHY = "to be read by a person";

        static boolean holds(Snapshot snapshot) {
            return "0123".indexOf(snapshot.answer().bodySha256().charAt(0)) >= 0;
        }

        @Override
        public String name() {
            return "cautious";
        }

        @Override
        public Decision decide(ModelRequest request, Snapshot snapshot) {
            return holds(snapshot) ? new Decision.Hold(WHY, List.of()) : new Declared().decide(request, snapshot);
        }
    }

    /** What happened, the kills included, happens again. */
    private ReplayReport captured(Stack stack) throws Exception {
        Path file = dir.resolve("demo.avro");
        CaptureRequest all = new CaptureRequest(Optional.empty(), Optional.empty(), Set.of(), file);
        assertThatThrownBy(() -> new Capture(stack.config(), all, DemoIT::interruptHalfway).run())
                .hasMessage("interrupted");
        assertThat(file).doesNotExist();

        Manifest manifest = new Capture(stack.config(), all, (done, total) -> {}).run();

        assertThat(all.workDirectory()).doesNotExist();
        assertThat(manifest.selection()).isEqualTo(Manifest.Selection.EVERYTHING);
        return Replay.of(file, ReplayOptions.AS_RECORDED, ReplayListener.NONE);
    }

    private static void interruptHalfway(long done, long all) {
        if (done > all / 2 && all > 1000) {
            throw new IllegalStateException("interrupted");
        }
    }

    private static final class Silent implements Narrator {
        @Override
        public void say(String line) {}

        @Override
        public void progress(String text) {}
    }
}
