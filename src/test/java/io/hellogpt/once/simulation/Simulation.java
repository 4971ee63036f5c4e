package io.hellogpt.once.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs worlds: at random from a seed, or again from a list of steps; and makes a failing list short. */
final class Simulation {
    private final Supplier<Protocol> protocol;

    Simulation(Supplier<Protocol> protocol) {
        this.protocol = protocol;
    }

    /** What came of one world. */
    record Run(List<Step> steps, int settling, int endings, Optional<Violation> violation) {
        int length() {
            return steps.size() + settling;
        }
    }

    /** A random walk of {@code length} steps, then peace. */
    Run walk(long seed, int length) {
        World world = new World(protocol.get());
        Adversary adversary = new Adversary(seed);
        List<Step> made = new ArrayList<>(length);
        try {
            for (int i = 0; i < length; i++) {
                Step step = adversary.next(world);
                made.add(step);
                step.run(world);
            }
            return ended(world, made);
        } catch (RuntimeException broken) {
            return broken(world, made, broken);
        }
    }

    /** The given steps, then peace. */
    Run replay(List<Step> steps) {
        World world = new World(protocol.get());
        try {
            steps.forEach(step -> step.run(world));
            return ended(world, steps);
        } catch (RuntimeException broken) {
            return broken(world, steps, broken);
        }
    }

    private static Run ended(World world, List<Step> steps) {
        int settling = new Settlement(world).run();
        return new Run(steps, settling, world.invariants().endings(), Optional.empty());
    }

    private static Run broken(World world, List<Step> steps, RuntimeException broken) {
        Violation violation =
                broken instanceof Violation known ? known : new Violation("THREW", broken.toString(), broken);
        return new Run(List.copyOf(steps), 0, world.invariants().endings(), Optional.of(violation));
    }

    /** Drops chunks of the steps, ever smaller ones, as long as the same guarantee stays broken (delta debugging). */
    List<Step> shrink(List<Step> failing, String guarantee) {
        List<Step> steps = List.copyOf(failing);
        for (int chunk = Math.max(1, steps.size() / 2); chunk >= 1; ) {
            Optional<List<Step>> shorter = dropOne(steps, chunk, guarantee);
            if (shorter.isPresent()) {
                steps = shorter.get();
            } else {
                chunk /= 2;
            }
        }
        return steps;
    }

    private Optional<List<Step>> dropOne(List<Step> steps, int chunk, String guarantee) {
        for (int from = 0; from < steps.size(); from += chunk) {
            List<Step> without = new ArrayList<>(steps.subList(0, from));
            without.addAll(steps.subList(Math.min(steps.size(), from + chunk), steps.size()));
            boolean fails = replay(without)
                    .violation()
                    .filter(violation -> violation.guarantee().equals(guarantee))
                    .isPresent();
            if (fails) {
                return Optional.of(without);
            }
        }
        return Optional.empty();
    }

    /** All a reader needs to see a failure again. */
    String report(long seed, Run run) {
        Violation violation = run.violation().orElseThrow();
        List<Step> shrunk = shrink(run.steps(), violation.guarantee());
        String again = replay(shrunk).violation().map(Violation::getMessage).orElse("?");
        StringBuilder text = new StringBuilder("seed=" + seed + " " + violation.getMessage());
        text.append("\n  shrunk from ")
                .append(run.steps().size())
                .append(" steps to ")
                .append(shrunk.size());
        text.append(": ").append(again).append("\n  ");
        shrunk.forEach(step -> text.append(step).append(' '));
        return text.toString();
    }
}
