package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.schema.Codecs;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What builds before version 0.1.0 left in the store of timers: requests that wait stood under (0, due, offset, request_id), without a lane. */
class StoreBeforeLanesTest {
    /** More than are looked at in one go. */
    private static final int MANY = 2_500;

    @TempDir
    Path dir;

    private TopologyRig rig;
    private KeyValueStore<Bytes, byte[]> timers;

    @BeforeEach
    void start() {
        rig = new TopologyRig(dir);
        timers = rig.driver().getKeyValueStore(Stores.TIMERS);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void whatWaitedThenIsCounted() {
        requests(1);
        assertThat(counted()).containsExactly("r-0");
    }

    @Test
    void whatWaitedThenIsDispatchedInItsOrderAndNothingIsLeftBehind() {
        requests(3);
        timers.put(old(TopologyRig.START, 7, "unknown"), new byte[0]);
        timers.put(old(TopologyRig.START.minusSeconds(1), 0, "r-0"), new byte[0]);

        rig.opened();
        rig.advance(Duration.ofSeconds(2));
        assertThat(rig.gateway.calls).extracting(call -> call.id().value()).containsExactly("r-0", "r-1", "r-2");
        assertThat(counted()).isEmpty();
    }

    @Test
    void theyMayBeMany() {
        rig.gateway.slots = 0;
        requests(MANY);
        rig.opened();
        assertThat(counted()).hasSize(MANY).doesNotHaveDuplicates();

        rig.gateway.slots = MANY;
        for (int i = 0; i < 100 && rig.gateway.calls.size() < MANY; i++) {
            rig.advance(Duration.ofSeconds(2));
        }
        assertThat(rig.gateway.calls).hasSize(MANY);
        assertThat(counted()).isEmpty();
    }

    /** Requests that wait, under the keys of then. */
    private void requests(int count) {
        for (int i = 0; i < count; i++) {
            rig.request("{\"request_id\":\"r-" + i + "\",\"model\":\"m-" + i % 3 + "\",\"input\":\"x\"}");
        }
        List<Bytes> keys = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> all = timers.all()) {
            all.forEachRemaining(entry -> keys.add(entry.key));
        }
        keys.forEach(timers::delete);
        KeyValueStore<Bytes, byte[]> states = rig.driver().getKeyValueStore(Stores.REQUESTS_BY_ID);
        for (int i = 0; i < count; i++) {
            RequestState state = Codecs.STATE.decode(states.get(Keys.of(new RequestId("r-" + i))));
            for (Timer timer : state.timers()) {
                timers.put(old(timer.due(), timer.sequence(), "r-" + i), new byte[0]);
            }
        }
    }

    private static Bytes old(Instant due, long offset, String id) {
        byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(ByteBuffer.allocate(17 + bytes.length)
                .put((byte) 0)
                .putLong(due.toEpochMilli())
                .putLong(offset)
                .put(bytes)
                .array());
    }

    private List<String> counted() {
        List<String> ids = new ArrayList<>();
        StoredTimers.each(
                timers,
                Timer.Kind.PENDING,
                Integer.MAX_VALUE,
                timer -> ids.add(timer.id().value()));
        return ids;
    }
}
