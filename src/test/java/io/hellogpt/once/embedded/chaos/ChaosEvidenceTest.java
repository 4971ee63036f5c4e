package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.embedded.chaos.FaultLog.Incident;
import io.hellogpt.once.ops.verify.Evidence.Disturbance;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChaosEvidenceTest {
    @Test
    void onlyFaultsThatCanCutOffACallExcuseARepeatedOne() {
        List<FaultRecord> faults = List.of(
                RunExample.fault(1, FaultType.of(FaultKind.KILLED, Role.INSTANCE), true, ""),
                RunExample.fault(2, FaultType.of(FaultKind.TERMINATED, Role.INSTANCE), true, ""),
                RunExample.fault(3, FaultType.of(FaultKind.KILLED, Role.WORKER), true, ""));

        List<Disturbance> disturbances = ChaosEvidence.disturbances(faults, List.of());

        assertThat(disturbances).singleElement().satisfies(one -> {
            assertThat(one.kind()).isEqualTo("killed instance");
            assertThat(one.from()).isEqualTo(RunExample.START);
            assertThat(one.until()).isAfter(RunExample.START.plusSeconds(5));
        });
    }

    @Test
    void aFaultThatWasNeverOverDisturbsToTheEnd() {
        FaultRecord open = new FaultRecord(
                1,
                FaultType.of(FaultKind.CUT, Role.BROKER),
                "x",
                RunExample.START,
                Optional.empty(),
                Optional.empty(),
                true,
                "");
        FaultRecord cut = new FaultRecord(
                2,
                new FaultType(FaultKind.CUT, "instance-model"),
                "x",
                RunExample.START,
                Optional.empty(),
                Optional.empty(),
                true,
                "");

        assertThat(ChaosEvidence.disturbances(List.of(open, cut), List.of()))
                .isNotEmpty()
                .allSatisfy(one -> assertThat(one.until()).isAfter(Instant.parse("2100-01-01T00:00:00Z")));
    }

    @Test
    void anInstanceThatEndedByItselfIsADisturbanceAndAWorkerIsNot() {
        assertThat(ChaosEvidence.disturbances(
                        List.of(), List.of(new Incident(RunExample.START, "an instance ended", true, false))))
                .hasSize(1);
        assertThat(ChaosEvidence.disturbances(
                        List.of(), List.of(new Incident(RunExample.START, "a worker ended", false, false))))
                .isEmpty();
    }
}
