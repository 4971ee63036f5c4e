package io.hellogpt.once.topology;

import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.StoreView;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/** The four stores of one task. Read through {@link StoreView}; written by {@link FactApplier}, and by {@link LaneMigration}. */
record TaskStores(RequestStore requests, SnapshotStore snapshots, TimerStore timers, EarlyResponseStore earlyResponses)
        implements StoreView {

    static TaskStores of(ProcessingContext context, DueTimes dueTimes) {
        return new TaskStores(
                new RequestStore(context.getStateStore(Stores.REQUESTS_BY_ID)),
                new SnapshotStore(context.getStateStore(Stores.SNAPSHOTS_BY_ID)),
                new TimerStore(context.getStateStore(Stores.TIMERS), dueTimes),
                new EarlyResponseStore(context.getStateStore(Stores.EARLY_RESPONSES)));
    }

    @Override
    public Optional<RequestState> state(RequestId id) {
        return requests.get(id);
    }

    @Override
    public Optional<Snapshot> snapshot(RequestId id) {
        return snapshots.get(id);
    }

    @Override
    public Optional<EarlyResponse> early(RequestId id) {
        return earlyResponses.get(id);
    }
}
