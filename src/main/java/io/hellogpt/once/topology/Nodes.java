package io.hellogpt.once.topology;

/** The name of every node of the topology that is not a sink; a sink is named after its topic, see {@link #sink}. */
public final class Nodes {
    public static final String REQUESTS_SOURCE = "requests-source";
    public static final String REROUTED_SOURCE = "requests-rerouted-source";
    public static final String RESPONSES_SOURCE = "model-responses-source";
    public static final String OUTCOMES_SOURCE = "effect-outcomes-source";
    public static final String COMMANDS_SOURCE = "commands-source";

    public static final String RECEIVE = "receive";
    public static final String GENERATE = "generate";
    public static final String ACKNOWLEDGE = "acknowledge";
    public static final String COMMIT = "commit";
    public static final String OPERATE = "operate";
    public static final String TIMERS = "timers-due";

    private Nodes() {}

    /** The sink that writes to {@code topic}. */
    public static String sink(String topic) {
        return topic + "-sink";
    }
}
