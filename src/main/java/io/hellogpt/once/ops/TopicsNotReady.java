package io.hellogpt.once.ops;

import io.hellogpt.once.ops.TopicAdmin.Difference;
import java.util.List;
import java.util.stream.Collectors;

/** The cluster's topics are not as they must be; the message lists every difference and what to do about it. */
public final class TopicsNotReady extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TopicsNotReady(List<Difference> differences) {
        super(differences.stream()
                .map(Difference::toString)
                .collect(Collectors.joining(
                        "\n  ", "the topics are not set up, so nothing was started (`once topics check`):\n  ", "")));
    }
}
