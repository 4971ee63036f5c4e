package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hellogpt.once.core.JournalRecord;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class JournalDeliveryTest {
    private final Logger log = (Logger) LoggerFactory.getLogger(JournalDelivery.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        log.setLevel(Level.INFO);
        log.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        log.detachAppender(lines);
        log.setLevel(null);
    }

    @Test
    void anOutageIsReportedOnceAndItsEndToo() throws Exception {
        int[] refusals = {3};
        JournalDelivery delivery = new JournalDelivery(
                (partition, record) -> refusals[0]-- > 0
                        ? CompletableFuture.failedFuture(new TimeoutException("broker away"))
                        : CompletableFuture.completedFuture(0L),
                new SteppedClock());

        assertThat(delivery.write(0, new JournalRecord.Barrier("b"))).isEqualTo(JournalDelivery.Delivery.ACKNOWLEDGED);
        assertThat(delivery.retries()).isEqualTo(3);
        assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.ERROR, Level.INFO);
    }
}
