package io.hellogpt.once.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import io.hellogpt.once.core.RequestIdFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON Schema that producers are given says the same as the decoder. */
class RequestSchemaTest {
    private static final String TEXT = text();
    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(
                    SpecificationVersion.DRAFT_2020_12,
                    registry -> registry.schemaRegistryConfig(SchemaRegistryConfig.builder()
                            .formatAssertionsEnabled(true)
                            .build()))
            .getSchema(TEXT, InputFormat.JSON);

    private final RequestDecoder decoder = new RequestDecoder(RequestIdFormat.DEFAULT, 100_000, Optional.empty());

    static Stream<String> examples() throws IOException {
        JsonNode schema = new ObjectMapper().readTree(TEXT);
        return Stream.concat(
                StreamSupport.stream(schema.path("examples").spliterator(), false)
                        .map(JsonNode::toString),
                Stream.of(Examples.request(), Examples.bareRequest())
                        .map(request -> new String(RequestEncoder.json(request), StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void bothAcceptTheExamples(String json) {
        assertThat(SCHEMA.validate(json, InputFormat.JSON)).isEmpty();
        assertThat(decoder.decode(json.getBytes(StandardCharsets.UTF_8))).isInstanceOf(Decoded.Request.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'input':''",
                "'input':'x','parameters':{'tools':[{'type':'function'}]}",
                "'messages':[{'role':'user','content':'x','name':'n'}]",
                "'messages':[{'role':'user','content':[{'type':'text','text':'x'}]}]",
                "'messages':[{'role':'assistant','content':null,'tool_calls':[{}]}]",
                "'messages':[{'role':'assistant','tool_calls':[{}]}]",
                "'messages':[{'role':'assistant','content':'x','tool_calls':[]}]",
                "'input':'x','created_at':null,'deadline':null",
                "'input':'x','created_at':'2026-01-31T12:00:00.123456Z','deadline':'2026-01-31T12:00:00-05:30'",
                "'input':'x','metadata':{'':'','a b':'c'}",
                "'input':'x','effects':[]",
                "'input':'x','policy':'commit-only','effects':[]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'A-z.0_9','stage':2147483647,'compensation':null}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','stage':2.0,'pointers':{'':'','/a~0~1/0':'/b//c'}}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','compensation':{'route':'r'}}]"
            })
    void bothAccept(String rest) {
        String json = request(rest);

        assertThat(SCHEMA.validate(json, InputFormat.JSON)).isEmpty();
        assertThat(decoder.decode(json.getBytes(StandardCharsets.UTF_8))).isInstanceOf(Decoded.Request.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'policy':'p'",
                "'input':'x','messages':[{'role':'user','content':'x'}]",
                "'input':null",
                "'input':1",
                "'input':'x','temperature':1",
                "'input':'x','model':''",
                "'input':'x','model':null",
                "'input':'x','model':'a\\nb'",
                "'input':'x','request_id':''",
                "'input':'x','request_id':'a b'",
                "'input':'x','request_id':'a\\n'",
                "'input':'x','request_id':7",
                "'messages':[]",
                "'messages':{}",
                "'messages':['x']",
                "'messages':[{'content':'x'}]",
                "'messages':[{'role':'','content':'x'}]",
                "'messages':[{'role':'user'}]",
                "'messages':[{'role':'user','content':null}]",
                "'messages':[{'role':'user','content':{}}]",
                "'messages':[{'role':'user','content':{},'tool_calls':[{}]}]",
                "'messages':[{'role':'user','content':null,'tool_calls':[]}]",
                "'input':'x','parameters':null",
                "'input':'x','parameters':[]",
                "'input':'x','policy':''",
                "'input':'x','policy':null",
                "'input':'x','created_at':'2026-01-31'",
                "'input':'x','created_at':'2026-02-30T12:00:00Z'",
                "'input':'x','created_at':'2026-01-31 12:00:00Z'",
                "'input':'x','created_at':'2026-01-31T12:00:00'",
                "'input':'x','created_at':'2026-01-31T12:00Z'",
                "'input':'x','deadline':0",
                "'input':'x','metadata':null",
                "'input':'x','metadata':{'k':1}",
                "'input':'x','effects':[{'name':'n','route':'r'}]",
                "'input':'x','policy':'commit-only','effects':[{'name':'n','route':'r'}]",
                "'input':'x','effects':null",
                "'input':'x','policy':'p','effects':['x']",
                "'input':'x','policy':'p','effects':[{'route':'r'}]",
                "'input':'x','policy':'p','effects':[{'name':'n'}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':''}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'a/b'}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r\\n'}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','stage':-1}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','stage':1.5}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','stage':2147483648}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','stage':null}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','payload':'{}'}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','payload':null}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','pointers':{'a':'/b'}}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','pointers':{'/a':'b'}}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','pointers':{'/a~':'/b'}}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','pointers':{'/a':1}}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','pivot':'yes'}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','compensation':{}}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','compensation':{'route':'r','x':1}}]",
                "'input':'x','policy':'p','effects':[{'name':'n','route':'r','url':'x'}]"
            })
    void bothRefuse(String rest) {
        String json = request(rest);

        assertThat(decoder.decode(json.getBytes(StandardCharsets.UTF_8))).isInstanceOf(Decoded.Unreadable.class);
        assertThat(SCHEMA.validate(json, InputFormat.JSON)).isNotEmpty();
    }

    @Test
    void bothRefuseWhatLacksAnIdOrAModel() {
        for (String json :
                new String[] {"{}", "{\"request_id\":\"a\",\"input\":\"x\"}", "{\"model\":\"m\",\"input\":\"x\"}"}) {
            assertThat(decoder.decode(json.getBytes(StandardCharsets.UTF_8))).isInstanceOf(Decoded.Unreadable.class);
            assertThat(SCHEMA.validate(json, InputFormat.JSON)).isNotEmpty();
        }
    }

    @Test
    void everyPropertyIsExplained() throws IOException {
        assertExplained(new ObjectMapper().readTree(TEXT), "");
    }

    private static void assertExplained(JsonNode node, String path) {
        if (node.path("properties").isObject() && !path.contains("/anyOf")) {
            node.path("properties")
                    .properties()
                    .forEach(property -> assertThat(property.getValue().has("description")
                                    || property.getValue().has("$ref"))
                            .as("%s/%s", path, property.getKey())
                            .isTrue());
        }
        node.properties().forEach(child -> assertExplained(child.getValue(), path + "/" + child.getKey()));
    }

    /** A request with an id and a model unless {@code rest} names its own. */
    private static String request(String rest) {
        String id = rest.contains("'request_id'") ? "" : "'request_id':'a-1',";
        String model = rest.contains("'model'") ? "" : "'model':'m',";
        return ("{" + id + model + rest + "}").replace('\'', '"');
    }

    private static String text() {
        try {
            return Files.readString(Path.of("schemas/request.schema.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
