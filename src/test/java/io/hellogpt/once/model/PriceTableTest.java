package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PriceTableTest {
    @TempDir
    Path dir;

    @Test
    void theFirstListedNameCountsAndTheDefaultOtherwise() throws Exception {
        PriceTable table = table("{\"version\":\"7\",\"currency\":\"EUR\",\"models\":{\"a\":{\"input_nanos\":3,"
                + "\"output_nanos\":5}},\"default\":{\"input_nanos\":1,\"output_nanos\":1}}");

        assertThat(table.cost(List.of("a-2026", "a"), new Usage(10, 100))).isEqualTo(new Cost(530, "EUR", "7"));
        assertThat(table.cost(List.of("b"), new Usage(10, 100))).isEqualTo(new Cost(110, "EUR", "7"));
    }

    @Test
    void aCostThatDoesNotFitIsAnErrorNotAWrongNumber() throws Exception {
        PriceTable table = table("{\"version\":\"7\",\"currency\":\"EUR\",\"default\":{\"input_nanos\":9000000000,"
                + "\"output_nanos\":0}}");

        assertThatThrownBy(() -> table.cost(List.of(), new Usage(Long.MAX_VALUE / 2, 0)))
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void aBadTableSaysWhatIsWrong() {
        assertThatThrownBy(() -> table("{\"version\":\"7\",\"currency\":\"EUR\",\"default\":{\"input_nanos\":0.5}}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'input_nanos'");
    }

    @Test
    void theBuiltInTableCanBeRead() {
        assertThat(PriceTable.builtIn().currency()).isEqualTo("USD");
    }

    private PriceTable table(String json) throws IOException {
        return PriceTable.load(Files.writeString(dir.resolve("prices.json"), json));
    }
}
