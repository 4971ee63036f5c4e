package io.hellogpt.once.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class TotalsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void countsAddUpAndTheGreatestAgeCounts() throws Exception {
        JsonNode one = JSON.readTree("{\"a\":1,\"oldest_age_seconds\":2.5,\"in\":{\"b\":3,\"x_age_seconds\":1}}");
        JsonNode other = JSON.readTree("{\"a\":2,\"oldest_age_seconds\":0.5,\"in\":{\"b\":4,\"only\":5}}");

        assertThat(Totals.of(List.of(one, other)))
                .hasToString("{\"a\":3,\"oldest_age_seconds\":2.5,\"in\":{\"b\":7,\"x_age_seconds\":1.0,\"only\":5}}");
    }

    @Test
    void ofNobodyThereIsNothing() {
        assertThat(Totals.of(List.of())).isEmpty();
    }
}
