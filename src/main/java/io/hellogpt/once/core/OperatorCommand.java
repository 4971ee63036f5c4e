package io.hellogpt.once.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What a person tells the system to do with one request.
 *
 * @param commandId makes a command idempotent: the second one with the same id does nothing
 * @param actor who, for the audit log
 * @param reason why, for the audit log
 * @param effectId the effect it is about, for verbs that name one
 */
public record OperatorCommand(
        String commandId,
        RequestId requestId,
        Verb verb,
        Optional<EffectId> effectId,
        String actor,
        String reason,
        Instant at) {
    public OperatorCommand {
        Objects.requireNonNull(commandId, "commandId");
        Objects.requireNonNull(requestId, "requestId");
        Objects.requireNonNull(verb, "verb");
        Objects.requireNonNull(effectId, "effectId");
        Objects.requireNonNull(actor, "actor");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(at, "at");
    }

    /** What can be asked for. */
    public enum Verb {
        /** Run the decision policy again, or give a failed or stuck effect another attempt. */
        RETRY,
        /** End the request as failed; effects already carried out are compensated where that is possible. */
        CANCEL,
        /** Carry out the effects of a held decision. */
        APPROVE,
        /** End a held request as failed without carrying out its effects. */
        REJECT,
        /** A person has checked: the UNKNOWN effect was carried out. */
        RESOLVE_SUCCEEDED,
        /** A person has checked: the UNKNOWN effect was not carried out. */
        RESOLVE_FAILED,
        /** Go on without this effect. */
        SKIP
    }
}
