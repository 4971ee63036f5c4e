package io.hellogpt.once.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A report as JSON; its fields are explained in topology-docs/replay.md. The same replay gives the same bytes, times aside. */
public final class ReportJson {
    private static final int VERSION = 1;

    private ReportJson() {}

    public static ObjectNode of(ReplayReport report) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("report", VERSION)
                .put("capture", report.capture())
                .put("result", report.isEqual() ? "EQUAL" : "DIVERGENT")
                .put("what_if", report.whatIf())
                .put("steps", report.steps())
                .put("requests", report.requests())
                .put("equal", report.equal())
                .put("outside", report.outside())
                .put("left_out", report.leftOut())
                .put("millis", report.millis());
        ArrayNode divergences = json.putArray("divergences");
        report.divergences()
                .forEach(each -> divergences
                        .addObject()
                        .put("request_id", each.requestId())
                        .put("topic", each.topic())
                        .put("at", each.at().toString())
                        .put("field", each.field())
                        .put("recorded", each.recorded())
                        .put("replayed", each.replayed()));
        ArrayNode changes = json.putArray("changes");
        report.changes().forEach(change -> {
            ObjectNode each = changes.addObject()
                    .put("request_id", change.requestId())
                    .put("recorded", change.recorded())
                    .put("replayed", change.replayed());
            change.effectsBefore().forEach(each.putArray("effects_recorded")::add);
            change.effectsNow().forEach(each.putArray("effects_replayed")::add);
        });
        return json;
    }
}
