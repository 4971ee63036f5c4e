package io.hellogpt.once.replay;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;

/**
 * Measures how fast a capture is replayed on one core, {@code ReplaySpeed FILE PASSES}. One pass of a small capture measures the start of
 * the JVM; the later ones tell what a large capture would.
 */
final class ReplaySpeed {
    private ReplaySpeed() {}

    public static void main(String[] arguments) {
        Path file = Path.of(arguments[0]);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (int pass = 1; pass <= Integer.parseInt(arguments[1]); pass++) {
            long before = threads.getCurrentThreadCpuTime();
            ReplayReport report = Replay.of(file, ReplayOptions.AS_RECORDED, ReplayListener.NONE);
            long millis = Math.max(1, (threads.getCurrentThreadCpuTime() - before) / 1_000_000);
            System.out.printf(
                    "pass %d: %,d requests, %,d steps, %,d differences, %,d requests a minute, %,d on a core of its own%n",
                    pass,
                    report.requests(),
                    report.steps(),
                    report.divergences().size(),
                    report.speed(),
                    report.requests() * 60_000 / millis);
        }
    }
}
