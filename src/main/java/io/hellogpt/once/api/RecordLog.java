package io.hellogpt.once.api;

import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import java.util.Map;

/** Appends to the input topics of the topology. Safe for use by several threads. */
@FunctionalInterface
public interface RecordLog {
    /**
     * Appends to the partition of the request and returns when all in-sync replicas have it.
     *
     * @param headers of the record
     * @throws NotAcknowledged when that cannot be said; the record may be there all the same
     */
    SourcePosition append(String topic, RequestId id, byte[] value, Map<String, String> headers)
            throws InterruptedException;

    /** It is not known whether the record was kept; sending it again is safe, for all that is sent here is idempotent. */
    final class NotAcknowledged extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public NotAcknowledged(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
