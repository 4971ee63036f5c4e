package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.embedded.EmbeddedException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/** Several things that mostly wait, done at the same time. */
final class Together {
    private static final Executor EACH =
            task -> Thread.ofVirtual().name("chaos").start(task);

    private Together() {}

    /**
     * Returns when all have ended.
     *
     * @throws EmbeddedException the first failure
     */
    static void run(List<Runnable> tasks) {
        try {
            CompletableFuture.allOf(tasks.stream().map(Together::start).toArray(CompletableFuture[]::new))
                    .join();
        } catch (CompletionException e) {
            throw new EmbeddedException(e.getCause().getMessage(), e.getCause());
        }
    }

    static CompletableFuture<Void> start(Runnable task) {
        return CompletableFuture.runAsync(task, EACH);
    }
}
