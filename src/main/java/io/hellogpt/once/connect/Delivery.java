package io.hellogpt.once.connect;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.SourcePosition;
import org.apache.kafka.common.TopicPartition;

/**
 * One attempt as it was read.
 *
 * @param readNanos when, by {@link System#nanoTime}
 */
record Delivery(SourcePosition position, Effect effect, long readNanos) {
    TopicPartition topicPartition() {
        return new TopicPartition(position.topic(), position.partition());
    }
}
