package io.hellogpt.once.embedded;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.ModelRequest.EffectTemplate;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.schema.RequestEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/** What the demo asks for: have a contract written, then signed, then somebody told. */
final class Contracts {
    private static final List<String> SUBJECTS = List.of(
            "the sale of 400 bicycles",
            "cleaning of an office of 900 square metres",
            "a licence for mapping software",
            "the carriage of 20 containers to Rotterdam",
            "the lease of a workshop for five years");
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Random random;

    Contracts(Random random) {
        this.random = random;
    }

    /** A request nobody has made before. */
    ModelRequest next() {
        byte[] bits = new byte[16];
        random.nextBytes(bits);
        RequestId id = new RequestId("contract-" + UUID.nameUUIDFromBytes(bits));
        return contract(id, SUBJECTS.get(random.nextInt(SUBJECTS.size())), Instant.now());
    }

    /** Another request under the same id: what a faulty producer sends. */
    ModelRequest conflicting(ModelRequest with) {
        return contract(with.id(), "something else under number " + random.nextInt(1_000_000), Instant.now());
    }

    private static ModelRequest contract(RequestId id, String subject, Instant at) {
        String messages = JSON.arrayNode()
                .add(JSON.objectNode()
                        .put("role", "user")
                        .put("content", "Draft a short contract about " + subject + "."))
                .toString();
        EffectTemplate sign = effect(
                EffectConnector.SIGN,
                0,
                JSON.objectNode().put("signer", "legal@example.com").toString(),
                Map.of("/document", "/choices/0/message/content"));
        EffectTemplate tell = effect(
                EffectConnector.NOTIFY,
                1,
                JSON.objectNode().put("to", "sales@example.com").toString(),
                Map.of("/contract", "/id"));
        return new ModelRequest(
                id,
                "simulated-1",
                messages,
                "{}",
                "declared",
                List.of(sign, tell),
                Optional.of(at),
                Optional.empty(),
                Map.of("sent_by", "demo"));
    }

    private static EffectTemplate effect(String route, int stage, String payload, Map<String, String> pointers) {
        return new EffectTemplate(route, route, stage, payload, pointers, Optional.empty(), false);
    }

    /** Bytes that are no request, of another kind for each {@code number}. */
    byte[] malformed(int number) {
        byte[] avro = RequestEncoder.avro(next());
        return switch (number % 6) {
            case 0 -> noise();
            case 1 -> Arrays.copyOf(avro, avro.length / 2);
            case 2 -> bytes("{\"request_id\": \"contract-broken\", \"model\": ");
            case 3 ->
                bytes("{\"request_id\": \"contract-without-messages-" + number + "\", \"model\": \"simulated-1\"}");
            case 4 -> bytes("{\"model\": \"simulated-1\", \"input\": \"a contract without a number\"}");
            default -> bytes("{\"request_id\": \"contract with spaces\", \"model\": \"m\", \"input\": \"x\"}");
        };
    }

    private byte[] noise() {
        byte[] noise = new byte[64];
        random.nextBytes(noise);
        return noise;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
