package io.hellogpt.once.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.topology.ModelGateway.Demand;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Limits of the process and of each model, and whose turn it is. */
class AdmissionTest {
    private static final Demand A = new Demand("a", 100);
    private static final Demand B = new Demand("b", 100);

    private final SteppedClock clock = new SteppedClock();

    @Test
    void aModelAtItsLimitLeavesTheOthersTheirSlots() {
        Admission admission = admission(4, Map.of("a", limits(2, 0, 0)));
        take(admission, 0, A, 2);

        assertThat(admission.take(0, A)).contains(Holdback.MODEL_IN_FLIGHT);
        take(admission, 0, B, 2);
        assertThat(admission.take(0, B)).contains(Holdback.INSTANCE_IN_FLIGHT);
        assertThat(admission.held()).isEqualTo(4);

        admission.ended(0, A, OptionalLong.empty());
        assertThat(admission.take(0, A)).isEmpty();
    }

    @Test
    void requestsPerMinuteAreCountedByModelAndAReservationNotUsedIsNone() {
        Admission admission = admission(100, Map.of("a", limits(0, 60, 0)));
        take(admission, 0, A, 10);
        assertThat(admission.take(0, A)).contains(Holdback.REQUESTS_PER_MINUTE);
        take(admission, 0, B, 20);

        admission.giveBack(0, A);
        assertThat(admission.take(0, A)).isEmpty();
        admission.ended(0, A, OptionalLong.empty());
        assertThat(admission.take(0, A)).as("a call that was made counts").contains(Holdback.REQUESTS_PER_MINUTE);
        clock.advance(Duration.ofSeconds(1));
        assertThat(admission.take(0, A)).isEmpty();
    }

    @Test
    void tokensAreSetAsideAndCorrectedByWhatWasUsed() {
        Admission admission = admission(100, Map.of("a", limits(0, 0, 1_800)));
        take(admission, 0, A, 3);
        assertThat(admission.take(0, A)).contains(Holdback.TOKENS_PER_MINUTE);

        admission.ended(0, A, OptionalLong.of(10));
        assertThat(admission.take(0, A)).as("90 were not used").contains(Holdback.TOKENS_PER_MINUTE);
        admission.ended(0, A, OptionalLong.of(20));
        assertThat(admission.take(0, A)).as("another 80").isEmpty();
        admission.ended(0, A, OptionalLong.empty());
        assertThat(admission.take(0, A)).as("a failed call keeps its estimate").contains(Holdback.TOKENS_PER_MINUTE);
    }

    @Test
    void oneWhoWaitsWithFewestGetsTheNextSlot() {
        Admission admission = admission(4, Map.of());
        take(admission, 0, A, 4);
        assertThat(admission.take(0, A)).isPresent();
        assertThat(admission.take(1, A)).contains(Holdback.INSTANCE_IN_FLIGHT);

        admission.ended(0, A, OptionalLong.empty());
        assertThat(admission.take(0, A)).as("it has three already").contains(Holdback.TURN);
        assertThat(admission.take(1, A)).isEmpty();
        admission.ended(0, A, OptionalLong.empty());
        assertThat(admission.take(1, A)).isEmpty();
        assertThat(admission.take(1, A)).contains(Holdback.INSTANCE_IN_FLIGHT);

        admission.ended(1, A, OptionalLong.empty());
        assertThat(admission.take(0, A)).as("two and one").contains(Holdback.TURN);
        assertThat(admission.take(1, A)).as("an equal share is kept").isEmpty();
    }

    @Test
    void aModelThatIsSlowSharesTheSlotsOfItsTaskWithTheOthers() {
        Admission admission = admission(4, Map.of());
        take(admission, 0, A, 4);
        assertThat(admission.take(0, A)).isPresent();
        assertThat(admission.take(0, B)).isPresent();

        admission.ended(0, A, OptionalLong.empty());
        assertThat(admission.take(0, A)).contains(Holdback.TURN);
        assertThat(admission.take(0, B)).isEmpty();
    }

