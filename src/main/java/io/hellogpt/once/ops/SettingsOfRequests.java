package io.hellogpt.once.ops;

import static org.apache.kafka.common.config.ConfigDef.Range.between;

import io.hellogpt.once.topology.policy.Policies;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.config.ConfigException;

/** Declares what decides about requests: intake, model calls, decisions and effects. */
final class SettingsOfRequests {
    private SettingsOfRequests() {}

    static void declare(SettingsDeclaration all) {
        intake(all);
        model(all);
        decisions(all);
        effects(all);
    }

    private static void intake(SettingsDeclaration all) {
        all.group("Requests")
                .text(
                        Settings.REQUEST_ID_PATTERN,
                        "[A-Za-z0-9._:-]+",
                        SettingsOfRequests::requirePattern,
                        "Regular expression a whole request_id must match; anything else is rejected as INVALID. Wider"
                                + " patterns let through characters that receivers, URLs and logs may not bear.")
                .number(
                        Settings.REQUEST_ID_MAX_LENGTH,
                        128,
                        between(1, 512),
                        "Longest request_id in characters. Each character is kept in every store and topic for every request.")
                .number(
                        Settings.REQUEST_MAX_BYTES,
                        900_000,
                        between(1_000, 2_000_000),
                        "Largest request record accepted; larger ones are rejected as TOO_LARGE with their first bytes kept."
                                + " The request is stored until its answer is recorded, so large ones cost changelog and disk.")
                .duration(
                        Settings.DEDUP_RETENTION,
                        "7d",
                        "How long after its ending a request_id is remembered, in the time of the requests topic and not of the"
                                + " clock. A duplicate inside the window is answered with the original ending; a record known to be"
                                + " older than the window is rejected as EXPIRED. Longer costs disk and restore time in proportion"
                                + " to the number of requests; shorter refuses producers that retry late.")
                .duration(
                        Settings.STASH_RETENTION,
                        "1d",
                        "How long an answer that arrived before its request waits for it. Must outlast the longest outage after"
                                + " which a request may still be read; when it passes, the request is called, and paid for, again.");
    }

    private static void model(SettingsDeclaration all) {
        all.group("Model")
                .text(
                        Settings.MODEL_CLIENT,
                        "openai",
                        "Who answers: `openai` (any OpenAI-compatible chat completions server), `simulated`, or the name of a"
                                + " ModelClient found on the class path. Its own settings follow as `model.<client>.*`.")
                .text(
                        Settings.MODEL_PRICE_TABLE,
                        "",
                        "File with what each model's tokens cost. Empty: a built-in example, whose sums are not what a provider"
                                + " bills. The table's version is kept with every cost computed from it.")
                .number(
                        Settings.MODEL_MAX_IN_FLIGHT,
                        64,
                        between(1, 100_000),
                        "Model calls one instance runs at the same time; what does not fit waits in the store, in arrival order for"
                                + " each model."
                                + " Higher finishes a backlog sooner if the provider's rate limit allows it; it also raises the"
                                + " number of calls a crash may repeat, and each holds its answer in memory.")
                .millis(
                        Settings.MODEL_CALL_TIMEOUT_MS,
                        120_000,
                        "How long one model call may take before it is given up and counted as a retryable failure. Too short"
                                + " pays for answers that are thrown away; too long leaves a request of a dead instance waiting for"
                                + " as long.")
                .number(
                        Settings.MODEL_MAX_ATTEMPTS,
                        10,
                        between(1, 1_000),
                        "Failed model calls after which a request fails as MODEL_EXHAUSTED. Calls cut off by a shutdown or"
                                + " refused for an invalid key do not count.")
                .duration(
                        Settings.MODEL_MAX_ELAPSED,
                        "1h",
                        "No model call is begun later than this after the first one that failed began; the request fails as"
                                + " MODEL_EXHAUSTED instead, also when attempts are left or a Retry-After reaches beyond it. Waits"
                                + " for a slot, for an invalid key or for an open circuit do not count. Longer outlasts longer"
                                + " outages of the provider; shorter tells callers sooner.")
                .millis(
                        Settings.MODEL_RETRY_BASE_MS,
                        1_000,
                        "Upper bound of the first wait between model calls; it doubles with each failure, with full jitter. A"
                                + " longer Retry-After of the provider is honoured.")
                .millis(
                        Settings.MODEL_RETRY_MAX_MS,
                        60_000,
                        "Upper bound of every wait between model calls of our own. Shorter loads a provider that is down; longer"
                                + " delays requests after it is back.")
                .number(
                        Settings.SNAPSHOT_MAX_BYTES,
                        900_000,
                        between(1_000, 2_000_000),
                        "Largest answer recorded, in bytes; a larger one fails its request as SNAPSHOT_TOO_LARGE, although it is"
                                + " paid for. Every answer is kept in a store, a changelog and three topics.");
    }

    private static void decisions(SettingsDeclaration all) {
        all.group("Decisions")
                .text(
                        Settings.POLICY_TOOL_CALLS_FILE,
                        "",
                        "JSON file with the tools a model may call under the policy `tool-calls`, and what each call becomes; see"
                                + " topology-docs/policies.md. Read at the start; every instance must have the same one, and a"
                                + " changed one decides answers recorded from then on. Empty: there is no such policy, and requests"
                                + " that name it are rejected as INVALID.")
                .number(
                        Settings.DECISION_MAX_EFFECTS,
                        Policies.MAX_EFFECTS,
                        between(1, 10_000),
                        "Most effects of one decision, whatever its policy; with more the request is held as POLICY_ERROR. They"
                                + " are kept in one record of the store: many large ones do not fit into it, and fail the request.");
    }

    private static void effects(SettingsDeclaration all) {
        all.group("Effects")
                .number(
                        Settings.EFFECT_MAX_ATTEMPTS,
                        10,
                        between(1, 1_000),
                        "Attempts of one effect in all. When they are used up the effect has failed: what was carried out is"
                                + " compensated, or, past the pivot, a person is asked.")
                .millis(
                        Settings.EFFECT_RETRY_BASE_MS,
                        500,
                        "Upper bound of the first wait between attempts of an effect; it doubles with each, with full jitter.")
                .millis(
                        Settings.EFFECT_RETRY_MAX_MS,
                        300_000,
                        "Upper bound of every wait between attempts of an effect. Together with effect.max.attempts it decides how"
                                + " long a receiver may be down before its requests fail.")
                .millis(
                        Settings.EFFECT_OUTCOME_TIMEOUT_MS,
                        600_000,
                        "How long an issued attempt may stay without an outcome before it is issued again. Safe at any value, since"
                                + " the connector's ledger executes an attempt once; shorter writes more records while the"
                                + " connector is down, longer notices a lost outcome later.")
                .duration(
                        Settings.HOLD_TIMEOUT,
                        "1d",
                        "How long a request that waits for a person stays quiet before it is reported again. It never ends by"
                                + " itself.")
                .flag(
                        Settings.BILLING_ENABLED,
                        true,
                        "Book every recorded answer in the billing ledger before its request ends. Off: no ledger row is written,"
                                + " and what was spent can only be summed from the snapshots.")
                .text(
                        Settings.BILLING_ROUTE,
                        "billing",
                        "The connector's route for billing. The connector must know it, or every request is held as"
                                + " BILLING_FAILED.");
    }

    private static void requirePattern(String name, Object value) {
        try {
            Pattern.compile((String) value);
        } catch (PatternSyntaxException broken) {
            throw new ConfigException(name, value, "is not a regular expression: " + broken.getDescription());
        }
    }
}
