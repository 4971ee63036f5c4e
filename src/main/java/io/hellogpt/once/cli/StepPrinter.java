package io.hellogpt.once.cli;

import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.Compensating;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.replay.ReplayListener;
import io.hellogpt.once.topology.Topics;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.stream.Collectors;

/** Prints steps as they are taken: one request's, or all. */
final class StepPrinter implements ReplayListener {
    private final PrintWriter out;
    private final Optional<RequestId> watched;
    private final boolean everything;

    StepPrinter(PrintWriter out, Optional<RequestId> watched, boolean everything) {
        this.out = out;
        this.watched = watched;
        this.everything = everything;
    }

    @Override
    public void taken(Taken taken) {
        taken.step().requests().stream()
                .filter(id -> watched.isEmpty() || watched.get().equals(id))
                .forEach(id -> print(taken, id));
    }

    private void print(Taken taken, RequestId id) {
        out.printf(
                "%s  %-36s %s  %s%n",
                taken.step().moment().now(),
                taken.step().source().map(SourcePosition::toString).orElse("timers"),
                id,
                taken.states().apply(id).map(StepPrinter::words).orElse("not known"));
        if (everything) {
            taken.written().stream()
                    .filter(output -> !output.topic().equals(Topics.TASK_STEPS))
                    .forEach(output -> out.printf("    wrote %s, %,d bytes%n", output.topic(), size(output.value())));
        }
    }

    private static int size(byte[] value) {
        return value == null ? 0 : value.length;
    }

    private static String words(RequestState state) {
        return switch (state) {
            case Pending pending ->
                "PENDING calls=%d failures=%d"
                        .formatted(pending.calls(), pending.history().failures());
            case Generating generating ->
                "GENERATING call %d at %s"
                        .formatted(generating.attempt(), generating.call().caller());
            case Acknowledged acknowledged -> "ACKNOWLEDGED " + acknowledged.decision() + " " + effects(acknowledged);
            case Held held ->
                "HELD %s: %s %s".formatted(held.hold().reason(), held.hold().detail(), effects(held));
            case Compensating compensating ->
                "COMPENSATING %s %s".formatted(compensating.failure().reason(), effects(compensating));
            case Committed committed -> "COMMITTED";
            case Failed failed -> "FAILED";
        };
    }

    private static String effects(RequestState.Open open) {
        return open.plan().steps().stream().map(StepPrinter::words).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String words(EffectStep step) {
        return step.planned().name() + " " + step.forward().status()
                + step.undo().map(undo -> ", undo " + undo.status()).orElse("");
    }
}
