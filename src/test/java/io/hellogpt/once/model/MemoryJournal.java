package io.hellogpt.once.model;

import io.hellogpt.once.core.JournalRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A journal in memory that can be down, or take records and be slow to acknowledge them. */
final class MemoryJournal implements JournalWriter {
    private final List<Written> written = new ArrayList<>();
    private final List<CompletableFuture<Long>> held = new ArrayList<>();
    private RuntimeException outage;
    private boolean holding;
    private int refused;

    record Written(int partition, JournalRecord record) {}

    @Override
    public synchronized CompletionStage<Long> write(int partition, JournalRecord record) {
        if (outage != null) {
            refused++;
            return CompletableFuture.failedFuture(outage);
        }
        written.add(new Written(partition, record));
        if (holding) {
            CompletableFuture<Long> later = new CompletableFuture<>();
            held.add(later);
            return later;
        }
        return CompletableFuture.completedFuture((long) written.size());
    }

    synchronized void down(RuntimeException cause) {
        outage = cause;
    }

    synchronized void up() {
        outage = null;
    }

    synchronized void hold() {
        holding = true;
    }

    /** Acknowledges at once again; what is held stays held. */
    synchronized void release() {
        holding = false;
    }

    synchronized void acknowledgeAll() {
        holding = false;
        held.forEach(offset -> offset.complete(0L));
        held.clear();
    }

    synchronized int refused() {
        return refused;
    }

    synchronized List<Written> written() {
        return List.copyOf(written);
    }

    synchronized List<JournalRecord> records() {
        return written.stream().map(Written::record).toList();
    }
}
