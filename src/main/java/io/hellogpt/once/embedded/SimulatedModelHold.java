package io.hellogpt.once.embedded;

import java.util.HashSet;
import java.util.Set;

/** Keeps answers back until they are asked for, so that a fault can be placed before or after one. Safe for several threads. */
final class SimulatedModelHold {
    private record Call(String requestId, int attempt) {}

    private final Set<Call> released = new HashSet<>();
    private boolean holding;

    /** From here on calls are logged and not answered. */
    synchronized void hold() {
        holding = true;
    }

    /** Answers what was kept back, and keeps nothing back any more. */
    synchronized void release() {
        holding = false;
        released.clear();
        notifyAll();
    }

    /** Answers one call, whether it has come already or not. */
    synchronized void release(String requestId, int attempt) {
        released.add(new Call(requestId, attempt));
        notifyAll();
    }

    synchronized void await(String requestId, int attempt) throws InterruptedException {
        Call call = new Call(requestId, attempt);
        while (holding && !released.contains(call)) {
            wait();
        }
    }
}
