package io.hellogpt.once.replay.capture;

import io.hellogpt.once.ops.ConfigError;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.PolicySet;
import io.hellogpt.once.ops.Settings;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The settings the topology depends on. No address, no credential: a capture may leave the company. */
final class ReplaySettings {
    private static final List<String> NAMES = List.of(
            Settings.REQUEST_ID_PATTERN,
            Settings.REQUEST_ID_MAX_LENGTH,
            Settings.REQUEST_MAX_BYTES,
            Settings.DEDUP_RETENTION,
            Settings.STASH_RETENTION,
            Settings.MODEL_CALL_TIMEOUT_MS,
            Settings.MODEL_MAX_ATTEMPTS,
            Settings.MODEL_RETRY_BASE_MS,
            Settings.MODEL_RETRY_MAX_MS,
            Settings.SNAPSHOT_MAX_BYTES,
            Settings.EFFECT_MAX_ATTEMPTS,
            Settings.EFFECT_RETRY_BASE_MS,
            Settings.EFFECT_RETRY_MAX_MS,
            Settings.EFFECT_OUTCOME_TIMEOUT_MS,
            Settings.HOLD_TIMEOUT,
            Settings.RESULTS_FORMAT,
            Settings.POLICY_TOOL_CALLS_FILE,
            Settings.DECISION_MAX_EFFECTS,
            Settings.BILLING_ENABLED,
            Settings.BILLING_ROUTE,
            Settings.COMMIT_INTERVAL_MS,
            Settings.TRANSACTION_TIMEOUT_MS);

    private ReplaySettings() {}

    static SortedMap<String, String> of(OnceConfig config) {
        SortedMap<String, String> values = new TreeMap<>();
        NAMES.forEach(name -> values.put(name, config.value(name).toString()));
        return values;
    }

    /** What stands in the files those settings name: who replays the capture has other files, or others under the same names. */
    static SortedMap<String, String> files(OnceConfig config) {
        SortedMap<String, String> files = new TreeMap<>();
        try {
            PolicySet.toolRules(config).ifPresent(rules -> files.put(Settings.POLICY_TOOL_CALLS_FILE, rules));
        } catch (ConfigError missing) {
            throw new UnusableCaptureException(
                    missing.getMessage() + "; a capture holds the rules, so that it can be replayed anywhere", missing);
        }
        return files;
    }
}
