package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.topology.ModelGateway.Demand;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** A gateway whose clock, journal and model the test moves by hand. */
final class GatewayRig implements AutoCloseable {
    static final GatewaySettings SETTINGS = settings(CallLimits.slots(2));
    private static final Duration MINUTE = Duration.ofMinutes(1);

    final SteppedClock clock = new SteppedClock();
    final MemoryJournal journal = new MemoryJournal();
    final PuppetClient client = new PuppetClient();
    final Gateway gateway;

    GatewayRig() {
        this(SETTINGS);
    }

    GatewayRig(GatewaySettings settings) {
        gateway = new Gateway("instance-1", client, journal, settings, clock);
    }

    static GatewaySettings settings(CallLimits limits) {
        return new GatewaySettings(limits, Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(60), 50, 4);
    }

    /** What a call of the model takes that {@link Calls} asks. */
    static Demand demand() {
        return new Demand(Calls.MODEL, 0);
    }

    boolean reserve() {
        return gateway.reserve(0, demand());
    }

    void release() {
        gateway.release(0, demand());
    }

    void start(int partition, String id, int attempt) {
        assertThat(gateway.reserve(partition, demand())).isTrue();
        gateway.start(partition, Calls.call(id, attempt, deadline()));
    }

    /** @return whether there was a slot */
    boolean tryStart(int partition, String id, String model) {
        var call = Calls.of(model, id, deadline());
        if (!gateway.reserve(partition, gateway.demand(call.request()))) {
            return false;
        }
        gateway.start(partition, call);
        return true;
    }

    Instant deadline() {
        return clock.instant().plus(MINUTE);
    }

    CallError error(int index) {
        return ((JournalRecord.CallFailed) journal.records().get(index)).error();
    }

    void awaitIdle() {
        await(() -> gateway.status().slotsTaken() == 0);
    }

    static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }

    @Override
    public void close() {
        journal.up();
        journal.acknowledgeAll();
        gateway.close();
    }
}
