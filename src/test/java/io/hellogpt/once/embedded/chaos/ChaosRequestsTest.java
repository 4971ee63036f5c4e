package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.embedded.chaos.Sending.Sender;
import io.hellogpt.once.ops.OnceConfig;
import io.hellogpt.once.ops.RequestRules;
import io.hellogpt.once.schema.Decoded;
import io.hellogpt.once.schema.RequestDecoder;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChaosRequestsTest {
    private final RequestDecoder decoder = RequestRules.decoder(OnceConfig.of(Map.of()));
    private final ChaosRequests requests = new ChaosRequests(new Random(4));

    @Test
    void asksForEffectsOfEveryRoute() {
        Set<String> routes = new HashSet<>();
        IntStream.range(0, 14).forEach(i -> {
            ModelRequest request = requests.next();
            request.effects().forEach(effect -> {
                routes.add(effect.route());
                effect.compensation().ifPresent(undo -> routes.add(undo.route()));
            });
        });
        // Billing is the system's own.
        routes.add(Routes.BILLING);

        assertThat(routes).isEqualTo(Routes.CLASSES.keySet());
    }

    @Test
    void everyCopyIsTheSameRequestWhoeverSendsItAndAConflictIsNot() {
        Random random = new Random(1);
        ModelRequest request = requests.next();
        Set<String> fingerprints = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            Sending sending = Sending.of(request, 0, Sender.values(), random);
            fingerprints.add(read(sending.value()).fingerprint().hex());
            assertThat(new String(sending.value(), java.nio.charset.StandardCharsets.ISO_8859_1))
                    .satisfies(text -> {
                        if (sending.sender() == Sender.LIBRDKAFKA) {
                            assertThat(text).doesNotContain("\n");
                        }
                    });
        }
        assertThat(fingerprints).hasSize(1);

        byte[] other = Sending.of(requests.conflicting(request), 0, Sender.values(), random)
                .value();
        assertThat(read(other).request().id()).isEqualTo(request.id());
        assertThat(read(other).fingerprint().hex()).isNotIn(fingerprints);
    }

    @Test
    void garbageIsNeverARequest() {
        List<byte[]> garbage =
                IntStream.range(0, 18).mapToObj(requests::garbage).toList();

        assertThat(garbage)
                .allSatisfy(bytes -> assertThat(decoder.decode(bytes)).isInstanceOf(Decoded.Unreadable.class));
    }

    @Test
    void aRequestIsSentOneToFiveTimes() {
        Set<Integer> times = new HashSet<>();
        IntStream.range(0, 300).forEach(i -> {
            List<ModelRequest> copies = requests.copies();
            times.add((int) copies.stream().filter(copies.getFirst()::equals).count());
        });

        assertThat(times).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
    }

    private Decoded.Request read(byte[] value) {
        return (Decoded.Request) decoder.decode(value);
    }
}
