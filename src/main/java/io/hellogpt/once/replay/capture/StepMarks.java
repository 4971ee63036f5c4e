package io.hellogpt.once.replay.capture;

import io.hellogpt.once.core.TaskStep;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * What a capture of some requests notes on each step it keeps: whether the task's barrier had been read before it. The steps
 * between are gone, and with them what they would have left.
 */
public final class StepMarks {
    static final String OPEN_BEFORE = "once-capture-open-before";

    private StepMarks() {}

    /** @param before the step before it, in the same task, kept or not; null when there is none */
    public static CapturedRecord mark(CapturedRecord recorded, TaskStep before, TaskStep step) {
        boolean open = before == null ? step.open() : before.start().equals(step.start()) && before.open();
        byte[] value = Boolean.toString(open).getBytes(StandardCharsets.UTF_8);
        return recorded.with(List.of(new CapturedRecord.Entry(OPEN_BEFORE, value)));
    }

    /** Whether the barrier had been read, if the step says so. */
    public static Optional<Boolean> openBefore(CapturedRecord step) {
        return step.header(OPEN_BEFORE).map(Boolean::valueOf);
    }
}
