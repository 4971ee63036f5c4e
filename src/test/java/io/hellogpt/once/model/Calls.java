package io.hellogpt.once.model;

import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.RequestId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Calls to test with. */
final class Calls {
    static final Instant RECEIVED = Instant.parse("2026-01-01T00:00:00Z");

    static final String MODEL = "gpt-test";

    private Calls() {}

    static ModelCall of(String model, String id, Instant deadline) {
        return call(model, id, 1, deadline, "{}");
    }

    static ModelCall call(String id, int attempt, Instant deadline) {
        return call(id, attempt, deadline, "{}");
    }

    static ModelCall call(String id, int attempt, Instant deadline, String parameters) {
        return call(MODEL, id, attempt, deadline, parameters);
    }

    private static ModelCall call(String model, String id, int attempt, Instant deadline, String parameters) {
        ModelRequest request = new ModelRequest(
                new RequestId(id),
                model,
                "[{\"content\":\"Draw up a contract, café\",\"role\":\"user\"}]",
                parameters,
                "commit-only",
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of());
        return new ModelCall(request, 0, attempt, RECEIVED, deadline);
    }
}
