package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hellogpt.once.embedded.Arrivals.Arrival;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.ToIntFunction;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArrivalsTest {
    @TempDir
    Path directory;

    @Test
    void aTraceIsReadRelativeToItsFirstLine() throws IOException {
        Path csv = Files.writeString(directory.resolve("t.csv"), """
                TIMESTAMP,ContextTokens,GeneratedTokens
                2023-11-16 18:15:46.6805900,374,44
                2023-11-16 18:15:50.1805900,396,109
                """);
        assertThat(Arrivals.read(csv))
                .containsExactly(new Arrival(Duration.ZERO, 374, 44), new Arrival(Duration.ofMillis(3500), 396, 109));
    }

    @Test
    void aLineThatHasNotTheFormIsNamed() throws IOException {
        Path csv = Files.writeString(directory.resolve("t.csv"), "h\n2023-11-16 18:15:46,1,2\nnonsense\n");
        assertThatThrownBy(() -> Arrivals.read(csv))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("line 3");
    }

    @Test
    void generatedArrivalsHaveThePercentilesOfAChatService() {
        List<Arrival> arrivals = Arrivals.generate(50_000, 100, 7);
        assertThat(percentile(arrivals, Arrival::promptTokens, 0.5)).isCloseTo(1020, Percentage.withPercentage(5));
        assertThat(percentile(arrivals, Arrival::promptTokens, 0.99)).isCloseTo(4142, Percentage.withPercentage(8));
        assertThat(percentile(arrivals, Arrival::answerTokens, 0.5)).isCloseTo(129, Percentage.withPercentage(5));
        assertThat(percentile(arrivals, Arrival::answerTokens, 0.99)).isCloseTo(601, Percentage.withPercentage(8));
        assertThat(arrivals.getLast().at().toMillis() / 1000.0).isCloseTo(500, within(25.0));
    }

    private static int percentile(List<Arrival> arrivals, ToIntFunction<Arrival> tokens, double rank) {
        return arrivals.stream()
                .mapToInt(tokens)
                .sorted()
                .skip((long) (rank * arrivals.size()))
                .findFirst()
                .orElseThrow();
    }
}
