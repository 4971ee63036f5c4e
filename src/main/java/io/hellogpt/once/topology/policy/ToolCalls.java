package io.hellogpt.once.topology.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * {@code tool-calls}: the tools the model calls become effects, in the order of the calls, those on the allow-list only and with
 * arguments that match their schema. A refused call is never dropped silently: it is in the decision's reason, and
 * {@link ToolRules.OnRefusedCall} says what becomes of the others. The model's own call ids are compared with one another and used
 * for nothing else.
 */
public final class ToolCalls implements DecisionPolicy {
    /** What requests name. */
    public static final String NAME = "tool-calls";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int REFUSALS_TOLD = 5;

    private final ToolRules rules;

    public ToolCalls(ToolRules rules) {
        this.rules = Objects.requireNonNull(rules, "rules");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Decision decide(ModelRequest request, Snapshot snapshot) {
        JsonNode choices = parse(snapshot.answer().body()).path("choices");
        JsonNode calls = choices.path(0).path("message").path("tool_calls");
        Optional<String> unusable = unusable(choices, calls);
        if (unusable.isPresent()) {
            return new Decision.Refuse("tool-calls: " + unusable.get());
        }
        return calls.isEmpty() ? withoutCall() : decided(calls);
    }

    /** What makes it impossible to tell all that the model wants done. */
    private Optional<String> unusable(JsonNode choices, JsonNode calls) {
        if (choices.size() > 1) {
            return Optional.of("the answer has %d choices; only one can be acted on".formatted(choices.size()));
        }
        if ("length".equals(choices.path(0).path("finish_reason").asText())) {
            return Optional.of("the answer was cut off at its limit of tokens; calls may be missing");
        }
        if (choices.path(0).path("message").hasNonNull("function_call")) {
            return Optional.of("the answer has a function_call, which is not a tool call");
        }
        if (!calls.isMissingNode() && !calls.isNull() && !calls.isArray()) {
            return Optional.of("tool_calls is not an array");
        }
        return calls.size() > rules.maxCalls()
                ? Optional.of(
                        "the answer has %d calls; at most %d are acted on".formatted(calls.size(), rules.maxCalls()))
                : Optional.empty();
    }

    private Decision withoutCall() {
        String reason = "tool-calls: the model called no tool";
        return switch (rules.noCall()) {
            case COMMIT -> new Decision.Proceed(reason, List.of());
            case HOLD -> new Decision.Hold(reason, List.of());
            case REFUSE -> new Decision.Refuse(reason);
        };
    }

    private Decision decided(JsonNode calls) {
        List<PlannedEffect> effects = new ArrayList<>();
        List<String> refusals = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        Map<String, Integer> made = new HashMap<>();
        for (int i = 0; i < calls.size(); i++) {
            ToolCall call = ToolCall.read(calls.get(i));
            Optional<String> why = switch (call) {
                case ToolCall.Unreadable unreadable -> Optional.of(unreadable.why());
                case ToolCall.Readable readable -> refusal(readable, ids, made);
            };
            if (why.isPresent()) {
                refusals.add("call %d '%s': %s".formatted(i + 1, Printable.name(call.name()), why.get()));
            } else if (call instanceof ToolCall.Readable accepted) {
                effects.add(rules.tools().get(accepted.name()).effect(accepted.arguments()));
            }
        }
        return decided(effects, refusals);
    }

    private Optional<String> refusal(ToolCall.Readable call, Set<String> ids, Map<String, Integer> made) {
        // The same call listed twice would be carried out twice.
        if (call.id().filter(id -> !ids.add(id)).isPresent()) {
            return Optional.of("its id was used by an earlier call");
        }
        Tool tool = rules.tools().get(call.name());
        if (tool == null) {
            return Optional.of("not on the list of tools, " + rules.names());
        }
        if (made.merge(call.name(), 1, Integer::sum) > tool.maxCalls()) {
            return Optional.of("called more than %d times".formatted(tool.maxCalls()));
        }
        return tool.refusal(call.arguments());
    }

    private Decision decided(List<PlannedEffect> effects, List<String> refusals) {
        String calls = "tool-calls: %d calls become effects".formatted(effects.size());
        if (refusals.isEmpty()) {
            return new Decision.Proceed(calls, effects);
        }
        String refused = "%d refused: %s%s"
                .formatted(
                        refusals.size(),
                        String.join("; ", refusals.subList(0, Math.min(REFUSALS_TOLD, refusals.size()))),
                        refusals.size() > REFUSALS_TOLD ? "; and more" : "");
        return switch (rules.refusedCall()) {
            case REFUSE -> new Decision.Refuse("tool-calls: " + refused);
            case HOLD -> new Decision.Hold(calls + " once approved, " + refused, effects);
            case SKIP -> new Decision.Proceed(calls + ", " + refused, effects);
        };
    }

    private static JsonNode parse(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException notJson) {
            throw new UncheckedIOException("the answer is not JSON", notJson);
        }
    }
}
