package io.hellogpt.once.embedded.bench;

import io.hellogpt.once.embedded.EndingWatch;
import io.hellogpt.once.embedded.LoadReport;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Requests at a fixed rate, whatever the system makes of it: a stall shows as latency, not as fewer requests. */
final class OpenLoop {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Lab lab;
    private final Load.Kind kind;

    OpenLoop(Lab lab, Load.Kind kind) {
        this.lab = lab;
        this.kind = kind;
    }

    /**
     * Sends and waits for every ending.
     *
     * @param prefix of the ids; another one for each run
     * @throws IllegalStateException if one is missing, or has failed
     */
    LoadReport run(String prefix, double perSecond, int count) throws InterruptedException {
        return run(prefix, perSecond, count, () -> {});
    }

    /** @param afterwards when all are sent and none is waited for yet */
    LoadReport run(String prefix, double perSecond, int count, Runnable afterwards) throws InterruptedException {
        try (EndingWatch watch = EndingWatch.start(lab.client());
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(atOnce(), new ByteArraySerializer(), new ByteArraySerializer())) {
            long start = System.nanoTime();
            for (int number = 0; number < count; number++) {
                pause(start + (long) (number / perSecond * 1e9));
                watch.sent(prefix + number);
                producer.send(Load.record(prefix + number, kind));
            }
            producer.flush();
            afterwards.run();
            long giveUp = System.nanoTime() + PATIENCE.toNanos();
            while (watch.ended() < count) {
                if (System.nanoTime() > giveUp) {
                    throw new IllegalStateException(
                            "%d of %d requests ended within %s".formatted(watch.ended(), count, PATIENCE));
                }
                watch.awaitMore(Duration.ofSeconds(1));
            }
            LoadReport seen = watch.report(count, Duration.ofNanos(System.nanoTime() - start));
            SteadyLatency.requireNoneFailed(seen);
            return seen;
        }
    }

    /** A client that waits for company waits for itself, not for the system. */
    private Properties atOnce() {
        Properties config = lab.client().producer();
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        return config;
    }

    private static void pause(long until) {
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
