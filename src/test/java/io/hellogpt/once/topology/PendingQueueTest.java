package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.CallHistory;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestIdFormat;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.Timer;
import io.hellogpt.once.schema.Decoded;
import io.hellogpt.once.schema.RequestDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The order in which waiting requests come, and what it costs to find them. */
class PendingQueueTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final int MANY = 100_000;

    private final CountedStore store = new CountedStore();
    private final TimerStore timers = new TimerStore(store, new DueTimes());

    @Test
    void eachLaneIsInOrderOfArrivalAndByItself() {
        put("a", 3, "a-3");
        put("b", 2, "b-2");
        put("a", 1, "a-1");
        PendingQueue queue = new PendingQueue(timers);

        assertThat(drained(queue)).containsExactlyInAnyOrder("a-1", "a-3", "b-2");
        assertThat(drained(queue)).isEmpty();
    }

    @Test
    void whatIsAddedLaterComesInItsPlace() {
        PendingQueue queue = new PendingQueue(timers);
        for (int i = 0; i < 1_000; i += 2) {
            add(queue, "a", i);
        }
        assertThat(queue.due(NOW)).hasSize(1);
        for (int i = 1; i < 1_000; i += 2) {
            add(queue, "a", i);
        }
        List<String> drained = drained(queue);
        assertThat(drained).hasSize(1_000).isSortedAccordingTo((x, y) -> number(x) - number(y));
    }

    @Test
    void whatIsNotDueWaitsAndHoldsUpNothingThatIs() {
        PendingQueue queue = new PendingQueue(timers);
        Timer later = timer(NOW.plusSeconds(30), 1, "later");
        timers.put(pending("a"), later);
        queue.added(Keys.lane("a"), later);
        assertThat(queue.waits(Keys.lane("a"), NOW)).isFalse();

        add(queue, "a", 5);
        assertThat(queue.waits(Keys.lane("a"), NOW)).isTrue();
        assertThat(drained(queue)).containsExactly("a-5");
        assertThat(queue.due(NOW.plusSeconds(30))).hasSize(1);
    }

    @Test
    void whatAnotherStagePutInFrontIsSeenWithinASecond() {
        PendingQueue queue = new PendingQueue(timers);
        for (int i = 0; i < 1_000; i++) {
            add(queue, "a", i);
        }
        take(queue, 10);
        timers.put(pending("a"), timer(NOW.minusSeconds(999_990).minusMillis(500), 0, "hurried"));

        assertThat(queue.due(NOW.plusSeconds(1)).stream()
                        .map(lane -> queue.next(lane, NOW).orElseThrow().id().value()))
                .containsExactly("hurried");
    }

    @Test
    void whatAnEarlierRunLeftIsFoundAlsoInALaneNobodyHasSpokenOf() {
        put("a", 1, "a-1");
        PendingQueue queue = new PendingQueue(timers);
        add(queue, "a", 0);
        add(queue, "b", 0);

        assertThat(drained(queue)).containsExactlyInAnyOrder("a-0", "a-1", "b-0");
    }

    /** Read once each, and little of it at a time: a backlog must not cost its square, nor its size in memory. */
    @Test
    void aLongQueueIsReadOnce() {
        for (int i = 0; i < MANY; i++) {
            put(i % 2 == 0 ? "a" : "b", i, "r-" + i);
        }
        PendingQueue queue = new PendingQueue(timers);
        int taken = 0;
        int most = 0;
        for (int round = 0; taken < MANY; round++) {
            for (PendingQueue.Lane lane : queue.due(NOW.plusMillis(round))) {
                Timer next = queue.next(lane, NOW).orElseThrow();
                queue.removed(lane, next);
                timers.deletePending(lane.id, next);
                taken++;
            }
            most = Math.max(most, queue.size());
        }
        assertThat(most).isLessThanOrEqualTo(512);
        assertThat(store.read).as("entries read").isLessThan(2L * MANY);
    }

    /** A lane is a hash: its first byte may be any. */
    @Test
    void thoseWhoCountSeeTheRequestsOfEveryModelAndNothingElse() {
        for (int i = 0; i < 50; i++) {
            put("model-" + i, i, "r-" + i);
        }
        timers.put(new Timer(Timer.Kind.CALL_DEADLINE, NOW, 0, new RequestId("called")));

        assertThat(StoredTimers.each(store, Timer.Kind.PENDING, 1_000, timer -> {}))
                .isEqualTo(50);
        assertThat(StoredTimers.each(store, Timer.Kind.CALL_DEADLINE, 1_000, timer -> {}))
                .isEqualTo(1);
        assertThat(timers.lanes()).hasSize(50);
    }

    private int number(String id) {
        return Integer.parseInt(id.substring(2));
    }

    private void take(PendingQueue queue, int count) {
        for (int i = 0; i < count; i++) {
            PendingQueue.Lane lane = queue.due(NOW).getFirst();
            Timer next = queue.next(lane, NOW).orElseThrow();
            queue.removed(lane, next);
            timers.deletePending(lane.id, next);
        }
    }

    private List<String> drained(PendingQueue queue) {
        List<String> ids = new ArrayList<>();
        List<PendingQueue.Lane> due = queue.due(NOW);
        while (!due.isEmpty()) {
            Timer next = queue.next(due.getFirst(), NOW).orElseThrow();
            ids.add(next.id().value());
            queue.removed(due.getFirst(), next);
            timers.deletePending(due.getFirst().id, next);
            due = queue.due(NOW);
        }
        return ids;
    }

    private void add(PendingQueue queue, String model, int second) {
        queue.added(Keys.lane(model), put(model, second, model + "-" + second));
    }

    private Timer put(String model, int second, String id) {
        Timer timer = timer(NOW.minusSeconds(1_000_000 - second), second, id);
        timers.put(pending(model), timer);
        return timer;
    }

    private static Timer timer(Instant due, long sequence, String id) {
        return new Timer(Timer.Kind.PENDING, due, sequence, new RequestId(id));
    }

    private static Pending pending(String model) {
        byte[] json =
                ("{\"request_id\":\"r\",\"model\":\"" + model + "\",\"input\":\"x\"}").getBytes(StandardCharsets.UTF_8);
        var decoded =
                (Decoded.Request) new RequestDecoder(RequestIdFormat.DEFAULT, 10_000, Optional.empty()).decode(json);
        return new Pending(
                new Identity(
                        decoded.request().id(),
                        decoded.fingerprint(),
                        new SourcePosition("requests", 0, 0),
                        NOW,
                        Optional.empty(),
                        List.of()),
                decoded.request(),
                new CallHistory(0, 0, Optional.empty(), Optional.empty()),
                NOW);
    }
}
