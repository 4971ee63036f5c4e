package io.hellogpt.once.ops;

import io.hellogpt.once.topology.Topics;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Every topic: what it is for, who writes and reads it, and how it must be set up. The one place that knows.
 *
 * @param topics in the order of a request's life
 */
public record TopicCatalogue(List<Topic> topics) {
    /** Largest record on any topic: an answer and its request of the largest size allowed, with room for what stands around. */
    public static final int RECORD_MAX_BYTES = 4 * 1024 * 1024;

    private static final Duration INPUT = Duration.ofDays(14);
    private static final Duration FEEDBACK = Duration.ofDays(14);
    private static final Duration ENDINGS = Duration.ofDays(30);

    public TopicCatalogue {
        topics = List.copyOf(topics);
    }

    /**
     * One topic.
     *
     * @param appendTime the broker stamps records with its own time; the dedup window moves with it, so that a producer's
     *     clock cannot
     * @param input its partition count must equal that of every other input
     */
    public record Topic(
            String name,
            String holds,
            String writers,
            String readers,
            Duration retention,
            boolean appendTime,
            boolean input) {

        /** The topic's configuration for a given replication factor. */
        public Map<String, String> configuration(int replication) {
            Map<String, String> wanted = new LinkedHashMap<>();
            wanted.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
            wanted.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(retention.toMillis()));
            wanted.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(minInSync(replication)));
            wanted.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(RECORD_MAX_BYTES));
            wanted.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, appendTime ? "LogAppendTime" : "CreateTime");
            return wanted;
        }
    }

    /** With fewer copies than this in sync, writes wait instead of being at risk: all but one, and at least one. */
    static int minInSync(int replication) {
        return Math.max(1, replication - 1);
    }

    /** The topics of this version. */
    public static TopicCatalogue standard() {
        return new TopicCatalogue(List.of(
                input(Topics.REQUESTS, "requests, as producers send them", "producers", "once", INPUT, true),
                input(
                        Topics.REQUESTS_REROUTED,
                        "requests that stood in a partition their id does not belong to",
                        "once",
                        "once",
                        INPUT,
                        true),
                input(
                        Topics.MODEL_RESPONSES,
                        "the journal: answers and errors of model calls, barriers, handovers",
                        "once (gateway)",
                        "once",
                        FEEDBACK,
                        false),
                output(Topics.SNAPSHOTS, "the one answer recorded per request", "consumers", ENDINGS),
                output(Topics.EFFECTS, "the outbox: one record per attempt of an effect", "sink connector", FEEDBACK),
                input(Topics.EFFECT_OUTCOMES, "what became of each attempt", "sink connector", "once", FEEDBACK, false),
                input(Topics.COMMANDS, "what operators ask for", "operators", "once", FEEDBACK, false),
                output(Topics.COMMITTED_RESULTS, "the ending of requests that took effect", "consumers", ENDINGS),
                output(Topics.FAILED_REQUESTS, "the ending of requests that did not", "consumers", ENDINGS),
                output(Topics.DUPLICATE_REQUESTS, "the answer to requests seen before", "consumers", ENDINGS),
                output(Topics.REJECTED_REQUESTS, "records not accepted, with their bytes", "operators", ENDINGS),
                output(Topics.LIFECYCLE_EVENTS, "the audit log, one record per transition", "operators", ENDINGS),
                output(Topics.TASK_STEPS, "what each task did in which order", "once capture", INPUT)));
    }

    private static Topic input(
            String name, String holds, String writers, String readers, Duration retention, boolean appendTime) {
        return new Topic(name, holds, writers, readers, retention, appendTime, true);
    }

    private static Topic output(String name, String holds, String readers, Duration retention) {
        return new Topic(name, holds, "once", readers, retention, false, false);
    }
}
