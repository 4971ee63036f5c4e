package io.hellogpt.once.core;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What goes with a request through all its states: who it is, which dedup compares, and the last commands people gave about it.
 *
 * @param commands ids of the last commands, oldest first; at most {@link #COMMANDS_KEPT}
 * @param trace the trace whoever sent the request has begun
 */
public record Identity(
        RequestId id,
        Fingerprint fingerprint,
        SourcePosition source,
        Instant receivedAt,
        Optional<Instant> deadline,
        List<String> commands,
        Optional<TraceContext> trace) {
    /** How many commands are remembered, so that one that is sent again does nothing. */
    static final int COMMANDS_KEPT = 32;

    public Identity {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(fingerprint, "fingerprint");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(receivedAt, "receivedAt");
        Objects.requireNonNull(deadline, "deadline");
        commands = List.copyOf(commands);
        Objects.requireNonNull(trace, "trace");
    }

    /** A request whose sender traces nothing. */
    public Identity(
            RequestId id,
            Fingerprint fingerprint,
            SourcePosition source,
            Instant receivedAt,
            Optional<Instant> deadline,
            List<String> commands) {
        this(id, fingerprint, source, receivedAt, deadline, commands, Optional.empty());
    }

    static Identity of(ReceivedRequest received) {
        return new Identity(
                received.id(),
                received.fingerprint(),
                received.source(),
                received.receivedAt(),
                received.request().deadline(),
                List.of(),
                received.trace());
    }

    /** Whether a command of this id has been applied, or refused. */
    public boolean hasHeard(String commandId) {
        return commands.contains(commandId);
    }

    Identity heard(String commandId) {
        List<String> all = Stream.concat(commands.stream(), Stream.of(commandId))
                .skip(Math.max(0, commands.size() + 1 - COMMANDS_KEPT))
                .toList();
        return new Identity(id, fingerprint, source, receivedAt, deadline, all, trace);
    }
}
