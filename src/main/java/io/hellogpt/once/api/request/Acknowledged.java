package io.hellogpt.once.api.request;

import io.hellogpt.once.api.Problem;
import io.hellogpt.once.api.RecordLog;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Appends for a client, who is told when the log does not take it. */
public final class Acknowledged {
    private static final Logger LOG = LoggerFactory.getLogger(Acknowledged.class);
    private static final Duration RETRY = Duration.ofSeconds(5);

    private Acknowledged() {}

    /**
     * Returns when the record is acknowledged.
     *
     * @throws io.hellogpt.once.api.ProblemException 503 otherwise
     */
    public static SourcePosition append(
            RecordLog log, String topic, RequestId id, byte[] value, Map<String, String> headers)
            throws InterruptedException {
        try {
            return log.append(topic, id, value, headers);
        } catch (RecordLog.NotAcknowledged unknown) {
            LOG.error("event=not_acknowledged request_id={} topic={} action=\"answered 503\"", id, topic, unknown);
            throw Problem.of(
                            Problem.Kind.UNAVAILABLE,
                            "the log has not acknowledged it; whether it was kept is not known, and sending the same again is safe")
                    .retryAfter(RETRY)
                    .asException();
        }
    }
}
