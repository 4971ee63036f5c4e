package io.hellogpt.once.replay.capture;

import io.hellogpt.once.core.TaskStep;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a capture of some requests notes on each step it keeps: what the task remembered before it, and how many of the kept
 * requests got a slot. The steps between are gone, and with them what they would have left.
 */
public final class StepMarks {
    static final String BEFORE = "once-capture-before";
    static final String SLOTS = "once-capture-slots";

    private StepMarks() {}

    /** @param slots how many slots are given, where that is not what the step says */
    public static CapturedRecord mark(CapturedRecord step, TaskStep.Dispatch before, Optional<Long> slots) {
        List<CapturedRecord.Entry> marks = new ArrayList<>();
        marks.add(entry(BEFORE, before.open() + "," + before.backlog()));
        slots.ifPresent(number -> marks.add(entry(SLOTS, Long.toString(number))));
        return step.with(marks);
    }

    /** What a step found, by the step before it. */
    public static TaskStep.Dispatch found(TaskStep before, TaskStep step) {
        if (before == null) {
            return step.dispatch();
        }
        return before.start().equals(step.start()) ? before.dispatch() : TaskStep.Dispatch.INITIAL;
    }

    private static CapturedRecord.Entry entry(String name, String value) {
        return new CapturedRecord.Entry(name, value.getBytes(StandardCharsets.UTF_8));
    }

    public static Optional<TaskStep.Dispatch> before(CapturedRecord step) {
        return step.header(BEFORE)
                .map(text -> new TaskStep.Dispatch(
                        Boolean.parseBoolean(text.substring(0, text.indexOf(','))),
                        Boolean.parseBoolean(text.substring(text.indexOf(',') + 1))));
    }

    /** How often in a row a slot is given, then refused, and so on. */
    public static List<Integer> slots(CapturedRecord recorded, TaskStep step) {
        return recorded.header(SLOTS)
                .map(text -> List.of(Integer.valueOf(text)))
                .orElseGet(step::slots);
    }
}
