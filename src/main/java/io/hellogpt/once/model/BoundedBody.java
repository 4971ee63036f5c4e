package io.hellogpt.once.model;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Collects a response body up to a limit and hangs up past it: an answer of 50 MB must not be held, nor waited for. */
final class BoundedBody implements BodySubscriber<BoundedBody.Body> {
    private final int limit;
    private final ByteArrayOutputStream collected = new ByteArrayOutputStream();
    private final CompletableFuture<Body> result = new CompletableFuture<>();
    private Flow.Subscription subscription;

    /** @param complete false when the limit was passed; then {@code bytes} is the beginning */
    record Body(byte[] bytes, boolean complete) {}

    BoundedBody(int limit) {
        this.limit = limit;
    }

    @Override
    public CompletionStage<Body> getBody() {
        return result;
    }

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
        subscription = newSubscription;
        subscription.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            int take = Math.min(buffer.remaining(), limit - collected.size());
            byte[] chunk = new byte[take];
            buffer.get(chunk);
            collected.writeBytes(chunk);
            if (buffer.hasRemaining()) {
                subscription.cancel();
                result.complete(new Body(collected.toByteArray(), false));
                return;
            }
        }
        subscription.request(1);
    }

    @Override
    public void onError(Throwable failure) {
        result.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        result.complete(new Body(collected.toByteArray(), true));
    }
}
