package io.hellogpt.once.embedded.chaos;

import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.embedded.chaos.Desk.Held;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What a person does about a request that waits for one, given what the receivers say they have done. */
final class OperatorRules {
    private static final String ACTOR = "chaos-operator";

    private OperatorRules() {}

    static List<OperatorCommand> decide(Held held, Set<String> executed, Instant now) {
        return switch (held.reason()) {
            case "EFFECT_UNKNOWN" -> resolve(held, executed, now);
            case "COMPENSATION_STUCK" -> {
                // What the receiver has done is not stuck; what it has not done is tried again.
                List<OperatorCommand> all = new ArrayList<>();
                held.open().stream()
                        .filter(effect -> effect.endsWith(":undo") && executed.contains(effect))
                        .forEach(effect -> all.add(command(held, Verb.RESOLVE_SUCCEEDED, Optional.of(effect), now)));
                yield all.isEmpty() ? List.of(command(held, Verb.RETRY, Optional.empty(), now)) : all;
            }
            case "APPROVAL" -> List.of(command(held, Verb.APPROVE, Optional.empty(), now));
            default -> List.of(command(held, Verb.RETRY, Optional.empty(), now));
        };
    }

    private static List<OperatorCommand> resolve(Held held, Set<String> executed, Instant now) {
        return held.open().stream()
                .sorted()
                .map(effect -> command(
                        held,
                        executed.contains(effect) ? Verb.RESOLVE_SUCCEEDED : Verb.RESOLVE_FAILED,
                        Optional.of(effect),
                        now))
                .toList();
    }

    private static OperatorCommand command(Held held, Verb verb, Optional<String> effect, Instant now) {
        return new OperatorCommand(
                UUID.randomUUID().toString(),
                new RequestId(held.requestId()),
                verb,
                effect.map(EffectId::parse),
                ACTOR,
                "the receivers' log says so",
                now);
    }
}
