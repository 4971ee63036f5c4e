package io.hellogpt.once.connect.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/** Keeps the first bytes of a response body and gives up on the rest, which would only fill the memory. */
final class LimitedBody implements BodySubscriber<byte[]> {
    private final int limit;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private Subscription subscription;

    LimitedBody(int limit) {
        this.limit = limit;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Subscription upstream) {
        subscription = upstream;
        upstream.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            byte[] bytes = new byte[Math.min(buffer.remaining(), limit - kept.size())];
            buffer.get(bytes);
            kept.writeBytes(bytes);
            if (buffer.hasRemaining()) {
                subscription.cancel();
                body.complete(kept.toByteArray());
                return;
            }
        }
    }

    /** The status is in already and decides; a body that broke off only costs the reference. */
    @Override
    public void onError(Throwable cause) {
        body.complete(kept.toByteArray());
    }

    @Override
    public void onComplete() {
        body.complete(kept.toByteArray());
    }
}
