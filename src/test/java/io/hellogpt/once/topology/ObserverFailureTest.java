package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.ProtocolSettings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever counts or traces, and is broken, takes neither the request nor the partition with it. */
class ObserverFailureTest {
    @Test
    void aRequestEndsAlthoughItsObserverThrows(@TempDir Path dir) {
        try (TopologyRig rig =
                new TopologyRig(dir, ProtocolSettings.defaults(), BillingPolicy.NONE, Router.IN_PLACE, List.of())) {
            rig.observerIsBroken = true;
            rig.opened();
            rig.request("{\"request_id\":\"r-1\",\"model\":\"m\",\"input\":\"x\"}");
            rig.answer("r-1", "{}");

            assertThat(rig.read(Topics.COMMITTED_RESULTS)).hasSize(1);
        }
    }
}
