package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.OperatorCommand;
import java.util.ArrayList;
import java.util.List;

/** The topics somebody reads, as lists. Those that are only written go to the {@link Invariants}. */
final class Topics {
    final List<Sent> requests = new ArrayList<>();
    final List<Sent> rerouted = new ArrayList<>();
    final List<JournalRecord> journal = new ArrayList<>();
    final List<EffectOutcome> outcomes = new ArrayList<>();
    final List<OperatorCommand> commands = new ArrayList<>();
    final List<Effect> effects = new ArrayList<>();

    /** The inputs of the task. */
    enum Input {
        REQUESTS,
        REROUTED,
        JOURNAL,
        OUTCOMES,
        COMMANDS
    }

    int end(Input input) {
        return switch (input) {
            case REQUESTS -> requests.size();
            case REROUTED -> rerouted.size();
            case JOURNAL -> journal.size();
            case OUTCOMES -> outcomes.size();
            case COMMANDS -> commands.size();
        };
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        return List.of(requests, rerouted, journal, outcomes, commands, effects);
    }
}
