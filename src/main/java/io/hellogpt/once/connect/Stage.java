package io.hellogpt.once.connect;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that does one step of the pipeline over and over. What is down is waited for: a step that fails for want of the
 * database or the brokers is done again after a pause. Any other failure is a defect and ends the task.
 */
final class Stage {
    private static final Logger LOG = LoggerFactory.getLogger(Stage.class);
    private static final long PAUSE_MILLIS = 1_000;
    /** Of so many failures in a row one is logged. */
    private static final int SILENT = 60;

    private final CountDownLatch stopping = new CountDownLatch(1);
    private final String name;
    private final Step step;
    private final Consumer<Throwable> fatal;
    private final Thread thread;
    private int failures;

    /** What a stage does, again and again; waits by itself when there is nothing to do. */
    interface Step {
        void once() throws SQLException, InterruptedException;
    }

    /** @param fatal told of a failure that no waiting cures */
    Stage(String name, Step step, Consumer<Throwable> fatal) {
        this.name = name;
        this.step = step;
        this.fatal = fatal;
        // Not a virtual thread: JDBC and the producer may pin their carriers for as long as a server is silent.
        this.thread = Thread.ofPlatform().daemon().name("once-" + name).unstarted(this::run);
    }

    Stage start() {
        thread.start();
        return this;
    }

    private void run() {
        try {
            while (stopping.getCount() > 0) {
                try {
                    step.once();
                    recovered();
                } catch (SQLException e) {
                    failed("ledger", "sql_state=" + e.getSQLState(), e);
                } catch (KafkaException e) {
                    failed("brokers", "", e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            fatal.accept(e);
        }
    }

    private void recovered() {
        if (failures > 0) {
            LOG.info("stage goes on stage={} after_failures={}", name, failures);
            failures = 0;
        }
    }

    private void failed(String what, String how, Exception e) throws InterruptedException {
        if (failures++ % SILENT == 0) {
            LOG.error(
                    "{} cannot be used, work is kept and tried again every {} ms stage={} {}",
                    what,
                    PAUSE_MILLIS,
                    name,
                    how,
                    e);
        }
        stopping.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Begins no further step. */
    void stop() {
        stopping.countDown();
    }

    /** Waits for the step that is being done; interrupts it when the time is up. */
    void join(Duration limit) {
        try {
            if (!thread.join(limit)) {
                thread.interrupt();
                thread.join(Duration.ofMillis(PAUSE_MILLIS));
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
