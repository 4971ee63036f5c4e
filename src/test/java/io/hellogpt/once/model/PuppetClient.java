package io.hellogpt.once.model;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Usage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.awaitility.Awaitility;

/** A client whose calls wait until the test says what they give. */
final class PuppetClient implements ModelClient {
    private final Map<RequestId, BlockingQueue<Object>> results = new ConcurrentHashMap<>();
    final List<ModelCall> calls = new CopyOnWriteArrayList<>();
    volatile boolean closed;

    @Override
    public Answer complete(ModelCall call) throws ModelCallException, InterruptedException {
        calls.add(call);
        return switch (queue(call.id()).take()) {
            case Answer answer -> answer;
            case CallError error -> throw new ModelCallException(error);
            case Object other -> throw new IllegalStateException("a defect: " + other);
        };
    }

    void answer(String id) {
        queue(new RequestId(id)).add(answer());
    }

    void fail(String id, CallError.Kind kind) {
        fail(id, new CallError(kind, "as told", Optional.empty()));
    }

    void fail(String id, CallError error) {
        queue(new RequestId(id)).add(error);
    }

    void defect(String id) {
        queue(new RequestId(id)).add("told to");
    }

    void awaitCalls(int count) {
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> calls.size() == count);
    }

    static Answer answer() {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        return new Answer(
                body,
                "application/json",
                ChatCompletion.sha256(body),
                "puppet",
                "gpt-test",
                "{}",
                Usage.NONE,
                new Cost(0, "USD", "none"),
                Optional.empty(),
                Calls.RECEIVED,
                Calls.RECEIVED);
    }

    private BlockingQueue<Object> queue(RequestId id) {
        return results.computeIfAbsent(id, key -> new LinkedBlockingQueue<>());
    }

    @Override
    public void close() {
        closed = true;
    }
}
