package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.ProtocolSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one request costs in records, counted from the changelogs and the output topics. */
class WriteCostTest {
    private static final String CHANGELOG = "-changelog";

    @TempDir
    Path dir;

    @Test
    void aRequestWithNoEffectCostsAtMostSixChangelogAndFiveOutputRecords() {
        try (TopologyRig rig =
                new TopologyRig(dir, ProtocolSettings.defaults(), BillingPolicy.NONE, Router.IN_PLACE, List.of())) {
            rig.opened();
            rig.request(RichHistory.plain("r-1"));
            rig.answer("r-1", "{}");
            Map<String, Integer> written = written(rig);

            assertThat(written)
                    .containsEntry(Topics.COMMITTED_RESULTS, 1)
                    .containsEntry(Topics.SNAPSHOTS, 1)
                    .containsEntry(Topics.LIFECYCLE_EVENTS, 3)
                    .containsEntry("rig-requests-by-id-changelog", 2)
                    .containsEntry("rig-snapshots-by-id-changelog", 1)
                    .containsEntry("rig-timers-changelog", 3);
            assertThat(changelog(written)).isEqualTo(6);
            assertThat(outputs(written)).isEqualTo(5);
        }
    }

    /** Billing is an effect like another: its issue and its outcome are one state, one timer more, and their audit lines. */
    @Test
    void billingAddsThreeChangelogAndThreeOutputRecords() {
        try (TopologyRig rig = new TopologyRig(dir).opened()) {
            rig.request(RichHistory.plain("r-1"));
            rig.answer("r-1", "{}");
            rig.outcome("r-1:0.0", 1, Result.SUCCEEDED);
            Map<String, Integer> written = written(rig);

            assertThat(written).containsEntry(Topics.EFFECTS, 1).containsEntry(Topics.LIFECYCLE_EVENTS, 5);
            assertThat(changelog(written)).isEqualTo(6 + 3);
            assertThat(outputs(written)).isEqualTo(5 + 3);
        }
    }

    @Test
    void aDuplicateCostsOneRecordAndNoState() {
        try (TopologyRig rig = new TopologyRig(dir).opened()) {
            rig.request(RichHistory.plain("r-1"));
            written(rig);
            rig.request(RichHistory.plain("r-1"));
            assertThat(written(rig)).isEqualTo(Map.of(Topics.DUPLICATE_REQUESTS, 1));
        }
    }

    /** What was written since the last look, by topic. */
    private static Map<String, Integer> written(TopologyRig rig) {
        Map<String, Integer> counts = new TreeMap<>();
        for (String topic : rig.driver().producedTopicNames()) {
            int records = rig.records(topic).size();
            if (records > 0) {
                counts.put(topic, records);
            }
        }
        return counts;
    }

    private static int changelog(Map<String, Integer> written) {
        return sum(written, true);
    }

    private static int outputs(Map<String, Integer> written) {
        return sum(written, false);
    }

    private static int sum(Map<String, Integer> written, boolean changelogs) {
        return written.entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(CHANGELOG) == changelogs)
                .mapToInt(Map.Entry::getValue)
                .sum();
    }
}
