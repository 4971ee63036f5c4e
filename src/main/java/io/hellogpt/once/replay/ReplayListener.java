package io.hellogpt.once.replay;

import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.TaskStep;
import io.hellogpt.once.replay.capture.CapturedRecord;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Sees every step of a replay, right after it was taken. */
@FunctionalInterface
public interface ReplayListener {
    ReplayListener NONE = taken -> {};

    void taken(Taken taken);

    /**
     * A step that was taken again.
     *
     * @param read the record it read, empty for a look at the timers
     * @param written what it wrote
     * @param states the state of a request after it
     */
    record Taken(
            TaskStep step,
            Optional<CapturedRecord> read,
            List<Output> written,
            Function<RequestId, Optional<RequestState>> states) {}
}
