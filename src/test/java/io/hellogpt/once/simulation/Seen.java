package io.hellogpt.once.simulation;

import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.OperatorCommand;

/** What a committed transaction consists of, in order. */
sealed interface Seen {
    record Request(Sent sent) implements Seen {}

    /** A request in the wrong partition was sent on to the right one. */
    record Rerouted(Sent sent) implements Seen {}

    record Outcome(EffectOutcome outcome) implements Seen {}

    record Command(OperatorCommand command) implements Seen {}

    /** A record of the journal, or a timer: whatever follows is nobody's but the protocol's. */
    record Other() implements Seen {}

    /** An output record. */
    record Produced(Fact fact) implements Seen {}
}
