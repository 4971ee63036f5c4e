package io.hellogpt.once.model;

import io.hellogpt.once.core.JournalRecord;
import java.util.concurrent.CompletionStage;

/** Appends to the journal, topic {@code model-responses}. Safe for use by several threads. */
@FunctionalInterface
public interface JournalWriter {
    /**
     * Appends one record. Records written to one partition one after the other stand there in that order.
     *
     * @return the record's offset, once it is durable; completed exceptionally when it may not be. A record larger than the
     *     broker takes completes with {@link org.apache.kafka.common.errors.RecordTooLargeException}; writing it again would be
     *     of no use; so would it be for one that cannot be encoded, which completes with
     *     {@link org.apache.kafka.common.errors.SerializationException}. After any other failure it may be written again; the reader drops the second one.
     */
    CompletionStage<Long> write(int partition, JournalRecord record);
}
