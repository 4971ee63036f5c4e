package io.hellogpt.once.embedded;

/**
 * How large a stack is and how its model behaves.
 *
 * @param instances application instances, each a process of its own; at least 1
 * @param partitions of every topic; at least 1
 * @param modelLatencyMillis least time of a model call
 * @param modelMillisPerToken time of a model call for each token of the answer, on top
 */
public record StackSettings(int instances, int partitions, long modelLatencyMillis, double modelMillisPerToken) {
    /** Two instances, four partitions, answers after about a second. */
    public static final StackSettings STANDARD = new StackSettings(2, 4, 400, 8);

    public StackSettings {
        if (instances < 1 || partitions < 1) {
            throw new IllegalArgumentException("a stack has at least one instance and one partition, not %d and %d"
                    .formatted(instances, partitions));
        }
        if (modelLatencyMillis < 0 || !(modelMillisPerToken >= 0)) {
            throw new IllegalArgumentException("a model's latency is 0 or more");
        }
    }
}
