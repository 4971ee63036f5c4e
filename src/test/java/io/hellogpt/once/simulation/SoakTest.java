package io.hellogpt.once.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Timer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Load without end, over many dedup windows: what the stores hold stays bounded by what one window sees. */
class SoakTest {
    private static final int WINDOWS = Integer.getInteger("soak.windows", 60);
    private static final int ROUNDS_PER_WINDOW = 8;
    private static final int REQUESTS_PER_ROUND = 3;
    /** State, snapshot and timer. */
    private static final int ENTRIES_PER_REQUEST = 3;
    /** A window's requests, those of the round that has just begun, and those that expire with the next look. */
    private static final int BOUND = (ROUNDS_PER_WINDOW + 3) * REQUESTS_PER_ROUND * ENTRIES_PER_REQUEST;

    @Test
    void storesAndTimersStayBounded() {
        soak(new Protocol(), WINDOWS);
    }

    @Test
    void entriesThatOutliveTheirWindowAreSeen() {
        assertThatThrownBy(() -> soak(new Protocol(patient()), 4)).hasMessageContaining("entries in round");
    }

    /** Remembers twice as long as it should. */
    private static ProtocolSettings patient() {
        ProtocolSettings right = Protocol.SETTINGS;
        return new ProtocolSettings(
                right.dedupRetention().multipliedBy(2),
                right.callTimeout(),
                right.calls(),
                right.effects(),
                right.outcomeTimeout(),
                right.holdTimeout(),
                right.stashRetention(),
                right.snapshotMaxBytes());
    }

    private static void soak(Protocol protocol, int windows) {
        World world = new World(protocol);
        Settlement peace = new Settlement(world, Integer.MAX_VALUE);
        Duration step = Protocol.SETTINGS.dedupRetention().dividedBy(ROUNDS_PER_WINDOW);
        int largest = 0;
        int mostExpiries = 0;
        int sent = 0;
        for (int round = 0; round < windows * ROUNDS_PER_WINDOW; round++) {
            for (int i = 0; i < REQUESTS_PER_ROUND; i++) {
                Kind kind = Kind.pick(sent);
                boolean misplaced = sent % 5 == 0;
                world.send(new RequestId("r" + sent++), kind + "/0", misplaced, Optional.empty(), Optional.empty());
            }
            peace.settle();
            world.advance(step, Moves.timeout());
            mostExpiries =
                    Math.max(mostExpiries, world.stores().all(Timer.Kind.EXPIRY).size());
            largest = Math.max(largest, world.stores().size());
            assertThat(world.stores().size()).as("entries in round %d", round).isLessThanOrEqualTo(BOUND);
        }
        System.out.printf(
                "soak: %d requests over %d windows, at most %d entries and %d expiry timers%n",
                sent, windows, largest, mostExpiries);
        world.invariants().atRest(sent);
    }
}
