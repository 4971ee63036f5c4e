package io.hellogpt.once.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Runs a small world in every order of its steps and faults. Worlds that are the same are gone on from once; each that has nothing
 * left to do by itself is brought to its end and must have kept everything. A world cannot be copied, so it is made again from
 * its steps.
 */
final class Exhaustive {
    private static final int MOST_STATES = 2_000_000;

    private final Supplier<Protocol> protocol;
    private final Small small;
    private final int faults;
    private final Map<Key, Double> known = new HashMap<>();
    private long steps;

    /** @param faults how many may strike in one run */
    Exhaustive(Supplier<Protocol> protocol, Small small, int faults) {
        this.protocol = protocol;
        this.small = small;
        this.faults = faults;
    }

    /** What can happen next. */
    record Choice(String name, boolean isFault, Predicate<World> possible, Consumer<World> made) {}

    /** A world to search: what it begins with, what goes on in it, and what may strike it. */
    interface Small {
        void begin(World world);

        List<Choice> choices();
    }

    /** What came of it; an interleaving is a path from the beginning to a world in which nothing goes on by itself. */
    record Searched(int states, double interleavings, long steps, Optional<Violation> violation, List<String> path) {
        @Override
        public String toString() {
            return "%d states, %.3g interleavings, %d steps%s"
                    .formatted(
                            states,
                            interleavings,
                            steps,
                            violation
                                    .map(broken -> ", " + broken.getMessage() + " by " + path)
                                    .orElse(""));
        }
    }

    Searched search() {
        try {
            double interleavings = goOn(new ArrayList<>(), 0);
            return new Searched(known.size(), interleavings, steps, Optional.empty(), List.of());
        } catch (Found found) {
            return new Searched(known.size(), 0, steps, Optional.of(found.violation), found.path);
        }
    }

    /** In how many ways it goes on from here. */
    private double goOn(List<Choice> path, int struck) {
        World world = replay(path);
        Key key = new Key(struck, hash(world.contents()));
        Double before = known.get(key);
        if (before != null) {
            return before;
        }
        if (known.size() >= MOST_STATES) {
            throw new IllegalStateException("more than " + MOST_STATES + " states: the world is not small");
        }
        double ways = 0;
        boolean isQuiet = true;
        for (Choice choice : small.choices()) {
            if ((!choice.isFault() || struck < faults) && choice.possible().test(world)) {
                isQuiet &= choice.isFault();
                path.add(choice);
                ways += goOn(path, choice.isFault() ? struck + 1 : struck);
                path.removeLast();
            }
        }
        if (isQuiet) {
            settle(path, world);
            ways += 1;
        }
        known.put(key, ways);
        return ways;
    }

    private World replay(List<Choice> path) {
        try {
            World world = new World(protocol.get());
            small.begin(world);
            for (Choice choice : path) {
                steps++;
                choice.made().accept(world);
            }
            return world;
        } catch (RuntimeException broken) {
            throw new Found(broken, path);
        }
    }

    /** Nothing goes on by itself any more: now everything must end. */
    private static void settle(List<Choice> path, World world) {
        try {
            new Settlement(world).run();
        } catch (RuntimeException broken) {
            throw new Found(broken, path);
        }
    }

    private static final class Found extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Violation violation;
        private final transient List<String> path;

        Found(RuntimeException broken, List<Choice> path) {
            super(broken);
            this.violation =
                    broken instanceof Violation known ? known : new Violation("THREW", broken.toString(), broken);
            this.path = path.stream().map(Choice::name).toList();
        }
    }

    private record Key(int struck, long hash) {}

    /** 64 bits of all there is in a world, so that some hundred thousand worlds are told apart. */
    private static long hash(Object content) {
        return switch (content) {
            case List<?> list -> {
                long hash = list.size();
                for (Object each : list) {
                    hash = mix(hash * 31 + hash(each));
                }
                yield hash;
            }
            case Map<?, ?> map -> {
                long hash = map.size();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    hash += mix(hash(entry.getKey()) * 31 + hash(entry.getValue()));
                }
                yield hash;
            }
            case Object other -> mix(other.hashCode());
        };
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
