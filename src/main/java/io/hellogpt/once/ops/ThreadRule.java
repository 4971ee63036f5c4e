package io.hellogpt.once.ops;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows when a stream thread dies.
 *
 * <p>The rule: an error that another thread would meet at once (no permission, wrong configuration, a corrupt record, another process
 * that runs under this one's name, an error of the JVM) ends the client, and with it the process. Every other one replaces the
 * thread: its transaction is aborted, its input is read again, and exactly-once holds. More replacements within an hour than allowed
 * end the client too, since something is broken that a person or a supervisor must see.
 */
final class ThreadRule implements StreamsUncaughtExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadRule.class);
    private static final Duration WINDOW = Duration.ofHours(1);

    private final int replacementsPerHour;
    private final Clock clock;
    private final Deque<Instant> replacements = new ArrayDeque<>();

    ThreadRule(int replacementsPerHour, Clock clock) {
        this.replacementsPerHour = replacementsPerHour;
        this.clock = clock;
    }

    @Override
    public synchronized StreamThreadExceptionResponse handle(Throwable death) {
        if (isFatal(death)) {
            LOG.error("event=stream_thread_died action=shutdown cause=fatal", death);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        Instant now = clock.instant();
        replacements.removeIf(earlier -> earlier.isBefore(now.minus(WINDOW)));
        if (replacements.size() >= replacementsPerHour) {
            LOG.error(
                    "event=stream_thread_died action=shutdown cause=too_many replaced_within_the_hour={}",
                    replacements.size(),
                    death);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        replacements.add(now);
        LOG.warn(
                "event=stream_thread_died action=replace replaced_within_the_hour={} allowed={}",
                replacements.size(),
                replacementsPerHour,
                death);
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    private static boolean isFatal(Throwable death) {
        for (Throwable cause = death; cause != null; cause = cause.getCause()) {
            if (cause instanceof Error
                    || cause instanceof AuthorizationException
                    || cause instanceof AuthenticationException
                    || cause instanceof ConfigException
                    || cause instanceof CorruptRecordException
                    || cause instanceof FencedInstanceIdException
                    || cause instanceof InvalidTopicException
                    || cause instanceof UnsupportedVersionException) {
                return true;
            }
        }
        return false;
    }
}
