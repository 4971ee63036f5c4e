package io.hellogpt.once.replay.docs;

import io.hellogpt.once.core.Timer;
import io.hellogpt.once.ops.TopicCatalogue;
import io.hellogpt.once.topology.Stores;
import io.hellogpt.once.topology.Topics;
import java.util.Map;

/** The catalogues: topics, stores, timers. */
final class TopicsPage {
    private static final Map<String, String> SCHEMAS = Map.ofEntries(
            Map.entry(Topics.REQUESTS, "ModelRequest"),
            Map.entry(Topics.REQUESTS_REROUTED, "ModelRequest"),
            Map.entry(Topics.MODEL_RESPONSES, "ModelResponse"),
            Map.entry(Topics.SNAPSHOTS, "Snapshot"),
            Map.entry(Topics.EFFECTS, "Effect"),
            Map.entry(Topics.EFFECT_OUTCOMES, "EffectOutcome"),
            Map.entry(Topics.COMMANDS, "OperatorCommand"),
            Map.entry(Topics.COMMITTED_RESULTS, "CommittedResult"),
            Map.entry(Topics.FAILED_REQUESTS, "FailedRequest"),
            Map.entry(Topics.DUPLICATE_REQUESTS, "DuplicateRequest"),
            Map.entry(Topics.REJECTED_REQUESTS, "RejectedRequest"),
            Map.entry(Topics.LIFECYCLE_EVENTS, "LifecycleEvent"),
            Map.entry(Topics.TASK_STEPS, "TaskStep"));

    private TopicsPage() {}

    static String markdown() {
        StringBuilder page = new StringBuilder("# Topics, stores and timers\n\n" + Pages.NOTE);
        page.append(
                "## Topics\n\nInputs have equal partition counts. Values are Avro in single-object encoding; `requests` also takes"
                        + " JSON and Confluent framing, and the four topics that consumers read can be written as JSON.\n\n"
                        + "| topic | key | value | partitions | kept | written by | read by |\n|---|---|---|---|---|---|---|\n");
        for (TopicCatalogue.Topic topic : TopicCatalogue.standard().topics()) {
            page.append("| `%s` | %s | [%s](../schemas/%s.avsc) | %s | %d days | %s | %s |\n"
                    .formatted(
                            topic.name(),
                            key(topic.name()),
                            schema(topic.name()),
                            schema(topic.name()),
                            topic.input() ? "equal" : "free",
                            topic.retention().toDays(),
                            topic.writers(),
                            topic.readers()));
        }
        page.append(
                "\n## Stores\n\nEach has a changelog `<application.id>-<store>-changelog` and is part of the transaction.\n\n"
                        + "| store | key | value | holds |\n|---|---|---|---|\n");
        Stores.ALL.forEach(store -> page.append(store(store)));
        page.append(
                "\n## Timers\n\nEntries of the store `timers`, looked at every 50 ms, at most 500 of a kind in one look.\n\n"
                        + "| timer | due | when it fires |\n|---|---|---|\n");
        for (Timer.Kind kind : Timer.Kind.values()) {
            page.append("| `%s` | %s |\n".formatted(kind, words(kind)));
        }
        return page.toString();
    }

    private static String schema(String topic) {
        String schema = SCHEMAS.get(topic);
        if (schema == null) {
            throw new IllegalStateException("no schema is named here for the topic " + topic);
        }
        return schema;
    }

    private static String key(String topic) {
        return switch (topic) {
            case Topics.REQUESTS -> "any; never trusted";
            case Topics.MODEL_RESPONSES -> "request_id; none for barriers and handovers";
            case Topics.REJECTED_REQUESTS -> "request_id, if one could be read";
            case Topics.TASK_STEPS -> "number of the task's partition";
            default -> "request_id";
        };
    }

    private static String store(String store) {
        return "| `%s` | %s |\n"
                .formatted(
                        store,
                        switch (store) {
                            case Stores.REQUESTS_BY_ID ->
                                "request_id | StoredState | the state, with the request until there is a snapshot; the memory of the dedup";
                            case Stores.SNAPSHOTS_BY_ID -> "request_id | Snapshot | the one answer, written once";
                            case Stores.TIMERS ->
                                "kind, due time, sequence, request_id; of a waiting request its model comes before the time | nothing | when each request is due next";
                            case Stores.EARLY_RESPONSES ->
                                "request_id | EarlyResponse | what the journal said before the request was read";
                            default -> throw new IllegalStateException("no words for the store " + store);
                        });
    }

    private static String words(Timer.Kind kind) {
        return switch (kind) {
            case PENDING -> "at once, or after a backoff | a waiting request is dispatched if a slot is free";
            case CALL_DEADLINE ->
                "when a call's time is over | the call is given up and made again, or the request fails";
            case EFFECT ->
                "after a backoff, or when an outcome is overdue | the next attempt is issued, or the same one again";
            case REQUEST_DEADLINE -> "at the request's own deadline | it fails, or turns back";
            case HOLD -> "`hold.timeout` after it was held | the request is reported again";
            case EXPIRY -> "`dedup.retention` after the end, in stream time | the id is forgotten";
            case STASH -> "`stash.retention` after an early answer | the answer is dropped";
        };
    }
}
