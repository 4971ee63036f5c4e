package io.hellogpt.once.embedded.chaos;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.Compensation;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.ModelRequest.EffectTemplate;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.schema.RequestEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/** What the rig's producers ask for: effects of all classes, in stages, with compensations and pivots, some after
 * a person's yes or by the model's own call, and things that are no request. */
final class ChaosRequests {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Map<String, String> ANSWER = Map.of("/text", "/choices/0/message/content");
    private static final int TOO_LARGE = 1_200_000;
    private static final int DEEP = 5_000;

    private static final int MIXTURES = 14;
    private static final String PLAIN = "{\"max_tokens\":80}";
    private static final String WITH_TOOL = """
            {"max_tokens":80,"tools":[{"type":"function","function":{"name":"notify","parameters":{"type":"object"}}}]}""";

    private final Random random;
    private int number;

    ChaosRequests(Random random) {
        this.random = random;
    }

    /** A request nobody has made before. */
    ModelRequest next() {
        byte[] bits = new byte[16];
        random.nextBytes(bits);
        return request(
                new RequestId("chaos-" + UUID.nameUUIDFromBytes(bits)),
                "matter " + number,
                mixture(number++ % MIXTURES));
    }

    /** Another request under the same id: what a faulty producer sends. */
    ModelRequest conflicting(ModelRequest with) {
        return request(with.id(), "something else " + random.nextInt(1_000_000), Mixture.of());
    }

    /** How an answer is judged, and what is to be done then. */
    private record Mixture(String policy, List<EffectTemplate> effects, String parameters) {
        static Mixture of(EffectTemplate... effects) {
            return new Mixture(effects.length == 0 ? "commit-only" : "declared", List.of(effects), PLAIN);
        }
    }

    /** Each mixture, one after the other. */
    private static Mixture mixture(int which) {
        return switch (which) {
            case 0 -> Mixture.of();
            case 1, 2 -> Mixture.of(sign(0), effect(Routes.MAIL, 1, false));
            case 3, 4 -> Mixture.of(sign(0), effect(Routes.CHARGE, 1, true), effect(Routes.NOTIFY, 2, false));
            case 5 -> Mixture.of(effect(Routes.CHARGE, 0, false), effect(Routes.MAIL, 0, false));
            case 6 -> Mixture.of(effect(Routes.MAIL, 0, false), sign(0), effect(Routes.NOTIFY, 1, false));
            case 7 -> Mixture.of(sign(0), effect(Routes.IMPOSSIBLE, 1, false));
            case 8 -> Mixture.of(effect(Routes.CHARGE, 0, false));
            case 9 -> Mixture.of(effect(Routes.NOTIFY, 0, false), sign(1));
            case 10, 11 -> Mixture.of(sign(0), effect(Routes.ORDER, 1, false));
            case 12 -> new Mixture("tool-calls", List.of(), PLAIN);
            default -> new Mixture("tool-calls", List.of(), WITH_TOOL);
        };
    }

    private static ModelRequest request(RequestId id, String matter, Mixture mixture) {
        ObjectNode message =
                JSON.objectNode().put("role", "user").put("content", "Write one line about " + matter + ".");
        return new ModelRequest(
                id,
                "simulated-1",
                JSON.arrayNode().add(message).toString(),
                mixture.parameters(),
                mixture.policy(),
                mixture.effects(),
                Optional.of(Instant.now()),
                Optional.empty(),
                Map.of("sent_by", "chaos"));
    }

    private static EffectTemplate sign(int stage) {
        return new EffectTemplate(
                Routes.SIGN,
                Routes.SIGN,
                stage,
                "{\"signer\":\"legal@example.com\"}",
                ANSWER,
                Optional.of(new Compensation(Routes.REVOKE, "{\"why\":\"the request went back\"}")),
                false);
    }

    private static EffectTemplate effect(String route, int stage, boolean pivot) {
        return new EffectTemplate(route, route, stage, "{\"to\":\"somebody\"}", ANSWER, Optional.empty(), pivot);
    }

    /** Bytes that are no request, of another kind for each {@code which}. */
    byte[] garbage(int which) {
        byte[] avro = RequestEncoder.avro(next());
        return switch (which % 9) {
            case 0 -> noise(64);
            case 1 -> Arrays.copyOf(avro, avro.length / 2);
            case 2 -> text("{\"request_id\": \"chaos-broken\", \"model\": ");
            case 3 -> text("{\"request_id\": \"chaos-without-input-" + which + "\", \"model\": \"simulated-1\"}");
            case 4 -> text("{\"request_id\": \"chaos with spaces\", \"model\": \"m\", \"input\": \"x\"}");
            case 5 -> text("{\"request_id\": \"chaos-wrong-types-" + which + "\", \"model\": 7, \"input\": {}}");
            case 6 -> text("[".repeat(DEEP));
            case 7 -> new byte[0];
            default -> noise(TOO_LARGE);
        };
    }

    private byte[] noise(int length) {
        byte[] noise = new byte[length];
        random.nextBytes(noise);
        // Not by chance the first byte of an encoding that is looked at more closely.
        noise[0] = 0x7f;
        return noise;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Copies and a conflict of one request, as often as a bad producer sends it. */
    List<ModelRequest> copies() {
        ModelRequest request = next();
        List<ModelRequest> all = new ArrayList<>();
        int times = 1 + random.nextInt(5);
        for (int i = 0; i < times; i++) {
            all.add(request);
        }
        if (random.nextInt(12) == 0) {
            all.add(conflicting(request));
        }
        return all;
    }
}
