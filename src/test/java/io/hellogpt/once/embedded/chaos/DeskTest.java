package io.hellogpt.once.embedded.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.embedded.chaos.Desk.Held;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeskTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Desk desk = new Desk(0);

    @Test
    void theLongestStallIsTheLongestSilenceWhileSomethingIsDue() {
        desk.event(event("a", "ACCEPTED", "PENDING", ""), SECOND);
        desk.event(event("a", "DISPATCHED", "GENERATING", ""), 4 * SECOND);
        desk.ended("a", 5 * SECOND);
        desk.tick(90 * SECOND);

        assertThat(desk.longestStall()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void aStallThatGoesOnIsSeen() {
        desk.event(event("a", "ACCEPTED", "PENDING", ""), SECOND);
        desk.tick(41 * SECOND);

        assertThat(desk.longestStall()).isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void waitingForAPersonIsNoStall() {
        desk.event(event("a", "HELD", "HELD", "EFFECT_UNKNOWN: nobody knows"), SECOND);
        desk.tick(50 * SECOND);

        assertThat(desk.longestStall()).isZero();
    }

    @Test
    void tellsWhoWaitsForAPersonSinceWhenAndOverWhat() {
        ObjectNode issued = event("a", "EFFECT_ISSUED", "ACKNOWLEDGED", "to route mail");
        desk.event(issued.deepCopy().put("effect_id", "a:0.1"), 0);
        desk.event(issued.deepCopy().put("effect_id", "a:0.2"), 0);
        desk.event(
                event("a", "EFFECT_OUTCOME", "ACKNOWLEDGED", "SUCCEEDED: fine").put("effect_id", "a:0.1"), 0);
        desk.event(event("a", "HELD", "HELD", "EFFECT_UNKNOWN: nobody knows"), SECOND);

        assertThat(heldAt(5)).isEmpty();
        List<Held> held = heldAt(20);
        assertThat(held).singleElement().satisfies(one -> {
            assertThat(one.reason()).isEqualTo("EFFECT_UNKNOWN");
            assertThat(one.open()).containsExactly("a:0.2");
        });

        desk.handled("a", 20 * SECOND);
        assertThat(heldAt(25)).isEmpty();
        assertThat(heldAt(31)).hasSize(1);

        desk.event(event("a", "COMMAND_APPLIED", "ACKNOWLEDGED", "RESOLVE_FAILED: x"), 32 * SECOND);
        assertThat(heldAt(99)).isEmpty();
    }

    @Test
    void whatAPolicyAsksForInItsOwnWordsWaitsForAnApproval() {
        desk.event(event("a", "HELD", "HELD", "tool-calls: the model called no tool"), SECOND);

        assertThat(heldAt(20))
                .singleElement()
                .satisfies(one -> assertThat(one.reason()).isEqualTo(OperatorRules.APPROVAL));
    }

    @Test
    void countsWhatBecameOfEachCommand() {
        desk.event(event("a", "ACCEPTED", "PENDING", ""), 0);
        desk.event(event("a", "COMMAND_REFUSED", "PENDING", "APPROVE refused: it does not wait for an approval"), 0);
        desk.event(event("a", "COMMAND_APPLIED", "PENDING", "CANCEL: the receivers' log says so"), 0);

        assertThat(desk.commands()).isEqualTo(java.util.Map.of("APPROVE_REFUSED", 1L, "CANCEL_APPLIED", 1L));
    }

    @Test
    void namesWhatHasNoEnding() {
        desk.event(event("a", "ACCEPTED", "PENDING", ""), 0);
        desk.event(event("b", "ACCEPTED", "PENDING", ""), 0);
        desk.ended("b", 0);

        assertThat(desk.missing()).containsExactlyEntriesOf(java.util.Map.of("a", "PENDING"));
        assertThat(desk.unfinished()).isEqualTo(1);
    }

    private List<Held> heldAt(long seconds) {
        return desk.heldFor(Duration.ofSeconds(10), () -> seconds * SECOND);
    }

    private static ObjectNode event(String id, String type, String to, String detail) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("request_id", id)
                .put("type", type)
                .put("to", to)
                .put("detail", detail);
    }
}
