package io.hellogpt.once.api.request;

import io.hellogpt.once.api.Problem;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.OperatorCommand.Verb;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was asked for under the last command ids. The topology knows the ids alone and does nothing when one comes again, so another
 * command under a known id must be refused here, or its sender would wait for what never happens. Safe for use by several threads.
 */
final class SentCommands {
    private static final int MANY = 10_000;

    private final Map<String, Sent> entries = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Sent> eldest) {
            return size() > MANY;
        }
    };

    /** What makes two commands the same; when it was sent does not. */
    private record Asked(Verb verb, Optional<EffectId> effectId, String actor, String reason) {
        static Asked by(OperatorCommand command) {
            return new Asked(command.verb(), command.effectId(), command.actor(), command.reason());
        }
    }

    private record Sent(Asked asked, boolean acknowledged) {}

    /**
     * Whether this very command is acknowledged already. From now on its id stands for it, acknowledged or not: of one that was not it is
     * unknown whether the log has it.
     *
     * @param life when the request was received
     * @throws io.hellogpt.once.api.ProblemException 422 when the id stands for another command
     */
    synchronized boolean isAcknowledged(OperatorCommand command, Instant life) {
        Asked asked = Asked.by(command);
        Sent entry = entries.computeIfAbsent(key(command, life), any -> new Sent(asked, false));
        if (!entry.asked().equals(asked)) {
            throw Problem.of(
                            Problem.Kind.CONFLICT,
                            "the key %s was sent before with another verb, effect, reason or operator; nothing was sent. Use another key"
                                            .formatted(command.commandId())
                                    + " for another command")
                    .with("request_id", command.requestId().value())
                    .with("command_id", command.commandId())
                    .with("known_verb", entry.asked().verb().name())
                    .asException();
        }
        return entry.acknowledged();
    }

    /** The log has it. */
    synchronized void acknowledged(OperatorCommand command, Instant life) {
        entries.put(key(command, life), new Sent(Asked.by(command), true));
    }

    private static String key(OperatorCommand command, Instant life) {
        return command.requestId() + " " + life + " " + command.commandId();
    }
}
