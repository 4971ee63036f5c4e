package io.hellogpt.once.embedded.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EffectThroughputTest {
    @Test
    void oneEndingAndOneKeyForEachRequestIsExact() {
        assertThat(EffectThroughput.exact(new ClosedLoop.Tally(10, 10, 0), new EffectSide.Seen(10, 10)))
                .contains("10 requests, 10 ended, 0 further endings");
    }

    @Test
    void aSecondCallUnderTheSameKeyIsReportedAndAllowed() {
        assertThat(EffectThroughput.exact(new ClosedLoop.Tally(10, 10, 0), new EffectSide.Seen(11, 10)))
                .contains("10 keys in 11 calls");
    }

    @Test
    void aRequestThatEndsTwiceVoidsTheFigure() {
        assertThatThrownBy(() -> EffectThroughput.exact(new ClosedLoop.Tally(10, 10, 1), new EffectSide.Seen(10, 10)))
                .hasMessageStartingWith("not exact");
    }

    @Test
    void anEndingWithoutItsEffectVoidsTheFigure() {
        assertThatThrownBy(() -> EffectThroughput.exact(new ClosedLoop.Tally(10, 10, 0), new EffectSide.Seen(9, 9)))
                .hasMessageStartingWith("not exact");
    }

    @Test
    void anEffectOfNoRequestVoidsTheFigure() {
        assertThatThrownBy(() -> EffectThroughput.exact(new ClosedLoop.Tally(10, 10, 0), new EffectSide.Seen(11, 11)))
                .hasMessageStartingWith("not exact");
    }
}
