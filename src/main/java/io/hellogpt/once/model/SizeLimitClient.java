package io.hellogpt.once.model;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.ModelCall;

/** Holds any client to {@code snapshot.max.bytes}. Clients that can stop reading earlier do. */
record SizeLimitClient(ModelClient client, int maxBytes) implements ModelClient {
    @Override
    public Answer complete(ModelCall call) throws ModelCallException, InterruptedException {
        Answer answer = client.complete(call);
        if (answer.body().length > maxBytes) {
            throw ModelCallException.of(
                    CallError.Kind.TOO_LARGE,
                    "the answer of " + answer.body().length + " bytes is larger than snapshot.max.bytes=" + maxBytes);
        }
        return answer;
    }

    @Override
    public void close() {
        client.close();
    }
}
