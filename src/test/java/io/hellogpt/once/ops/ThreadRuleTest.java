package io.hellogpt.once.ops;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD;
import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class ThreadRuleTest {
    private static final Clock STANDING = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

    private final ThreadRule rule = new ThreadRule(2, STANDING);
    private Instant now = STANDING.instant();
    private final InstantSource going = () -> now;

    @Test
    void whatAnotherThreadWouldMeetAtOnceEndsTheClient() {
        assertThat(rule.handle(new StreamsException(new TopicAuthorizationException("requests"))))
                .isEqualTo(SHUTDOWN_CLIENT);
        assertThat(rule.handle(new OutOfMemoryError())).isEqualTo(SHUTDOWN_CLIENT);
    }

    /** Two processes under one name would take it from each other for ever. */
    @Test
    void whoseNameIsTakenAgainInAShortWhileEnds() {
        assertThat(rule.handle(new FencedInstanceIdException("another one joined")))
                .isEqualTo(REPLACE_THREAD);
        assertThat(rule.handle(new StreamsException(new FencedInstanceIdException("at a commit"))))
                .isEqualTo(SHUTDOWN_CLIENT);
    }

    /** A coordinator that has moved to another broker may have forgotten who it is. */
    @Test
    void whoseNameIsTakenNowAndThenIsReplaced() {
        ThreadRule early = new ThreadRule(2, going);
        assertThat(early.handle(new FencedInstanceIdException("by itself"))).isEqualTo(REPLACE_THREAD);
        now = now.plus(Duration.ofMinutes(10));
        assertThat(early.handle(new FencedInstanceIdException("by itself"))).isEqualTo(REPLACE_THREAD);
        now = now.plus(Duration.ofMinutes(9));
        assertThat(early.handle(new FencedInstanceIdException("by another one")))
                .isEqualTo(SHUTDOWN_CLIENT);
    }

    @Test
    void othersAreReplacedAFewTimes() {
        assertThat(rule.handle(new StreamsException(new TimeoutException("once"))))
                .isEqualTo(REPLACE_THREAD);
        assertThat(rule.handle(new IllegalStateException("twice"))).isEqualTo(REPLACE_THREAD);
        assertThat(rule.handle(new IllegalStateException("too often"))).isEqualTo(SHUTDOWN_CLIENT);
    }
}
