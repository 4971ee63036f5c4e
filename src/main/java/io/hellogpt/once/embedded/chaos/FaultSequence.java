package io.hellogpt.once.embedded.chaos;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Which fault comes next: the same for the same seed. Drawn as from a bag that is filled again when it is empty, so that every kind
 * comes up before any comes up again. Safe for use by several threads, which share one sequence.
 */
final class FaultSequence {
    private static final int LONGEST_GAP_MILLIS = 2_500;
    private static final int SHORTEST_MILLIS = 1_500;

    private final Random random;
    private final List<FaultType> types;
    private final boolean everyType;
    private final Deque<FaultType> bag = new ArrayDeque<>();
    private int number;

    /**
     * What to do next.
     *
     * @param gap quiet time before it
     * @param dice decides what is left to decide when the time has come
     */
    record Draw(int number, FaultType type, Duration gap, Duration length, int dice) {}

    /**
     * @param types to draw from
     * @param everyType a bag holds every type; otherwise, for a short run, one type of each kind
     */
    FaultSequence(long seed, Collection<FaultType> types, boolean everyType) {
        this.random = new Random(seed);
        this.types = List.copyOf(types);
        this.everyType = everyType;
        if (types.isEmpty()) {
            throw new IllegalArgumentException("there is no fault to draw");
        }
    }

    synchronized Draw next() {
        if (bag.isEmpty()) {
            fill();
        }
        FaultType type = bag.poll();
        long longest = Math.max(SHORTEST_MILLIS, type.longest().toMillis());
        return new Draw(
                ++number,
                type,
                Duration.ofMillis(random.nextInt(LONGEST_GAP_MILLIS)),
                Duration.ofMillis(Math.min(type.longest().toMillis(), random.nextLong(SHORTEST_MILLIS, longest + 1))),
                random.nextInt(Integer.MAX_VALUE));
    }

    private void fill() {
        List<FaultType> full = new ArrayList<>(everyType ? types : oneOfEachKind());
        Collections.shuffle(full, random);
        bag.addAll(full);
    }

    private List<FaultType> oneOfEachKind() {
        Map<FaultKind, List<FaultType>> byKind = new TreeMap<>();
        types.forEach(type ->
                byKind.computeIfAbsent(type.kind(), any -> new ArrayList<>()).add(type));
        return byKind.values().stream()
                .map(some -> some.get(random.nextInt(some.size())))
                .toList();
    }
}
