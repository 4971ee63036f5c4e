package io.hellogpt.once.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.RequestIdFormat;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalFormTest {
    private static final String BASE = """
            {"request_id":"a-1","model":"m","policy":"declared","parameters":{"a":1,"b":0.5},
             "messages":[{"role":"user","content":"hi"}],
             "effects":[{"name":"n","route":"r","stage":1,"payload":{"x":1},"pointers":{"/p":"/q"},"pivot":true,
                         "compensation":{"route":"c","payload":{"y":2}}}]}""";

    private final RequestDecoder decoder = new RequestDecoder(RequestIdFormat.DEFAULT, 100_000, Optional.empty());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"model\":\"m\"                | \"model\":\"M\"",
                "\"policy\":\"declared\"        | \"policy\":\"other\"",
                "\"a\":1                        | \"a\":2",
                "\"a\":1                        | \"a\":\"1\"",
                "\"b\":0.5                      | \"b\":0.50000000000000000001",
                "\"role\":\"user\"              | \"role\":\"system\"",
                "\"content\":\"hi\"             | \"content\":\"hi \"",
                "\"name\":\"n\"                 | \"name\":\"o\"",
                "\"route\":\"r\"                | \"route\":\"s\"",
                "\"stage\":1                    | \"stage\":2",
                "{\"x\":1}                      | {\"x\":null}",
                "\"/p\":\"/q\"                  | \"/p\":\"/r\"",
                "\"/p\":\"/q\"                  | \"/o\":\"/q\"",
                "\"pivot\":true                 | \"pivot\":false",
                "\"route\":\"c\"                | \"route\":\"d\"",
                "{\"y\":2}                      | {\"y\":3}",
            })
    void everyFieldThatCountsChangesIt(String from, String to) {
        assertThat(BASE).contains(from);

        assertThat(fingerprint(BASE.replace(from, to))).isNotEqualTo(fingerprint(BASE));
    }

    @Test
    void theOrderOfMessagesAndEffectsCounts() {
        String one = "{\"name\":\"a\",\"route\":\"r\"}";
        String two = "{\"name\":\"b\",\"route\":\"r\"}";
        String start = "{\"request_id\":\"a-1\",\"model\":\"m\",\"input\":\"x\",\"policy\":\"declared\",\"effects\":[";

        assertThat(fingerprint(start + one + "," + two + "]}"))
                .isNotEqualTo(fingerprint(start + two + "," + one + "]}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"request_id\":\"a-1\"  | \"request_id\":\"a-2\"",
                "\"model\":\"m\"         | \"model\":\"m\",\"created_at\":\"2026-01-01T00:00:00Z\"",
                "\"model\":\"m\"         | \"model\":\"m\",\"deadline\":\"2026-01-01T00:00:00Z\"",
                "\"model\":\"m\"         | \"model\":\"m\",\"metadata\":{\"k\":\"v\"}",
            })
    void whatDoesNotCountDoesNotChangeIt(String from, String to) {
        assertThat(fingerprint(BASE.replace(from, to))).isEqualTo(fingerprint(BASE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1,\"b\":0.5}                  | {\"b\":0.5,\"a\":1}",
                "{\"a\":1,\"b\":0.5}                  | { \"a\" : 1.0 , \"b\" : 5e-1 }",
                "{\"a\":1,\"b\":0.5}                  | {\"a\":10E-1,\"b\":0.500}",
                "\"content\":\"hi\"                   | \"content\":\"\\u0068i\"",
                "\"stage\":1                          | \"stage\":1.0",
                "{\"role\":\"user\",\"content\":\"hi\"} | {\"content\":\"hi\",\"role\":\"user\"}",
            })
    void theSpellingDoesNotChangeIt(String from, String to) {
        assertThat(BASE).contains(from);

        assertThat(fingerprint(BASE.replace(from, to))).isEqualTo(fingerprint(BASE));
    }

    @Test
    void inputIsTheOneMessageItStandsFor() {
        assertThat(fingerprint(
                        BASE.replace("\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]", "\"input\":\"hi\"")))
                .isEqualTo(fingerprint(BASE));
    }

    @Test
    void anOmittedFieldIsItsDefault() {
        String omitted = "{\"request_id\":\"a-1\",\"model\":\"m\",\"input\":\"x\",\"policy\":\"p\","
                + "\"effects\":[{\"name\":\"n\",\"route\":\"r\"}]}";
        String explicit = "{\"request_id\":\"a-1\",\"model\":\"m\",\"input\":\"x\",\"policy\":\"p\",\"parameters\":{},"
                + "\"effects\":[{\"name\":\"n\",\"route\":\"r\",\"stage\":0,\"payload\":{},\"pointers\":{},"
                + "\"compensation\":null,\"pivot\":false}]}";

        assertThat(fingerprint(omitted)).isEqualTo(fingerprint(explicit));
    }

    @Test
    void noPolicyIsCommitOnly() {
        String start = "{\"request_id\":\"a-1\",\"model\":\"m\",\"input\":\"x\"";

        assertThat(fingerprint(start + "}")).isEqualTo(fingerprint(start + ",\"policy\":\"commit-only\"}"));
    }

    @Test
    void theEncodingDoesNotChangeIt() {
        Decoded.Request fromJson = (Decoded.Request) decoder.decode(utf8(BASE));
        Decoded.Request fromAvro = (Decoded.Request) decoder.decode(RequestEncoder.avro(fromJson.request()));

        assertThat(fromAvro.fingerprint()).isEqualTo(fromJson.fingerprint());
        assertThat(CanonicalForm.fingerprint(fromJson.request())).isEqualTo(fromJson.fingerprint());
    }

    @Test
    void aRequestWithJsonTextsOfAnySpellingHasTheSameOne() {
        assertThat(CanonicalForm.fingerprint(Examples.withMessages("[ {\"role\":\"user\",\"content\":\"hi\"} ]")))
                .isEqualTo(CanonicalForm.fingerprint(Examples.bareRequest()));
    }

    @Test
    void aRequestWithoutJsonHasNone() {
        assertThatThrownBy(() -> CanonicalForm.fingerprint(Examples.withMessages("hi")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("messages");
    }

    /** The form is in every stored state and on every topic: it must never change for a request that was possible before. */
    @Test
    void theFormIsFrozen() {
        assertThat(fingerprint(BASE).hex())
                .isEqualTo("08e014bfbb30f364d420f784de92294a0a295e7808654c121aa236f1080b29a5");
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "-0.0,0",
        "1.0,1",
        "1e0,1",
        "100,100",
        "1e2,100",
        "-12.50,-12.5",
        "1e20,100000000000000000000",
        "1e21,1e+21",
        "1.25e30,1.25e+30",
        "1e-7,0.0000001",
        "1e-8,1e-8",
        "9007199254740993,9007199254740993",
        "1e999999999,1e+999999999"
    })
    void numbersHaveOneSpelling(String spelled, String canonical) {
        assertThat(CanonicalJson.text(StrictJson.parse(spelled, "it"))).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"\":\"\",\"a\":[],\"b\":{},\"\u00e9\":null}",
                "[\"\\\"\\\\\\b\\f\\n\\r\\t\\u001f/\u2028\"]",
                "true"
            })
    void whatIsCanonicalStaysAsItIs(String json) {
        assertThat(CanonicalJson.text(StrictJson.parse(json, "it"))).isEqualTo(json);
    }

    private Fingerprint fingerprint(String json) {
        return decoder.decode(utf8(json)) instanceof Decoded.Request request
                ? request.fingerprint()
                : throwNotARequest(json);
    }

    private static Fingerprint throwNotARequest(String json) {
        throw new AssertionError("not a request: " + json);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
