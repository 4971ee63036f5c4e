package io.hellogpt.once.ops;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.server.common.MetadataVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerReleaseTest {
    @ParameterizedTest
    @ValueSource(shorts = {30, 31, 33})
    void brokersThatLeavePartitionsOutAreWarnedOf(short highest) {
        assertThat(BrokerRelease.warning(highest))
                .hasValueSatisfying(warning -> assertThat(warning).contains("4.4.0", "run brokers of 4.2"));
    }

    @ParameterizedTest
    @ValueSource(shorts = {25, 29, 34})
    void othersAreNot(short highest) {
        assertThat(BrokerRelease.warning(highest)).isEmpty();
    }

    @Test
    void theReleasesAreThoseMeant() {
        assertThat(MetadataVersion.IBP_4_2_IV1.featureLevel()).isEqualTo((short) 29);
        assertThat(MetadataVersion.IBP_4_3_IV0.featureLevel()).isEqualTo((short) 30);
        assertThat(MetadataVersion.LATEST_PRODUCTION.featureLevel())
                .as("of 4.4.0; look at TransactionMarkersIT with newer brokers")
                .isEqualTo((short) 33);
    }
}
