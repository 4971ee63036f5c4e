package io.hellogpt.once.api.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.util.List;

/** The figures of several instances as those of one: counts add up, of ages the greatest counts. */
final class Totals {
    private static final String AGE = "age_seconds";

    private Totals() {}

    static ObjectNode of(List<JsonNode> figures) {
        ObjectNode total = JsonNodeFactory.instance.objectNode();
        figures.forEach(one -> add(total, one));
        return total;
    }

    private static void add(ObjectNode total, JsonNode one) {
        one.properties().forEach(figure -> {
            String name = figure.getKey();
            JsonNode value = figure.getValue();
            if (value.isObject()) {
                add(total.withObjectProperty(name), value);
            } else {
                total.set(name, together(name, total.path(name), value));
            }
        });
    }

    private static ValueNode together(String name, JsonNode sum, JsonNode value) {
        if (name.endsWith(AGE)) {
            return JsonNodeFactory.instance.numberNode(Math.max(sum.asDouble(), value.asDouble()));
        }
        return JsonNodeFactory.instance.numberNode(sum.asLong() + value.asLong());
    }
}
