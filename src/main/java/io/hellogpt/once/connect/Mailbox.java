package io.hellogpt.once.connect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What one stage leaves for the next, which takes all there is at once: the busier, the larger the batches. */
final class Mailbox<T> {
    private static final long WAIT_MILLIS = 200;

    private final LinkedBlockingQueue<T> queue = new LinkedBlockingQueue<>();
    private final int most;

    /** @param most of one batch */
    Mailbox(int most) {
        this.most = most;
    }

    void put(T item) {
        queue.add(item);
    }

    void putAll(Collection<T> items) {
        queue.addAll(items);
    }

    /** Waits a moment for the first; empty when none came. */
    List<T> takeAll() throws InterruptedException {
        List<T> batch = new ArrayList<>();
        T first = queue.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        if (first != null) {
            batch.add(first);
            queue.drainTo(batch, most - 1);
        }
        return batch;
    }

    int size() {
        return queue.size();
    }
}
