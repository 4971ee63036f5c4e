package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.embedded.chaos.FaultSequence.Draw;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultSequenceTest {
    private static final int KINDS = FaultKind.values().length;

    @Test
    void theSameSeedGivesTheSameFaults() {
        assertThat(draws(7, false, 100)).isEqualTo(draws(7, false, 100));
        assertThat(draws(7, false, 100)).isNotEqualTo(draws(8, false, 100));
    }

    @Test
    void aShortRunSeesEveryKindBeforeAnyComesAgain() {
        List<Draw> draws = draws(3, false, 2 * KINDS);

        assertThat(draws.subList(0, KINDS).stream().map(draw -> draw.type().kind()))
                .containsExactlyInAnyOrder(FaultKind.values());
        assertThat(draws.subList(KINDS, 2 * KINDS).stream()
                        .map(draw -> draw.type().kind()))
                .containsExactlyInAnyOrder(FaultKind.values());
    }

    @Test
    void aLongRunSeesEveryTypeBeforeAnyComesAgain() {
        List<FaultType> all = FaultType.all();

        assertThat(draws(3, true, all.size()).stream().map(Draw::type)).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void noFaultLastsLongerThanItsTypeMay() {
        assertThat(draws(11, true, 1_000))
                .allSatisfy(draw -> assertThat(draw.length())
                        .isLessThanOrEqualTo(draw.type().longest()));
    }

    @Test
    void thereMustBeSomethingToDraw() {
        assertThatThrownBy(() -> new FaultSequence(1, List.of(), false)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Draw> draws(long seed, boolean everyType, int count) {
        FaultSequence sequence = new FaultSequence(seed, FaultType.all(), everyType);
        return IntStream.range(0, count).mapToObj(i -> sequence.next()).toList();
    }
}
