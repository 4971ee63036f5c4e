package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.ops.verify.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoIT {
    private static final DemoScale SMALL = new DemoScale(80, 24, 4, 12, Duration.ofSeconds(8));

    @TempDir
    Path dir;

    @Test
    void everythingTakesEffectOnceThroughTwoKills() throws Exception {
        DemoResult result;
        try (Stack stack = Stack.create(dir, StackSettings.STANDARD)) {
            stack.start(what -> {});
            result = new Demo(stack, SMALL, Duration.ofMinutes(4), new Silent()).run();
        }

        assertThat(result.differences()).isEmpty();
        assertThat(result.report().result()).as(result.table()).isEqualTo(Verdict.Result.HELD);
        assertThat(result.summary()).isEqualTo("exactly once: held");
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    private static final class Silent implements Narrator {
        @Override
        public void say(String line) {}

        @Override
        public void progress(String text) {}
    }
}
