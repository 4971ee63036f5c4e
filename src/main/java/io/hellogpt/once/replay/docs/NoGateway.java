package io.hellogpt.once.replay.docs;

import io.hellogpt.once.core.ModelCall;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.topology.ModelGateway;

/** For a topology that is only looked at. */
final class NoGateway implements ModelGateway {
    @Override
    public String instance() {
        return "none";
    }

    @Override
    public Demand demand(ModelRequest request) {
        return new Demand(request.model(), 0);
    }

    @Override
    public boolean reserve(int partition, Demand demand) {
        return false;
    }

    @Override
    public void release(int partition, Demand demand) {
        // Nothing was reserved.
    }

    @Override
    public void start(int partition, ModelCall call) {
        throw new IllegalStateException("nothing can be started without a slot");
    }

    @Override
    public void cancel(RequestId id) {
        // Nothing runs.
    }

    @Override
    public String openBarrier(int partition) {
        return "none";
    }

    @Override
    public void handover(int partition) {
        // Nothing runs.
    }
}
