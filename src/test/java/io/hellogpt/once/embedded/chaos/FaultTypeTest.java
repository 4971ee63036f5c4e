package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FaultTypeTest {
    private static final Duration SETTLE =
            Duration.ofMillis(Long.parseLong(Routes.connector("u").get("once.route.charge.probe.settle.ms")));

    @Test
    void anOrderlyStopOfAnInstanceExcusesNoRepeatedCall() {
        assertThat(FaultType.of(FaultKind.KILLED, Role.INSTANCE).mayRepeatCalls())
                .isTrue();
        assertThat(FaultType.of(FaultKind.TERMINATED, Role.INSTANCE).mayRepeatCalls())
                .isFalse();
        assertThat(new FaultType(FaultKind.STATE_LOST, "").mayRepeatCalls()).isFalse();
        assertThat(new FaultType(FaultKind.INSTANCE_ADDED, "").mayRepeatCalls()).isFalse();
    }

    @Test
    void whatHappensBehindTheAnswerExcusesNoRepeatedCall() {
        assertThat(FaultType.all().stream().filter(type -> type.where().contains(Role.WORKER.key())))
                .isNotEmpty()
                .noneMatch(FaultType::mayRepeatCalls);
        assertThat(FaultType.of(FaultKind.KILLED, Role.DATABASE).mayRepeatCalls())
                .isFalse();
        assertThat(FaultType.of(FaultKind.PAUSED, Role.RECEIVERS).mayRepeatCalls())
                .isFalse();
    }

    @Test
    void aReceiverIsNeverSilentForAsLongAsAProbeWaits() {
        assertThat(FaultType.of(FaultKind.PAUSED, Role.RECEIVERS).longest()).isLessThan(SETTLE);
    }

    @Test
    void everyRoleIsKilledAndEveryPairIsCut() {
        assertThat(FaultType.all()).doesNotHaveDuplicates();
        assertThat(FaultType.all().stream().map(FaultType::kind)).contains(FaultKind.values());
        for (Role role : Role.values()) {
            assertThat(FaultType.all()).contains(FaultType.of(FaultKind.KILLED, role));
        }
    }
}
