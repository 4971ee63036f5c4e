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
import java.util.stream.Stream;

/** What a person does about a request that waits for one, given what the receivers say they have done. */
final class OperatorRules {
    /** The kind of hold that asks for no look at the receivers. */
    static final String APPROVAL = "APPROVAL";

    private static final String ACTOR = "chaos-operator";
    private static final List<Verb> WHIMS = List.of(Verb.CANCEL, Verb.CANCEL, Verb.RETRY, Verb.APPROVE, Verb.REJECT);

    private OperatorRules() {}

    /** @param approvals how many have been asked for before: of four, two are given, one is refused, and one request is called off */
    static List<OperatorCommand> decide(Held held, Set<String> executed, int approvals, Instant now) {
        return switch (held.reason()) {
            case "EFFECT_UNKNOWN" -> resolve(held, held.open().stream(), executed, now);
            case "COMPENSATION_STUCK" -> {
                // What the receiver has done is not stuck; what it has not done has failed, and is tried again.
                List<OperatorCommand> all = new ArrayList<>(
                        resolve(held, held.open().stream().filter(effect -> effect.endsWith(":undo")), executed, now));
                if (all.stream().allMatch(command -> command.verb() == Verb.RESOLVE_FAILED)) {
                    all.add(command(held.requestId(), Verb.RETRY, Optional.empty(), now));
                }
                yield all;
            }
            case APPROVAL -> List.of(command(held.requestId(), judgement(approvals), Optional.empty(), now));
            default -> List.of(command(held.requestId(), Verb.RETRY, Optional.empty(), now));
        };
    }

    private static Verb judgement(int before) {
        return switch (before % 4) {
            case 1 -> Verb.REJECT;
            case 3 -> Verb.CANCEL;
            default -> Verb.APPROVE;
        };
    }

    /** What a person does for no reason at all: calls it off, or says what makes no sense at the moment. */
    static OperatorCommand whim(String requestId, int dice, Instant now) {
        Verb verb = WHIMS.get(Math.floorMod(dice, WHIMS.size()));
        return command(requestId, verb, Optional.empty(), now);
    }

    private static List<OperatorCommand> resolve(Held held, Stream<String> effects, Set<String> executed, Instant now) {
        return effects.sorted()
                .map(effect -> command(
                        held.requestId(),
                        executed.contains(effect) ? Verb.RESOLVE_SUCCEEDED : Verb.RESOLVE_FAILED,
                        Optional.of(effect),
                        now))
                .toList();
    }

    private static OperatorCommand command(String requestId, Verb verb, Optional<String> effect, Instant now) {
        return new OperatorCommand(
                UUID.randomUUID().toString(),
                new RequestId(requestId),
                verb,
                effect.map(EffectId::parse),
                ACTOR,
                "the receivers' log says so",
                now);
    }
}
