package io.hellogpt.once.ops;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waits for futures that never fail. */
final class Interruptible {
    private Interruptible() {}

    static <T> T get(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a future that never fails has failed", failed.getCause());
        }
    }
}
