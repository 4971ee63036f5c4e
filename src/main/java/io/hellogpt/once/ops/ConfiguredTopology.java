package io.hellogpt.once.ops;

import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.topology.OnceTopology;
import io.hellogpt.once.topology.Router;
import io.hellogpt.once.topology.TopologySettings;
import io.hellogpt.once.topology.policy.Billing;
import io.hellogpt.once.topology.policy.Policies;
import java.time.Duration;
import java.util.Locale;

/** The topology a configuration describes; the same for an instance and for a replay. */
public final class ConfiguredTopology {
    /** What Kafka adds around a record: key, headers, framing. */
    private static final int FRAMING_BYTES = 64 * 1024;

    private ConfiguredTopology() {}

    /** @param partitions of every input topic */
    public static TopologySettings settings(OnceConfig config, int partitions) {
        TopologySettings standard = TopologySettings.defaults(Router.murmur2(partitions));
        return new TopologySettings(
                standard.router(),
                standard.timerInterval(),
                standard.timerBatch(),
                Duration.ofMillis(config.millis(Settings.COMMIT_SPACING_MS)),
                TopicCatalogue.RECORD_MAX_BYTES - FRAMING_BYTES,
                TopologySettings.Encoding.valueOf(
                        config.text(Settings.RESULTS_FORMAT).toUpperCase(Locale.ROOT)));
    }

    public static OnceTopology of(OnceConfig config, Policies policies, OnceTopology.Parts parts) {
        BillingPolicy billing =
                config.billingRoute().<BillingPolicy>map(Billing::new).orElse(BillingPolicy.NONE);
        return new OnceTopology(config.protocol(), policies, billing, parts);
    }
}
