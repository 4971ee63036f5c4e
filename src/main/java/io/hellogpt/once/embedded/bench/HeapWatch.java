package io.hellogpt.once.embedded.bench;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Looks at an instance's heap once a second, by its own metrics. */
final class HeapWatch implements AutoCloseable {
    private static final Pattern USED =
            Pattern.compile("(?m)^jvm_memory_used_bytes\\{[^}]*area=\"heap\"[^}]*} (\\S+)$");
    private static final long EVERY_MS = 1_000;

    private final Subject instance;
    private final Thread thread;
    private volatile long most;

    private HeapWatch(Subject instance) {
        this.instance = instance;
        this.thread = Thread.ofPlatform().daemon().name("heap-watch").unstarted(this::look);
    }

    static HeapWatch start(Subject instance) {
        HeapWatch watch = new HeapWatch(instance);
        watch.thread.start();
        return watch;
    }

    private void look() {
        try {
            while (true) {
                double used = USED.matcher(instance.metrics())
                        .results()
                        .map(MatchResult::group)
                        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                        .sum();
                most = Math.max(most, (long) used);
                Thread.sleep(EVERY_MS);
            }
        } catch (InterruptedException closed) {
            // That is how close() ends it.
        }
    }

    /** Bytes. */
    long mostUsed() {
        return most;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
