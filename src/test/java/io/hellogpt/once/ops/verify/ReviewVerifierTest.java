package io.hellogpt.once.ops.verify;

import static io.hellogpt.once.ops.verify.History.START;
import static io.hellogpt.once.ops.verify.History.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.ops.verify.Evidence.Call;
import io.hellogpt.once.ops.verify.Evidence.EffectEnd;
import io.hellogpt.once.ops.verify.Evidence.Ending;
import io.hellogpt.once.ops.verify.Evidence.Execution;
import io.hellogpt.once.ops.verify.Evidence.Issued;
import io.hellogpt.once.ops.verify.Evidence.Outcome;
import io.hellogpt.once.ops.verify.Evidence.Transition;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Broken histories the verifier calls clean today. */
class ReviewVerifierTest {
    @ParameterizedTest(name = "{0}")
    @MethodSource("broken")
    void aBrokenHistoryIsNotCalledClean(String what, Consumer<History> doctor) {
        History history = History.clean();
        doctor.accept(history);
        Report report = Verifier.verify(history.evidence());
        assertThat(report.result()).as(report.table()).isEqualTo(Verdict.Result.VIOLATED);
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                lie("no crash, yet an answered call was repeated; the system's own CALL_FAILED excuses it", h -> {
                    h.transitions.add(new Transition("contract-1", "CALL_FAILED", "PENDING", at(0), START));
                    h.calls.add(new Call("contract-1", 200, Optional.of("another digest")));
                }),
                lie("executed by its receiver, reported FAILED, request failed, nothing undone", h -> {
                    h.effects.add(new Issued("contract-3:0.1", "contract-3", "signing", 1));
                    h.outcomes.add(new Outcome("contract-3:0.1", "contract-3", 1, "FAILED"));
                    h.executions.add(new Execution("contract-3:0.1", Optional.of("contract-3"), true));
                }),
                lie("committed although an effect failed", h -> {
                    Ending ending = h.endings.get(0);
                    h.endings.set(
                            0,
                            new Ending(
                                    ending.requestId(),
                                    true,
                                    ending.source(),
                                    ending.snapshotSha256(),
                                    List.of(
                                            new EffectEnd("contract-1:0.0", "billing", "SUCCEEDED"),
                                            new EffectEnd("contract-1:0.1", "signing", "FAILED")),
                                    ending.at()));
                }));
    }

    private static Arguments lie(String what, Consumer<History> doctor) {
        return Arguments.of(what, doctor);
    }
}
