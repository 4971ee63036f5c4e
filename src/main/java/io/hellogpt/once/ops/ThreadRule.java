package io.hellogpt.once.ops;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.stream.Stream;
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
 * <p>The rule: an error that another thread would meet at once (no permission, wrong configuration, a corrupt record, an error of the
 * JVM) ends the client, and with it the process. Every other one replaces the thread: its transaction is aborted, its input is read
 * again, and exactly-once holds. More replacements within an hour than allowed end the client too, since something is broken that a
 * person or a supervisor must see.
 *
 * <p>A thread whose member name is taken by another member (KIP-345) is replaced once: a group coordinator that forgets which member
 * id it gave out, when it moves between brokers, fences a thread by what it was itself. Another process under this one's name does it
 * again and again, so that the second time in a short while ends the client.
 */
final class ThreadRule implements StreamsUncaughtExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadRule.class);
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final Duration NAME_LOST_AGAIN = Duration.ofMinutes(10);

    private final int replacementsPerHour;
    private final InstantSource clock;
    private final Deque<Instant> replacements = new ArrayDeque<>();
    private Instant nameLost = Instant.EPOCH;

    ThreadRule(int replacementsPerHour, InstantSource clock) {
        this.replacementsPerHour = replacementsPerHour;
        this.clock = clock;
    }

    @Override
    public synchronized StreamThreadExceptionResponse handle(Throwable death) {
        Instant now = clock.instant();
        if (isFatal(death) || isNameLostAgain(death, now)) {
            LOG.error("event=stream_thread_died action=shutdown cause=fatal", death);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
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

    private boolean isNameLostAgain(Throwable death, Instant now) {
        if (causes(death).noneMatch(FencedInstanceIdException.class::isInstance)) {
            return false;
        }
        boolean again = nameLost.plus(NAME_LOST_AGAIN).isAfter(now);
        nameLost = now;
        return again;
    }

    private static Stream<Throwable> causes(Throwable death) {
        return Stream.iterate(death, Objects::nonNull, Throwable::getCause);
    }

    private static boolean isFatal(Throwable death) {
        return causes(death)
                .anyMatch(cause -> cause instanceof Error
                        || cause instanceof AuthorizationException
                        || cause instanceof AuthenticationException
                        || cause instanceof ConfigException
                        || cause instanceof CorruptRecordException
                        || cause instanceof InvalidTopicException
                        || cause instanceof UnsupportedVersionException);
    }
}
