package io.hellogpt.once.topology.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.Compensation;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.Usage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of a model's tool calls become effects, and what is said of the others. */
class ToolCallsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOOLS = """
            {%s "tools": {
              "pay": {"route": "payments", "stage": 1, "pivot": true, "max_calls": 2,
                "parameters": {"type": "object", "required": ["amount", "account"], "additionalProperties": false,
                  "properties": {"amount": {"type": "number", "maximum": 1000}, "account": {"$ref": "#/$defs/account"}},
                  "$defs": {"account": {"type": "string", "pattern": "^[A-Z]{2}[0-9]+$"}}},
                "compensation": {"route": "refunds", "payload": {"why": "undone"},
                  "pointers": {"/from/account": "/account", "/amount": "/amount"}}},
              "mail": {"route": "mail", "parameters": {"type": "object"}}}}""";
    private static final String PAY = "{\"amount\":12.50,\"account\":\"DE12\"}";

    private final ToolCalls policy = policy("");

    private final ArrayNode calls = JSON.createArrayNode();
    private String finish = "tool_calls";

    @Test
    void aCallBecomesAnEffectWithItsArgumentsAndItsCompensation() {
        call("pay", PAY);

        assertThat(proceed().effects())
                .containsExactly(new PlannedEffect(
                        "pay",
                        "payments",
                        1,
                        PAY,
                        Optional.of(new Compensation(
                                "refunds", "{\"why\":\"undone\",\"amount\":12.50,\"from\":{\"account\":\"DE12\"}}")),
                        true));
    }

    @Test
    void parallelCallsBecomeEffectsInTheirOrder() {
        call("mail", "{\"to\":\"b\"}");
        call("pay", PAY);
        call("mail", "{\"to\":\"a\"}");

        assertThat(proceed().effects()).extracting(PlannedEffect::name).containsExactly("mail", "pay", "mail");
        assertThat(proceed().effects()).extracting(PlannedEffect::payload).contains("{\"to\":\"b\"}", "{\"to\":\"a\"}");
    }

    @Test
    void theSameAnswerGivesTheSameDecision() {
        call("pay", PAY);
        call("launch", "{}");
        assertThat(policy("").decide(request(), snapshot())).isEqualTo(policy.decide(request(), snapshot()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"amount\":12.5,\"account\":\"DE12\"",
                "",
                "null",
                "[1]",
                "{\"amount\":1,\"amount\":2,\"account\":\"DE1\"}",
                "{\"amount\":1,\"account\":\"DE1\"} {}",
                "{\"amount\":1e999999999,\"account\":\"DE1\"}"
            })
    void argumentsThatAreNotOneReasonableObjectRefuseTheCall(String arguments) {
        call("pay", arguments);

        assertThat(refused()).contains("call 1 'pay'", "one complete JSON object");
    }

    @Test
    void argumentsNestedWithoutEndRefuseTheCall() {
        call("mail", "{\"a\":".repeat(100_000));

        assertThat(refused()).contains("one complete JSON object");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"amount\":1000.01,\"account\":\"DE12\"} | /amount break 'maximum'",
                "{\"amount\":\"1\",\"account\":\"DE12\"} | /amount break 'type'",
                "{\"amount\":1} | they break 'required' of account",
                "{\"amount\":1,\"account\":\"secret\"} | /account break 'pattern'",
                "{\"amount\":1,\"account\":\"DE1\",\"x\":1} | break 'additionalProperties'"
            })
    void argumentsThatBreakTheSchemaRefuseTheCallAndAreNotQuoted(String arguments, String reason) {
        call("pay", arguments);

        assertThat(refused()).contains(reason).doesNotContain("secret");
    }

    @Test
    void aToolThatIsNotOnTheListIsRefusedAndItsNameMadePrintable() {
        call("rm -rf /\u0000<script>", "{}");

        assertThat(refused()).contains("call 1 'rm?-rf?/??script?'", "not on the list of tools, [mail, pay]");
    }

    @Test
    void oneRefusedCallTakesTheOthersWithItUnlessTheRulesSayOtherwise() {
        call("pay", PAY);
        call("launch", "{}");
        assertThat(refused()).contains("1 refused: call 2 'launch'");

        Decision.Proceed skipping =
                (Decision.Proceed) policy("\"refused_call\": \"skip\",").decide(request(), snapshot());
        assertThat(skipping.effects()).extracting(PlannedEffect::name).containsExactly("pay");
        assertThat(skipping.reason()).contains("1 calls become effects", "call 2 'launch'");

        Decision.Hold holding =
                (Decision.Hold) policy("\"refused_call\": \"hold\",").decide(request(), snapshot());
        assertThat(holding.effects()).hasSize(1);
        assertThat(holding.reason()).contains("call 2 'launch'");
    }

    @Test
    void aCallWithAnIdUsedBeforeIsRefusedAndOneWithoutIdsIsNot() {
        call("pay", PAY).put("id", "call_1");
        call("pay", PAY).put("id", "call_1");
        assertThat(refused()).contains("call 2 'pay': its id was used by an earlier call");

        calls.forEach(call -> ((ObjectNode) call).remove("id"));
        assertThat(proceed().effects()).hasSize(2);
    }

    @Test
    void aToolCalledTooOftenAndTooManyCallsAreRefused() {
        for (int i = 0; i < 3; i++) {
            call("pay", PAY);
        }
        assertThat(refused()).contains("call 3 'pay': called more than 2 times");

        for (int i = 0; i < 14; i++) {
            call("mail", "{}");
        }
        assertThat(refused()).contains("17 calls; at most 16");
    }

    @ParameterizedTest
    @CsvSource({"'', Proceed", "'\"no_call\": \"hold\",', Hold", "'\"no_call\": \"refuse\",', Refuse"})
    void anAnswerWithoutACallIsWhatTheRulesSay(String rules, String expected) {
        assertThat(policy(rules).decide(request(), snapshot()).getClass().getSimpleName())
                .isEqualTo(expected);
    }

    @Test
    void anAnswerThatWasCutOffIsRefusedWhole() {
        call("pay", PAY);
        finish = "length";

        assertThat(refused()).contains("cut off");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"choices\":[{\"message\":{}},{\"message\":{}}]}",
                "{\"choices\":[{\"message\":{\"function_call\":{\"name\":\"pay\"}}}]}",
                "{\"choices\":[{\"message\":{\"tool_calls\":{\"name\":\"pay\"}}}]}",
                "{\"choices\":[{\"message\":{\"tool_calls\":[7]}}]}",
                "{\"choices\":[{\"message\":{\"tool_calls\":[{\"type\":\"custom\",\"custom\":{\"name\":\"pay\"}}]}}]}",
                "{\"choices\":[{\"message\":{\"tool_calls\":[{\"function\":{\"name\":\"pay\",\"arguments\":{}}}]}}]}"
            })
    void whatCannotBeUnderstoodIsRefusedAndNotPassedOver(String body) {
        assertThat(policy.decide(request(), snapshot(body))).isInstanceOf(Decision.Refuse.class);
    }

    private ObjectNode call(String tool, String arguments) {
        ObjectNode call = calls.addObject().put("id", "call_" + calls.size()).put("type", "function");
        call.putObject("function").put("name", tool).put("arguments", arguments);
        return call;
    }

    private static ToolCalls policy(String rules) {
        return new ToolCalls(ToolRulesJson.read(TOOLS.formatted(rules)));
    }

    private Decision.Proceed proceed() {
        return (Decision.Proceed) policy.decide(request(), snapshot());
    }

    private String refused() {
        return ((Decision.Refuse) policy.decide(request(), snapshot())).reason();
    }

    private Snapshot snapshot() {
        ObjectNode body = JSON.createObjectNode();
        ObjectNode choice = body.putArray("choices").addObject().put("finish_reason", finish);
        choice.putObject("message").putNull("content").set("tool_calls", calls);
        return snapshot(body.toString());
    }

    static Snapshot snapshot(String body) {
        return new Snapshot(
                new RequestId("r-1"),
                0,
                1,
                new Answer(
                        body.getBytes(StandardCharsets.UTF_8),
                        "application/json",
                        "sha",
                        "test",
                        "m",
                        "{}",
                        Usage.NONE,
                        new Cost(0, "USD", "none"),
                        Optional.empty(),
                        Instant.EPOCH,
                        Instant.EPOCH));
    }

    static ModelRequest request() {
        return new ModelRequest(
                new RequestId("r-1"),
                "m",
                "[]",
                "{}",
                ToolCalls.NAME,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of());
    }
}
