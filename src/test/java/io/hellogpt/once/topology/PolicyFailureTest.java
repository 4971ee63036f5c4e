package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.topology.policy.Billing;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A policy that is broken, in whatever way: its request waits for a person, and the next one is processed. */
class PolicyFailureTest {
    private static final PlannedEffect EFFECT = new PlannedEffect("e", "r", 0, "{}", Optional.empty(), false);

    @TempDir
    Path dir;

    static Stream<Arguments> broken() {
        return Stream.of(
                Arguments.of("throws", broken(() -> {
                    throw new IllegalArgumentException("a defect");
                })),
                Arguments.of("gives nothing", broken(() -> null)),
                Arguments.of("recurses without end", broken(PolicyFailureTest::endless)),
                Arguments.of("lacks a class", broken(() -> {
                    throw new NoClassDefFoundError("com/example/Gone");
                })),
                Arguments.of(
                        "makes effects in a loop",
                        broken(() -> new Decision.Proceed("loop", Collections.nCopies(100_000, EFFECT)))),
                Arguments.of(
                        "makes a payload that is none",
                        broken(() -> new Decision.Proceed(
                                "x", List.of(new PlannedEffect("e", "r", 0, "oops", Optional.empty(), false))))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("broken")
    void itsRequestIsHeldAndThePartitionMovesOn(String how, DecisionPolicy policy) {
        try (TopologyRig rig = new TopologyRig(
                dir, ProtocolSettings.defaults(), new Billing("billing"), Router.IN_PLACE, List.of(policy))) {
            rig.opened();
            rig.request("{\"request_id\":\"r-1\",\"model\":\"m\",\"input\":\"x\",\"policy\":\"broken\"}");
            rig.request("{\"request_id\":\"r-2\",\"model\":\"m\",\"input\":\"x\"}");
            rig.answer("r-1", "{}");
            rig.answer("r-2", "{}");

            assertThat(rig.read(Topics.LIFECYCLE_EVENTS))
                    .anySatisfy(event -> assertThat(event.toString()).contains("r-1", "HELD", "policy 'broken'"));
            assertThat(rig.read(Topics.SNAPSHOTS))
                    .as("both answers are paid for")
                    .hasSize(2);
            assertThat(rig.read(Topics.EFFECTS))
                    .extracting(effect -> effect.path("route").asText())
                    .containsExactly("billing", "billing");
        }
    }

    private static Decision endless() {
        return endless();
    }

    private static DecisionPolicy broken(Supplier<Decision> decision) {
        return new DecisionPolicy() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public Decision decide(ModelRequest request, Snapshot snapshot) {
                return decision.get();
            }
        };
    }
}
