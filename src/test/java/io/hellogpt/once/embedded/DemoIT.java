package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.ops.verify.Verdict;
import io.hellogpt.once.replay.Replay;
import io.hellogpt.once.replay.ReplayListener;
import io.hellogpt.once.replay.ReplayOptions;
import io.hellogpt.once.replay.ReplayReport;
import io.hellogpt.once.replay.capture.Capture;
import io.hellogpt.once.replay.capture.CaptureRequest;
import io.hellogpt.once.replay.capture.Manifest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
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
