package io.hellogpt.once.api.callback;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.api.ProblemException;
import io.hellogpt.once.api.callback.Signature.Secret;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallbacksTest {
    /** The example of the specification's own libraries. */
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private static final String SIGNED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    private static final Signature GENUINE =
            signature("msg_p5jXN8AQM9LWM0D4loKWxJek", "{\"test\": 2432232314}", SIGNED);
    private static final String OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    private static final EffectId EFFECT = EffectId.parse("contract-1:0.1");

    @TempDir
    Path directory;

    @Test
    void aGenuineSignatureHoldsAsTheSpecificationComputesIt() {
        assertThat(GENUINE.isBy(List.of(Secret.of(SECRET)))).isTrue();
    }

    @Test
    void oneOfSeveralSecretsAndOneOfSeveralSignaturesIsEnough() {
        assertThat(GENUINE.isBy(List.of(Secret.of(OTHER), Secret.of(SECRET)))).isTrue();
        assertThat(signature(GENUINE.id(), "{\"test\": 2432232314}", "v1,bm90IGl0 v2,xyz " + SIGNED)
                        .isBy(List.of(Secret.of(SECRET))))
                .isTrue();
    }

    @Test
    void anythingChangedBreaksIt() {
        List<Secret> secrets = List.of(Secret.of(SECRET));

        assertThat(signature("msg_other", "{\"test\": 2432232314}", SIGNED).isBy(secrets))
                .isFalse();
        assertThat(signature(GENUINE.id(), "{\"test\": 2432232315}", SIGNED).isBy(secrets))
                .isFalse();
        assertThat(new Signature(GENUINE.id(), "1614265331", GENUINE.body(), SIGNED).isBy(secrets))
                .isFalse();
        assertThat(GENUINE.isBy(List.of(Secret.of(OTHER)))).isFalse();
        assertThat(GENUINE.isBy(List.of())).isFalse();
        assertThat(signature(GENUINE.id(), "{\"test\": 2432232314}", SIGNED.replace("v1,", "v1a,"))
                        .isBy(secrets))
                .isFalse();
        assertThat(signature(GENUINE.id(), "{\"test\": 2432232314}", "v1,*").isBy(secrets))
                .isFalse();
    }

    @Test
    void aFileSaysWhatEachRouteSignsWithAndHowItSpeaks() throws IOException {
        CallbackFile file = file("""
                sign.secrets = %s %s
                e.mail.secrets = %s
                e.mail.effect.id = /data/reference
                e.mail.result = /type
                e.mail.result.succeeded = mail.delivered, mail.opened
                e.mail.result.failed = mail.bounced
                e.mail.result.ignored = mail.queued
                """.formatted(SECRET, OTHER, OTHER));

        assertThat(file.routes()).containsExactlyInAnyOrder("sign", "e.mail");
        assertThat(file.isSigned(GENUINE)).isTrue();
        CallbackRoute mail = file.route("e.mail").orElseThrow();
        assertThat(read("{\"type\":\"mail.opened\",\"data\":{\"reference\":\"contract-1:0.1\"}}", mail)
                        .result())
                .contains(Result.SUCCEEDED);
        assertThat(read("{\"type\":\"mail.bounced\",\"data\":{\"reference\":\"contract-1:0.1\"}}", mail)
                        .result())
                .contains(Result.FAILED);
        assertThat(read("{\"type\":\"mail.queued\",\"data\":{\"reference\":\"contract-1:0.1\"}}", mail)
                        .result())
                .isEmpty();
    }

    @Test
    void aBodySaysWhatBecameOfTheVeryEffect() throws IOException {
        CallbackRoute route = file("sign.secrets = " + SECRET).route("sign").orElseThrow();

        CallbackBody body = read(
                "{\"effect_id\":\"contract-1:0.1\",\"result\":\"failed\",\"reference\":\"sig-7\",\"detail\":\"declined\\n by x\"}",
                route);

        assertThat(body)
                .isEqualTo(new CallbackBody(
                        Optional.empty(), Optional.of(Result.FAILED), Optional.of("sig-7"), "declined  by x"));
        assertThatThrownBy(() -> read("{\"effect_id\":\"contract-2:0.1\",\"result\":\"failed\"}", route))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("must name");
        assertThatThrownBy(() -> read("{\"effect_id\":\"contract-1:0.1\",\"result\":\"maybe\"}", route))
                .hasMessageContaining("one of [succeeded] or [failed]");
        assertThatThrownBy(() -> read("[]", route)).hasMessageContaining("not a JSON object");
        assertThatThrownBy(() -> read("{", route)).hasMessageContaining("not JSON");
    }

    @Test
    void aBrokenFileIsRefusedWithoutQuotingASecret() {
        assertThatThrownBy(() -> file("sign.secrets = not-base64!")).hasMessageNotContaining("not-base64!");
        assertThatThrownBy(() -> file("sign.secrets = whsec_c2hvcnQ=")).hasMessageContaining("at least 16");
        assertThatThrownBy(() -> file("sign.result = /x")).hasMessageContaining("secrets is missing");
        assertThatThrownBy(() -> file("sign.secret = x")).hasMessageContaining("not understood");
    }

    private static CallbackBody read(String json, CallbackRoute route) {
        return CallbackBody.read(json.getBytes(UTF_8), route, EFFECT);
    }

    private static Signature signature(String id, String body, String header) {
        return new Signature(id, "1614265330", body.getBytes(UTF_8), header);
    }

    private CallbackFile file(String text) throws IOException {
        return CallbackFile.read(Files.writeString(directory.resolve("callbacks.properties"), text));
    }
}
