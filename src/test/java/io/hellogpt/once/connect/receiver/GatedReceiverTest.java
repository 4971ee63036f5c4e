package io.hellogpt.once.connect.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.connect.Attempts;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.Receiver;
import io.hellogpt.once.connect.Routes;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.io.IOException;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatedReceiverTest {
    private static final String SCHEMA = """
            {"type":"object","required":["mail","amount"],
             "properties":{"mail":{"$ref":"#/$defs/mail"},"amount":{"type":"integer","minimum":1}},
             "$defs":{"mail":{"type":"string","pattern":"@b[.]example$"}},"additionalProperties":false}""";

    private Receiver receiver;

    @BeforeEach
    void open() throws IOException {
        receiver = new Receiver();
    }

    @AfterEach
    void close() {
        receiver.close();
    }

    @Test
    void aPayloadThatMatchesIsSentAsItIs() throws Exception {
        String payload = "{\"amount\": 2,\n \"mail\":\"a@b.example\"}";

        assertThat(execute(payload, false).result()).isEqualTo(Result.SUCCEEDED);
        assertThat(receiver.calls().getFirst().body()).isEqualTo(payload);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"amount":2}                              | required
                    {"amount":"2","mail":"a@b.example"}       | /amount
                    {"amount":0,"mail":"a@b.example"}         | minimum
                    {"amount":2,"mail":"secret-nonsense"}     | pattern
                    {"amount":2,"mail":"a@b.example","x-y":1} | additionalProperties
                    not json                                  | not JSON
                    {"amount":2} {}                           | not JSON
                    [1]                                       | type
                    """)
    void aPayloadThatDoesNotMatchIsFailedUnsentWithPlaceAndKeyword(String payload, String why) throws Exception {
        Verdict verdict = execute(payload, false);

        assertThat(verdict.result()).isEqualTo(Result.FAILED);
        assertThat(verdict.detail()).contains(why).contains("nothing was sent").doesNotContain("secret-nonsense");
        assertThat(receiver.calls()).isEmpty();
    }

    @Test
    void deepNestingIsRefusedAndHarmsNobody() throws Exception {
        assertThat(execute("[".repeat(50_000), false).result()).isEqualTo(Result.FAILED);
    }

    @Test
    void aMismatchBehindADoubtIsUnknown() throws Exception {
        assertThat(execute("{}", true).result()).isEqualTo(Result.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"$ref":"https://example.com/s.json"}                       | nothing outside
                    {"properties":{"a":{"$ref":"other.json#/x"}}}               | nothing outside
                    {"$ref":"file:///etc/passwd"}                               | nothing outside
                    {"type":"nonsense"}                                         | not a JSON Schema
                    {"$schema":"https://example.com/my-dialect"}                | $schema
                    []                                                          | object
                    {"type"                                                     | not JSON
                    {"$ref":"#/$defs/nowhere"}                                  | not a usable
                    """)
    void aSchemaThatIsNoneOrReachesOutsideIsRefusedByName(String schema, String why) {
        assertThatThrownBy(() -> Routes.of("class", "OPAQUE", "url", "http://h/", "payload.schema", schema))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("once.route.r.payload.schema")
                .hasMessageContaining(why);
    }

    private Verdict execute(String payload, boolean inDoubt) throws InterruptedException {
        Effect effect = Effects.of(Effects.of("r-1", 1, "r", 1).id(), "r", 1, payload);
        try (Attempts attempts =
                new Attempts(Routes.of("class", "OPAQUE", "url", receiver.url(), "payload.schema", SCHEMA))) {
            return attempts.execute(effect, inDoubt);
        }
    }
}
