package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.RequestIdFormat;
import io.hellogpt.once.schema.Decoded;
import io.hellogpt.once.schema.RequestDecoder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DemoPlanTest {
    private static final DemoScale SCALE = DemoScale.STANDARD;

    private final RequestDecoder decoder = new RequestDecoder(RequestIdFormat.DEFAULT, 900_000, Optional.empty());
    private final DemoPlan plan = DemoPlan.of(SCALE, new Random(7));

    @Test
    void sendsWhatItsScaleSays() {
        Map<String, Set<String>> contents = new HashMap<>();
        int malformed = 0;
        int repeated = 0;
        for (DemoRecord record : plan.records()) {
            switch (decoder.decode(record.value())) {
                case Decoded.Unreadable unreadable -> malformed++;
                case Decoded.Request request -> {
                    Set<String> known =
                            contents.computeIfAbsent(request.request().id().value(), id -> new HashSet<>());
                    repeated += known.add(request.fingerprint().hex()) ? 0 : 1;
                }
            }
        }

        assertThat(malformed).isEqualTo(SCALE.malformed());
        assertThat(repeated).isEqualTo(SCALE.duplicates());
        assertThat(contents.keySet()).isEqualTo(plan.ids()).hasSize(SCALE.requests());
        assertThat(contents.values().stream()
                        .mapToInt(known -> known.size() - 1)
                        .sum())
                .isEqualTo(SCALE.conflicts());
    }

    @Test
    void usesBothPartitionersAndBothEncodings() {
        List<DemoRecord> records = plan.records();

        assertThat(records).extracting(DemoRecord::foreign).contains(true, false);
        assertThat(records).extracting(record -> record.value()[0] == '{').contains(true, false);
    }
}
