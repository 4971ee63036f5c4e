package io.hellogpt.once.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EffectDecoderTest {
    @Test
    void threeFieldsMakeAnEffect() {
        Effect effect = decode("""
                {"effect_id":"order-7:0.1", "route":"sign", "payload":{ "a": 1, "b": "x" }}""");

        assertThat(effect.id()).isEqualTo(EffectId.parse("order-7:0.1"));
        assertThat(effect.id().requestId().value()).isEqualTo("order-7");
        assertThat(effect.payload()).isEqualTo("{\"a\":1,\"b\":\"x\"}");
        assertThat(effect.attempt()).isOne();
        assertThat(effect.name()).isEqualTo("sign");
        assertThat(effect.requestReceivedAt()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void everyFieldCanBeGiven() {
        Effect effect = decode("""
                 {"effect_id":"order-7:0.2:undo","request_id":"order-7","route":"sign","payload":"{ }","attempt":3,"name":"n",
                 "stage":2,"issued_at":"2026-01-02T03:04:06Z","request_received_at":"2026-01-02T03:04:05Z"}""");

        assertThat(effect)
                .isEqualTo(new Effect(
                        EffectId.parse("order-7:0.2:undo"),
                        "n",
                        2,
                        "sign",
                        3,
                        "{ }",
                        Instant.parse("2026-01-02T03:04:06Z"),
                        Instant.parse("2026-01-02T03:04:05Z")));
    }

    @Test
    void avroIsReadAsBefore() {
        Effect effect = decode("{\"effect_id\":\"order-7:0.1\",\"route\":\"sign\",\"payload\":{}}");

        assertThat(EffectDecoder.decode(Codecs.EFFECT.encode(effect))).isEqualTo(effect);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "{",
                "{}",
                "{\"effect_id\":\"order-7\",\"route\":\"sign\",\"payload\":{}}",
                "{\"effect_id\":\"order-7:x.y\",\"route\":\"sign\",\"payload\":{}}",
                "{\"effect_id\":\"order-7:0.1\",\"payload\":{}}",
                "{\"effect_id\":\"order-7:0.1\",\"route\":\"sign\"}",
                "{\"effect_id\":\"order-7:0.1\",\"route\":\"sign\",\"payload\":[1]}",
                "{\"effect_id\":\"order-7:0.1\",\"route\":\"sign\",\"payload\":{},\"atempt\":2}",
                "{\"effect_id\":\"order-7:0.1\",\"route\":\"sign\",\"payload\":{},\"attempt\":\"2\"}",
                "{\"effect_id\":\"order-7:0.1\",\"route\":\"sign\",\"payload\":{},\"route\":\"pay\"}",
                "{\"effect_id\":\"order-7:0.1\",\"request_id\":\"order-8\",\"route\":\"sign\",\"payload\":{}}",
                "{\"effect_id\":\"order-7:0.1\",\"route\":\"sign\",\"payload\":{},\"issued_at\":\"yesterday\"}",
                "{\"effect_id\":\"order-7:0.1\",\"route\":\"sign\",\"payload\":{}} {}",
            })
    void whatIsNoEffectIsRefused(String text) {
        assertThatThrownBy(() -> decode(text)).isInstanceOf(CodecException.class);
    }

    private static Effect decode(String json) {
        return EffectDecoder.decode(json.getBytes(StandardCharsets.UTF_8));
    }
}
