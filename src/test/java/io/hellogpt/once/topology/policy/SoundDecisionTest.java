package io.hellogpt.once.topology.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hellogpt.once.core.Compensation;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Snapshot;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a policy may decide, and that its errors are its own. */
class SoundDecisionTest {
    private static final PlannedEffect SOUND = effect("r", 0, "{}", Optional.empty());

    @Test
    void aSoundDecisionIsPassedOn() {
        assertThat(decided(() -> new Decision.Proceed("yes", List.of(SOUND))))
                .isEqualTo(new Decision.Proceed("yes", List.of(SOUND)));
        assertThat(decided(() -> null)).isNull();
    }

    @Test
    void tooManyEffectsAreAnErrorOfThePolicy() {
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        decided(() -> new Decision.Hold("loop", Collections.nCopies(Policies.MAX_EFFECTS + 1, SOUND))))
                .withMessageContaining("257 effects in one decision, at most 256");
    }

    @Test
    void anEffectThatNoConnectorCouldCarryOutIsAnErrorOfThePolicy() {
        refused(effect("http://x", 0, "{}", Optional.empty()));
        refused(effect("r", -1, "{}", Optional.empty()));
        refused(effect("r", 0, "[]", Optional.empty()));
        refused(effect("r", 0, "{", Optional.empty()));
        refused(effect("r", 0, "{}", Optional.of(new Compensation("r", ""))));
        refused(effect("r", 0, "{}", Optional.of(new Compensation("/", "{}"))));
    }

    /** Thrown on a stream thread they would end it, and the next one that reads the same answer. */
    @Test
    void errorsOfThePolicysOwnMakingAreExceptions() {
        for (Error error : List.of(new StackOverflowError(), new NoClassDefFoundError("x"), new AssertionError("x"))) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> decided(() -> {
                        throw error;
                    }))
                    .withCause(error);
        }
    }

    @Test
    void twoPoliciesOfOneNameAreRefusedByTheirClasses() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Policies.of(List.of(new CommitOnly(), policy(() -> null), policy(() -> null))))
                .withMessageContaining("two policies are named 'p': " + SoundDecisionTest.class.getName());
    }

    private static void refused(PlannedEffect effect) {
        assertThatIllegalStateException().isThrownBy(() -> decided(() -> new Decision.Proceed("x", List.of(effect))));
    }

    private static PlannedEffect effect(String route, int stage, String payload, Optional<Compensation> undo) {
        return new PlannedEffect("e", route, stage, payload, undo, false);
    }

    private static Decision decided(Supplier<Decision> decision) {
        return Policies.of(List.of(policy(decision)))
                .find("p")
                .orElseThrow()
                .decide(ToolCallsTest.request(), ToolCallsTest.snapshot("{}"));
    }

    private static DecisionPolicy policy(Supplier<Decision> decision) {
        return new DecisionPolicy() {
            @Override
            public String name() {
                return "p";
            }

            @Override
            public Decision decide(ModelRequest request, Snapshot snapshot) {
                return decision.get();
            }
        };
    }
}
