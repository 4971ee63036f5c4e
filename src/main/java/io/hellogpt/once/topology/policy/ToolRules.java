package io.hellogpt.once.topology.policy;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What {@code tool-calls} goes by; written as JSON, see {@link ToolRulesJson}.
 *
 * @param tools the allow-list, by name
 * @param refusedCall what is done about an answer with a call that is refused
 * @param noCall what is done about an answer that calls no tool
 * @param maxCalls how many calls of one answer are acted on; an answer with more is refused
 */
public record ToolRules(Map<String, Tool> tools, OnRefusedCall refusedCall, OnNoCall noCall, int maxCalls) {
    public ToolRules {
        tools = Map.copyOf(tools);
        Objects.requireNonNull(refusedCall, "refusedCall");
        Objects.requireNonNull(noCall, "noCall");
    }

    /** Whether one refused call takes the others with it. */
    public enum OnRefusedCall {
        /** None is carried out and the request fails: calls of one answer may depend on one another. The default. */
        REFUSE,
        /** A person is asked; once approved, the other calls are carried out. */
        HOLD,
        /** The others are carried out; the refused one is named in the decision's reason. */
        SKIP
    }

    /** What an answer without a call means. */
    public enum OnNoCall {
        /** The answer is the result. The default. */
        COMMIT,
        /** A person is asked. */
        HOLD,
        /** The request fails. */
        REFUSE
    }

    List<String> names() {
        return tools.keySet().stream().sorted().toList();
    }
}
