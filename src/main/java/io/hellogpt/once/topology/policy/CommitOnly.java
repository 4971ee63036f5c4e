package io.hellogpt.once.topology.policy;

import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Snapshot;
import java.util.List;

/** {@code commit-only}: the answer is the result; nothing is done with it. */
public final class CommitOnly implements DecisionPolicy {
    @Override
    public String name() {
        return "commit-only";
    }

    @Override
    public Decision decide(ModelRequest request, Snapshot snapshot) {
        return new Decision.Proceed("commit-only: no effects", List.of());
    }
}
