package io.hellogpt.once.topology;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/** The step log of every task of a process; the processors of one task share one. Safe for use by several threads. */
public final class StepLogs {
    private final Surroundings surroundings;
    private final boolean recorded;
    private final Map<TaskId, StepLog> byTask = new ConcurrentHashMap<>();

    /** Every step leaves a record on {@code task-steps}. */
    public StepLogs(Surroundings surroundings) {
        this(surroundings, true);
    }

    /** @param recorded whether steps leave records; without them nothing can be replayed */
    public StepLogs(Surroundings surroundings, boolean recorded) {
        this.surroundings = surroundings;
        this.recorded = recorded;
    }

    StepLog of(ProcessingContext context) {
        return byTask.computeIfAbsent(context.taskId(), task -> new StepLog(surroundings, recorded));
    }
}
