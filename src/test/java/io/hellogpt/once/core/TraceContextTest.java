package io.hellogpt.once.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples are those of W3C Trace Context. */
class TraceContextTest {
    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @Test
    void aTraceparentIsReadByItsParts() {
        TraceContext trace =
                TraceContext.read(PARENT, Optional.of("congo=t61rcWkgMzE")).orElseThrow();

        assertThat(trace.traceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(trace.spanId()).isEqualTo("00f067aa0ba902b7");
        assertThat(trace.sampled()).isTrue();
        assertThat(trace.tracestate()).contains("congo=t61rcWkgMzE");
        assertThat(TraceContext.read(PARENT.replaceFirst("01$", "02"), Optional.empty())
                        .orElseThrow()
                        .sampled())
                .isFalse();
    }

    @Test
    void anotherSpanOfTheSameTraceKeepsFlagsAndState() {
        TraceContext trace = TraceContext.read(PARENT, Optional.of("a=b")).orElseThrow();

        assertThat(trace.from("0102030405060708"))
                .isEqualTo(new TraceContext(
                        "00-4bf92f3577b34da6a3ce929d0e0e4736-0102030405060708-01", Optional.of("a=b")));
    }

    @Test
    void aLaterVersionIsReadAsThisOne() {
        assertThat(TraceContext.read(PARENT.replaceFirst("00", "cc") + "-what-will-be", Optional.empty())
                        .orElseThrow()
                        .traceparent())
                .isEqualTo(PARENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
                "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.more",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "cc-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\nX: y"
            })
    void whatIsNoTraceparentBeginsNoTrace(String traceparent) {
        assertThat(TraceContext.read(traceparent, Optional.of("a=b"))).isEmpty();
    }

    @Test
    void aTracestateThatCannotBeHandedOnIsDropped() {
        for (String state : new String[] {"", "x".repeat(513), "a=b\r\nX: y", "ü=1"}) {
            assertThat(TraceContext.read(PARENT, Optional.of(state)))
                    .contains(new TraceContext(PARENT, Optional.empty()));
        }
    }
}
