package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.ops.verify.Evidence;
import io.hellogpt.once.ops.verify.Evidence.Call;
import io.hellogpt.once.ops.verify.Evidence.EffectEnd;
import io.hellogpt.once.ops.verify.Evidence.Ending;
import io.hellogpt.once.ops.verify.Evidence.Issued;
import io.hellogpt.once.ops.verify.Evidence.Order;
import io.hellogpt.once.ops.verify.Evidence.Outcome;
import io.hellogpt.once.ops.verify.Evidence.Rejected;
import io.hellogpt.once.ops.verify.Evidence.Transition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FiguresTest {
    private static final SourcePosition AT = new SourcePosition("requests", 0, 0);

    @Test
    void countsEffectsByTheClassOfTheirRoute() {
        Figures figures = Figures.of(evidence(
                List.of(issued("a:0.1", "mail", 1), issued("a:0.2", "sign", 1), issued("a:0.2", "sign", 2)),
                List.of(
                        new Outcome("a:0.1", "a", 1, "UNKNOWN"),
                        new Outcome("a:0.1", "a", 1, "UNKNOWN"),
                        new Outcome("a:0.2", "a", 1, "RETRYABLE"),
                        new Outcome("a:0.2", "a", 2, "SUCCEEDED"))));

        assertThat(figures.effects())
                .containsEntry("OPAQUE", new Figures.PerClass(1, 1, 0, 1))
                .containsEntry("KEYED", new Figures.PerClass(1, 2, 1, 0))
                .hasSize(2);
    }

    @Test
    void countsRequestsEndingsAndCalls() {
        Figures figures = Figures.of(evidence(List.of(), List.of()));

        assertThat(figures.counts())
                .containsEntry("accepted", 2L)
                .containsEntry("conflicts", 1L)
                .containsEntry("rejected otherwise", 1L)
                .containsEntry("committed", 1L)
                .containsEntry("failed", 1L)
                .containsEntry("failed with something undone", 1L);
        assertThat(figures.callsPerRequest()).isEqualTo(1.5);
    }

    private static Issued issued(String effect, String route, int attempt) {
        return new Issued(effect, "a", new Order(route, false, "digest"), attempt);
    }

    private static Evidence evidence(List<Issued> effects, List<Outcome> outcomes) {
        List<Transition> accepted = List.of(accepted("a"), accepted("b"));
        List<Rejected> rejected = List.of(rejected("CONFLICT"), rejected("MALFORMED"));
        List<Ending> endings = List.of(
                new Ending("a", true, AT, Optional.empty(), List.of(), RunExample.START),
                new Ending(
                        "b",
                        false,
                        AT,
                        Optional.empty(),
                        List.of(new EffectEnd("b:0.1", "sign", "SUCCEEDED", Optional.of("SUCCEEDED"))),
                        RunExample.START));
        List<Call> calls = List.of(call("a"), call("b"), call("b"));
        return new Evidence(
                new Evidence.Intake(List.of(), accepted, List.of(), rejected),
                new Evidence.Work(List.of(), endings, effects, outcomes, List.of()),
                Optional.empty(),
                new Evidence.Logs(Optional.empty(), Optional.of(calls)),
                new Evidence.Terms(0, 0, Duration.ofDays(7), false, List.of()));
    }

    private static Transition accepted(String id) {
        return new Transition(id, "ACCEPTED", "PENDING", AT, Optional.empty(), RunExample.START);
    }

    private static Rejected rejected(String reason) {
        return new Rejected(Optional.of("c"), AT, reason, Optional.empty(), Optional.empty());
    }

    private static Call call(String id) {
        return new Call(id, 200, Optional.empty());
    }
}
