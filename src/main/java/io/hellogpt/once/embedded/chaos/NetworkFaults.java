package io.hellogpt.once.embedded.chaos;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** What a network does to those who use it. */
final class NetworkFaults {
    private static final int SHORTEST_DELAY_MILLIS = 50;
    private static final int LONGEST_DELAY_MILLIS = 500;
    private static final long RESET_EVERY_MILLIS = 700;

    Fault cut(Link link) {
        return fault(link, link::cut, link::mend);
    }

    Fault delay(Link link, int dice) {
        Duration by = Duration.ofMillis(SHORTEST_DELAY_MILLIS + dice % (LONGEST_DELAY_MILLIS - SHORTEST_DELAY_MILLIS));
        return fault(link, () -> link.delay(by), link::restore);
    }

    /** Again and again until it is over, so that also what comes in between is hit in the middle. */
    Fault reset(Link link) {
        AtomicBoolean over = new AtomicBoolean();
        Fault.Action inject = () -> {
            link.reset();
            Together.start(() -> keepResetting(link, over));
        };
        return fault(link, inject, () -> over.set(true));
    }

    private static void keepResetting(Link link, AtomicBoolean over) {
        try {
            while (!over.get()) {
                TimeUnit.MILLISECONDS.sleep(RESET_EVERY_MILLIS);
                link.reset();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static Fault fault(Link link, Fault.Action inject, Fault.Action heal) {
        AtomicLong before = new AtomicLong();
        Fault.Action counted = () -> {
            before.set(link.hits());
            inject.run();
        };
        return new Fault(
                link.name(), link.names(), counted, heal, Fault.Action.NOTHING, () -> link.hits() > before.get());
    }
}
