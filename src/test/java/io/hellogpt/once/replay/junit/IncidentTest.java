package io.hellogpt.once.replay.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.replay.ReplayReport;

/** How a captured incident becomes a regression test. */
class IncidentTest {
    @ReplayOf("/captures/0.1.0.avro")
    void theIncidentEndsAsItDid() {}

    @ReplayOf("/captures/0.1.0.avro")
    void theReportCanBeLookedAt(ReplayReport report) {
        assertThat(report.requests()).isPositive();
        assertThat(report.whatIf()).isFalse();
    }

    @ReplayOf(value = "/captures/0.1.0.avro", configuration = "billing.route=another")
    void anotherConfigurationIsNotRequiredToBeEqual(ReplayReport report) {
        assertThat(report.whatIf()).isTrue();
        assertThat(report.changes()).isNotEmpty();
    }
}
