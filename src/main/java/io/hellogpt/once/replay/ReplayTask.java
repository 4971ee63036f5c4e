package io.hellogpt.once.replay;

import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.TaskStep;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.topology.Surroundings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One recorded task, taking its steps again.
 *
 * @param tick the topology's timer interval: Streams punctuates when its own clock passes it, while the topology sees the recorded
 *     clock
 */
record ReplayTask(TaskDriver driver, Recording recording, Duration tick) implements AutoCloseable {
    /**
     * Takes a step.
     *
     * @param before what the step finds, where that is not what the last one left
     * @param read the record the step reads, empty for a look at the timers
     * @return everything it wrote
     */
    List<Output> take(TaskStep step, Optional<Surroundings.Before> before, Optional<CapturedRecord> read) {
        recording.next(step, before);
        return read.map(driver::read).orElseGet(() -> driver.advance(tick));
    }

    Optional<RequestState> state(RequestId id) {
        return driver.state(id);
    }

    @Override
    public void close() {
        driver.close();
    }
}
