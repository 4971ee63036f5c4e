package io.hellogpt.once.ops.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class SteadyReadingTest {
    private final List<Integer> readWith = new ArrayList<>();

    @Test
    void aPlaceThatRestsIsReadOnce() throws Exception {
        assertThat(read(7, 7)).isEqualTo("topics with 7");
        assertThat(readWith).containsExactly(7);
    }

    /** A bill booked between the two readings would be missed, or seem to be one too many. */
    @Test
    void aPlaceThatMovedMeanwhileIsReadAgainWithTheOtherUntilItRests() throws Exception {
        assertThat(read(1, 2, 3, 3)).isEqualTo("topics with 3");
        assertThat(readWith).containsExactly(1, 2, 3);
    }

    @Test
    void aPlaceThatNeverRestsIsTakenAsItIsInTheEnd() throws Exception {
        assertThat(read(1, 2, 3, 4, 5, 6, 7)).isEqualTo("topics with 5");
        assertThat(readWith).hasSize(5);
    }

    private String read(Integer... seen) throws Exception {
        Iterator<Integer> looks = List.of(seen).iterator();
        return SteadyReading.read(looks::next, rows -> {
            readWith.add(rows);
            return "topics with " + rows;
        });
    }
}