    @Test
    void whoNoLongerAsksOrWasClosedHoldsUpNobody() {
        Admission admission = admission(1, Map.of());
        take(admission, 0, A, 1);
        assertThat(admission.take(1, A)).isPresent();
        admission.ended(0, A, OptionalLong.empty());
        assertThat(admission.take(0, A)).contains(Holdback.TURN);
        clock.advance(Duration.ofMillis(501));
        assertThat(admission.take(0, A)).isEmpty();

        assertThat(admission.take(1, A)).isPresent();
        admission.ended(0, A, OptionalLong.empty());
        assertThat(admission.take(0, A)).contains(Holdback.TURN);
        admission.leaves(1);
        assertThat(admission.take(0, A)).isEmpty();
    }

    /** A backlog asks far more often than anybody else. */
    @Test
    void aTaskWithABacklogDoesNotStarveAnother() {
        Admission admission = admission(10, Map.of());
        assertThat(servedWhileABacklogAsks(admission)).isGreaterThan(400);
    }

    /** The slots are never the reason here; calls end at once. */
    @Test
    void aBudgetIsSharedOutInTurn() {
        Admission admission = admission(1_000, Map.of("a", limits(0, 600, 0)));
        int[] served = new int[2];
        for (int ms = 0; ms < 60_000; ms += 10) {
            for (int ask = 0; ask < 5; ask++) {
                served[0] += admitted(admission, 0);
            }
            served[1] += ms % 50 == 0 ? admitted(admission, 1) : 0;
            clock.advance(Duration.ofMillis(10));
        }
        assertThat(served[0] + served[1]).isBetween(590, 700);
        assertThat(served[1]).isGreaterThan(200);
    }

    @Test
    void namesOfModelsThatAskForNothingAreForgotten() {
        Admission admission = admission(4, Map.of());
        for (int i = 0; i < 100_000; i++) {
            Demand demand = new Demand("model-" + i, 0);
            assertThat(admission.take(0, demand)).isEmpty();
            admission.ended(0, demand, OptionalLong.empty());
        }
        assertThat(admission.modelsKnown()).isLessThanOrEqualTo(1_000);
    }

    private int servedWhileABacklogAsks(Admission admission) {
        Deque<Integer> running = new ArrayDeque<>();
        int served = 0;
        for (int ended = 0; ended < 1_000; ended++) {
            for (int ask = 0; ask < 20; ask++) {
                if (admission.take(0, A).isEmpty()) {
                    running.add(0);
                }
            }
            if (admission.take(1, A).isEmpty()) {
                running.add(1);
                served++;
            }
            admission.ended(running.remove(), A, OptionalLong.empty());
            clock.advance(Duration.ofMillis(10));
        }
        return served;
    }

    private static int admitted(Admission admission, int partition) {
        if (admission.take(partition, A).isPresent()) {
            return 0;
        }
        admission.ended(partition, A, OptionalLong.empty());
        return 1;
    }

    private static void take(Admission admission, int partition, Demand demand, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(admission.take(partition, demand)).isEmpty();
        }
    }

    private Admission admission(int slots, Map<String, ModelLimits> models) {
        return new Admission(new CallLimits(slots, models, ModelLimits.NONE, 1_000), clock);
    }

    private static ModelLimits limits(int inFlight, long requests, long tokens) {
        return new ModelLimits(
                inFlight == 0 ? OptionalInt.empty() : OptionalInt.of(inFlight),
                requests == 0 ? OptionalLong.empty() : OptionalLong.of(requests),
                tokens == 0 ? OptionalLong.empty() : OptionalLong.of(tokens));
    }

    @Test
    void anEstimateBeyondTheLimitIsCorrectedByWhatItTook() {
        Admission admission = admission(100, Map.of("a", limits(0, 0, 6_000)));
        Demand huge = new Demand("a", 2_000_000_000L);
        assertThat(admission.take(0, huge)).isEmpty();
        admission.ended(0, huge, OptionalLong.of(900));
        assertThat(admission.take(0, A)).as("900 of 1000 were used").isEmpty();
        assertThat(admission.take(0, A)).contains(Holdback.TOKENS_PER_MINUTE);

        clock.advance(Duration.ofSeconds(10));
        assertThat(admission.take(0, huge)).isEmpty();
        admission.ended(0, huge, OptionalLong.empty());
        clock.advance(Duration.ofSeconds(61));
        assertThat(admission.take(0, A)).as("a minute makes up for it").isEmpty();
    }
}
