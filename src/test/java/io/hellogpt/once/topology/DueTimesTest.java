package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Timer;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DueTimesTest {
    private static final Timer.Kind KIND = Timer.Kind.EFFECT;
    private static final int ALL = 1_000;

    private final CountedStore store = new CountedStore();
    private final DueTimes dueTimes = new DueTimes();
    private final TimerStore timers = new TimerStore(store, dueTimes);

    @Test
    void deletedEntriesArePassedOnce() {
        for (int number = 0; number < ALL; number++) {
            timers.put(timer(number, 500 + number));
            timers.delete(timer(number, 500 + number));
        }
        timers.put(timer(ALL, 5_000));

        assertThat(timers.due(KIND, at(100), ALL)).isEmpty();
        long once = store.read;
        for (int look = 101; look < 5_000; look += 50) {
            assertThat(timers.due(KIND, at(look), ALL)).isEmpty();
        }
        assertThat(store.read).isEqualTo(once);
        assertThat(timers.due(KIND, at(5_000), ALL)).containsExactly(timer(ALL, 5_000));
    }

    @Test
    void oneThatIsLeftWhereItWasIsDueAgain() {
        timers.put(timer(1, 100));

        assertThat(timers.due(KIND, at(100), ALL)).containsExactly(timer(1, 100));
        assertThat(timers.due(KIND, at(101), ALL)).containsExactly(timer(1, 100));
    }

    @Test
    void whatTheStoreHeldBeforeTheTaskStartedIsDue() {
        assertThat(timers.due(KIND, at(100), ALL)).isEmpty();
        new TimerStore(store, new DueTimes()).put(timer(1, 50));

        dueTimes.forget();

        assertThat(timers.due(KIND, at(100), ALL)).containsExactly(timer(1, 50));
    }

    /** Whatever is put, deleted and left, at a clock that may also go back: the same as reading the store each time. */
    @Test
    void itIsAsIfTheStoreWereReadEachTime() {
        SplittableRandom random = new SplittableRandom(7);
        TreeSet<Timer> expected = new TreeSet<>(Comparator.comparing(Timer::due).thenComparing(Timer::sequence));
        long now = 0;
        for (int step = 0; step < 20_000; step++) {
            now = Math.max(0, now + random.nextInt(-20, 60));
            Timer timer = timer(random.nextInt(50), now + random.nextInt(-100, 400));
            if (random.nextInt(3) == 0) {
                timers.put(timer);
                expected.add(timer);
            }
            int limit = random.nextInt(1, 6);
            List<Timer> due = timers.due(KIND, at(now), limit);
            Instant time = at(now);
            assertThat(due)
                    .as("step %d", step)
                    .isEqualTo(expected.stream()
                            .filter(each -> !each.due().isAfter(time))
                            .limit(limit)
                            .toList());
            due.stream().filter(each -> random.nextInt(4) > 0).forEach(each -> {
                timers.delete(each);
                expected.remove(each);
            });
        }
    }

    private static Timer timer(int number, long due) {
        return new Timer(KIND, at(due), number, new RequestId("r-" + number));
    }

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(millis);
    }
}
