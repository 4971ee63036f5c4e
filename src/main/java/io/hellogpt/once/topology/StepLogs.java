package io.hellogpt.once.topology;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/** The step log of every task of a process; the processors of one task share one. Safe for use by several threads. */
public final class StepLogs {
    private final Surroundings surroundings;
    private final Map<TaskId, StepLog> byTask = new ConcurrentHashMap<>();

    public StepLogs(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    StepLog of(ProcessingContext context) {
        return byTask.computeIfAbsent(context.taskId(), task -> new StepLog(surroundings));
    }
}
