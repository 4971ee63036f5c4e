package io.hellogpt.once.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * Who was refused for lack of room and asks again, and whose turn it is when there is some: first who has least, then who has
 * waited longest. Without it a task with a huge backlog, which asks most often, would get every slot. Not safe for use by several
 * threads.
 */
final class Turns {
    /** Whoever waits asks at every look of its timers; one that has not for so long waits no more, and holds up nobody. */
    private static final Duration FRESH = Duration.ofMillis(500);

    private final Comparator<Lane> least;
    private final Map<Lane, Ticket> waiting = new HashMap<>();
    private long tickets;

    private record Ticket(long number, Instant askedAt) {}

    /** @param least orders lanes by what they have */
    Turns(Comparator<Lane> least) {
        this.least = least;
    }

    void refused(Lane lane, Instant now) {
        Ticket known = waiting.get(lane);
        waiting.put(lane, new Ticket(known == null ? tickets++ : known.number(), now));
    }

    void leaves(Lane lane) {
        waiting.remove(lane);
    }

    void leaves(int partition) {
        waiting.keySet().removeIf(lane -> lane.partition() == partition);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Whether one of {@code free} places is this lane's, those of the lanes before it set aside. */
    boolean isTurnOf(Lane lane, int free, Instant now) {
        waiting.values().removeIf(ticket -> isStale(ticket, now));
        long before = waiting.keySet().stream()
                .filter(other -> !other.equals(lane) && goesBefore(other, lane))
                .count();
        return before < free;
    }

    private static boolean isStale(Ticket ticket, Instant now) {
        return Duration.between(ticket.askedAt(), now).abs().compareTo(FRESH) > 0;
    }

    private boolean goesBefore(Lane waiter, Lane asker) {
        int byWhatTheyHave = least.compare(waiter, asker);
        if (byWhatTheyHave != 0) {
            return byWhatTheyHave < 0;
        }
        Ticket own = waiting.get(asker);
        return own == null || waiting.get(waiter).number() < own.number();
    }
}
