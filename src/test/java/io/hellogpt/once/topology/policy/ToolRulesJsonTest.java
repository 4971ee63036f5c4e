package io.hellogpt.once.topology.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of tool-calls are taken whole or not at all. */
class ToolRulesJsonTest {
    @Test
    void theDefaultsAreTheCautiousOnes() {
        ToolRules rules = ToolRulesJson.read(tool("\"route\":\"r\",\"parameters\":{}"));

        assertThat(rules.refusedCall()).isEqualTo(ToolRules.OnRefusedCall.REFUSE);
        assertThat(rules.noCall()).isEqualTo(ToolRules.OnNoCall.COMMIT);
        assertThat(rules.tools().get("t").plan()).isEqualTo(new Tool.Plan("r", 0, false, java.util.Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ | is not JSON",
                "[] | / must be a JSON object",
                "{} | /tools must be a JSON object",
                "{\"tools\":{}} | /tools names no tool",
                "{\"tools\":{\"t\":{\"route\":\"r\",\"parameters\":{}}},\"refused\":1} | /refused is not known",
                "{\"tools\":{\"t\":{\"route\":\"r\",\"parameters\":{}}},\"no_call\":\"x\"} | /no_call must be one of [commit, hold, refuse]",
                "{\"tools\":{\"t\":{\"route\":\"r\",\"parameters\":{}},\"t\":{}}} | is not JSON"
            })
    void whatIsWrongIsNamedByItsPlace(String json, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ToolRulesJson.read(json))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"route\":\"http://x/\",\"parameters\":{} | /tools/t/route must be the name of a route",
                "\"route\":\"r\" | /tools/t/parameters must be a JSON object",
                "\"route\":\"r\",\"parameters\":{\"type\":7} | /tools/t/parameters",
                "\"route\":\"r\",\"parameters\":{},\"stage\":-1 | /tools/t/stage must be a whole number, at least 0",
                "\"route\":\"r\",\"parameters\":{},\"pivot\":1 | /tools/t/pivot must be true or false",
                "\"route\":\"r\",\"parameters\":{},\"pivto\":true | /tools/t/pivto is not known",
                "\"route\":\"r\",\"parameters\":{},\"compensation\":{} | /tools/t/compensation/route",
                "\"route\":\"r\",\"parameters\":{},\"compensation\":{\"route\":\"u\",\"pointers\":{\"x\":\"/y\"}} | JSON pointer"
            })
    void aToolIsReadWholeOrNotAtAll(String fields, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ToolRulesJson.read(tool(fields)))
                .withMessageContaining(message);
    }

    /** Nothing is fetched: a decision must be the same on every machine, and at start-up is when a person looks. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"$ref\":\"https://example.com/schema.json\"}",
                "{\"$ref\":\"classpath:/schemas/request.schema.json\"}",
                "{\"$ref\":\"file:///etc/passwd\"}",
                "{\"properties\":{\"x\":{\"$dynamicRef\":\"other.json#y\"}}}",
                "{\"$schema\":\"https://example.com/dialect\"}"
            })
    void aSchemaThatPointsOutOfItselfIsRefusedAtTheStart(String schema) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ToolRulesJson.read(tool("\"route\":\"r\",\"parameters\":" + schema)))
                .withMessageContaining("/tools/t/parameters");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\"}",
                "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":\"object\"}",
                "{\"$id\":\"https://example.com/own\",\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"type\":\"object\"}}}"
            })
    void theUsualDialectsAndOwnReferencesAreTaken(String schema) {
        Tool tool = ToolRulesJson.read(tool("\"route\":\"r\",\"parameters\":" + schema))
                .tools()
                .get("t");

        assertThat(tool.refusal(com.fasterxml.jackson.databind.node.JsonNodeFactory.instance.objectNode()))
                .isEmpty();
        assertThat(tool.refusal(com.fasterxml.jackson.databind.node.JsonNodeFactory.instance.arrayNode()))
                .isPresent();
    }

    private static String tool(String fields) {
        return "{\"tools\":{\"t\":{" + fields + "}}}";
    }
}
