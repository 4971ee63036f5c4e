package io.hellogpt.once.topology;

import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Timer;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/**
 * Gives lanes to the requests that have waited since before version 0.1.0. What stands without a lane and whose request waits no more, or
 * waits until another time, is dropped.
 */
final class LaneMigration {
    /** Keys in memory at a time. */
    private static final int PAGE = 1_000;

    private final TaskStores stores;

    LaneMigration(TaskStores stores) {
        this.stores = stores;
    }

    /** @return how many requests were given a lane */
    int run() {
        int moved = 0;
        List<Bytes> page = stores.timers().withoutLane(Keys.firstWithoutLane(), PAGE);
        while (!page.isEmpty()) {
            for (Bytes key : page) {
                moved += move(key) ? 1 : 0;
            }
            // What was deleted is not read again: it stays behind in the store until that compacts.
            page = stores.timers().withoutLane(Keys.successor(page.getLast()), PAGE);
        }
        return moved;
    }

    private boolean move(Bytes key) {
        Timer timer = Keys.timer(key);
        Optional<RequestState> waiting = stores.state(timer.id())
                .filter(state -> state instanceof Pending && state.timers().contains(timer));
        waiting.ifPresent(state -> stores.timers().put(state, timer));
        stores.timers().deleteWithoutLane(key);
        return waiting.isPresent();
    }
}
