package io.hellogpt.once.ops;

import java.util.Optional;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.SupportedVersionRange;

/**
 * What the brokers' release means for exactly-once. Kafka has no request for a broker's version; the highest
 * {@code metadata.version} it supports (KIP-584) gives away the minor release.
 */
final class BrokerRelease {
    private static final String METADATA_VERSION = "metadata.version";
    /** 4.3-IV0. */
    private static final short FIRST_THAT_LOSES_MARKERS = 30;
    /** 4.4-IV2. */
    private static final short LAST_THAT_LOSES_MARKERS = 33;

    private BrokerRelease() {}

    /** What an operator must know about these brokers, if anything. */
    static Optional<String> warning(FeatureMetadata features) {
        SupportedVersionRange range = features.supportedFeatures().get(METADATA_VERSION);
        return range == null ? Optional.empty() : warning(range.maxVersion());
    }

    static Optional<String> warning(short highestMetadataVersion) {
        if (highestMetadataVersion < FIRST_THAT_LOSES_MARKERS || highestMetadataVersion > LAST_THAT_LOSES_MARKERS) {
            return Optional.empty();
        }
        return Optional.of(
                "the brokers are of Kafka 4.3 or 4.4: as far as 4.4.0 these leave partitions without a leader out when a"
                        + " transaction ends, so that what was aborted can be read as committed; run brokers of 4.2");
    }
}
