package io.hellogpt.once.topology;

import java.util.List;

/** The name of every topic. What each is for, and how it is set up, stands in {@code io.hellogpt.once.ops.TopicCatalogue}. */
public final class Topics {
    public static final String REQUESTS = "requests";
    public static final String REQUESTS_REROUTED = "requests-rerouted";
    public static final String MODEL_RESPONSES = "model-responses";
    public static final String EFFECT_OUTCOMES = "effect-outcomes";
    public static final String COMMANDS = "commands";

    public static final String SNAPSHOTS = "snapshots";
    public static final String EFFECTS = "effects";
    public static final String COMMITTED_RESULTS = "committed-results";
    public static final String FAILED_REQUESTS = "failed-requests";
    public static final String DUPLICATE_REQUESTS = "duplicate-requests";
    public static final String REJECTED_REQUESTS = "rejected-requests";
    public static final String LIFECYCLE_EVENTS = "lifecycle-events";

    /** What each task did in which order, for replay; written in its transaction, to the task's own partition. */
    public static final String TASK_STEPS = "task-steps";

    /** Read by the one sub-topology; their partition counts must be equal. */
    public static final List<String> INPUTS =
            List.of(REQUESTS, REQUESTS_REROUTED, MODEL_RESPONSES, EFFECT_OUTCOMES, COMMANDS);

    /** Written in the task's transaction, keyed by request_id. */
    public static final List<String> OUTPUTS = List.of(
            SNAPSHOTS,
            EFFECTS,
            COMMITTED_RESULTS,
            FAILED_REQUESTS,
            DUPLICATE_REQUESTS,
            REJECTED_REQUESTS,
            LIFECYCLE_EVENTS);

    /** What producers and consumers of the product read; written as JSON where the configuration says so. */
    public static final List<String> ANSWERS =
            List.of(COMMITTED_RESULTS, FAILED_REQUESTS, DUPLICATE_REQUESTS, REJECTED_REQUESTS);

    private Topics() {}
}
