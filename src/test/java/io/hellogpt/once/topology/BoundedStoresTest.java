package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.topology.policy.Billing;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Under endless load the stores hold what the dedup window holds and no more; counted in the real stores, on disk. */
class BoundedStoresTest {
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final int PER_WINDOW = 60;
    private static final int WINDOWS = 6;
    private static final int BATCH = 7;
    private static final Duration LOOK = Duration.ofMillis(50);

    @TempDir
    Path dir;

    @Test
    void everyStoreReturnsToItsBoundHoweverManyWindowsPass() {
        try (TopologyRig rig = new TopologyRig(dir, setup()).opened()) {
            for (int window = 0; window < WINDOWS; window++) {
                load(rig, window);
                looksUntilQuiet(rig);
                // Those that ended in this window and the last are remembered, with snapshot and expiry timer each.
                assertThat(entries(rig))
                        .as("after window %d", window)
                        .allSatisfy((store, count) -> assertThat(count).isLessThanOrEqualTo(2 * PER_WINDOW));
            }
            // A last record, long after: all that ended before it is forgotten.
            rig.raw(RichHistory.plain("last").getBytes(), at(3 * WINDOWS, 0));
            rig.advance(WINDOW);
            looksUntilQuiet(rig);
            assertThat(entries(rig))
                    .isEqualTo(Map.of(
                            Stores.REQUESTS_BY_ID, 1,
                            Stores.SNAPSHOTS_BY_ID, 0,
                            Stores.TIMERS, 1,
                            Stores.EARLY_RESPONSES, 0));
        }
    }

    @Test
    void aLookForgetsABatchAndNoMore() {
        try (TopologyRig rig = new TopologyRig(dir, setup()).opened()) {
            load(rig, 0);
            rig.raw(RichHistory.plain("later").getBytes(), at(4, 0));
            rig.facts.clear();
            int looks = 0;
            long forgotten = 0;
            while (forgotten < PER_WINDOW) {
                rig.advance(LOOK);
                looks++;
                long now =
                        rig.facts.stream().filter(Fact.Forget.class::isInstance).count();
                assertThat(now - forgotten).as("forgotten in look %d", looks).isBetween(1L, (long) BATCH);
                forgotten = now;
            }
            assertThat(looks).isEqualTo((PER_WINDOW + BATCH - 1) / BATCH);
        }
    }

    /** What has not ended is not forgotten, however much time goes by. */
    @Test
    void unfinishedRequestsStay() {
        try (TopologyRig rig = new TopologyRig(dir, setup()).opened()) {
            rig.request(RichHistory.plain("open"));
            rig.raw(RichHistory.plain("later").getBytes(), at(50, 0));
            looksUntilQuiet(rig);
            rig.raw(RichHistory.plain("open").getBytes(), at(50, 1));
            assertThat(rig.read(Topics.DUPLICATE_REQUESTS)).hasSize(1);
        }
    }

    /** A window's worth of requests that end in it, and of answers whose requests never come. */
    private static void load(TopologyRig rig, int window) {
        for (int i = 0; i < PER_WINDOW; i++) {
            String id = "w%d-%d".formatted(window, i);
            rig.raw(RichHistory.plain(id).getBytes(), at(window, i));
            rig.answer(id, "{}");
            rig.outcome(id + ":0.0", 1, Result.SUCCEEDED);
            rig.journal(TopologyRig.answered("stranger-" + id, 1, "{}"));
            rig.advance(WINDOW.dividedBy(PER_WINDOW));
        }
    }

    private static void looksUntilQuiet(TopologyRig rig) {
        Map<String, Integer> before;
        do {
            before = entries(rig);
            rig.advance(LOOK);
        } while (!entries(rig).equals(before));
    }

    private static Instant at(int window, int step) {
        return TopologyRig.START
                .plus(WINDOW.multipliedBy(window))
                .plus(WINDOW.dividedBy(PER_WINDOW).multipliedBy(step));
    }

    private static Map<String, Integer> entries(TopologyRig rig) {
        Map<String, Integer> counts = new TreeMap<>();
        for (String store : Stores.ALL) {
            int count = 0;
            try (KeyValueIterator<Bytes, byte[]> all =
                    rig.driver().<Bytes, byte[]>getKeyValueStore(store).all()) {
                for (; all.hasNext(); all.next()) {
                    count++;
                }
            }
            counts.put(store, count);
        }
        return counts;
    }

    private static TopologyRig.Setup setup() {
        ProtocolSettings standard = ProtocolSettings.defaults();
        TopologySettings topology = TopologySettings.defaults(Router.IN_PLACE);
        return new TopologyRig.Setup(
                new ProtocolSettings(
                        WINDOW,
                        standard.callTimeout(),
                        standard.calls(),
                        standard.effects(),
                        standard.outcomeTimeout(),
                        standard.holdTimeout(),
                        WINDOW,
                        standard.snapshotMaxBytes()),
                new Billing("billing"),
                new TopologySettings(
                        topology.router(),
                        LOOK,
                        BATCH,
                        topology.commitSpacing(),
                        topology.maxRecordBytes(),
                        topology.answers()),
                List.of());
    }
}
