package io.hellogpt.once.core;

import java.util.Objects;
import java.util.Optional;

/**
 * Why a request waits for a person.
 *
 * @param failure the failure being compensated, with {@link Reason#COMPENSATION_STUCK}
 */
public record Hold(Reason reason, String detail, Optional<Failure> failure) {
    public Hold {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(detail, "detail");
        Objects.requireNonNull(failure, "failure");
    }

    static Hold of(Reason reason, String detail) {
        return new Hold(reason, detail, Optional.empty());
    }

    /** The kinds of hold. */
    public enum Reason {
        /** The policy asks for a person's yes. */
        APPROVAL,
        /** The policy threw; fix it and retry. */
        POLICY_ERROR,
        /** An effect's outcome cannot be known. */
        EFFECT_UNKNOWN,
        /** An effect after the pivot failed: no way back, only forward. */
        EFFECT_FAILED,
        /** The answer could not be billed. */
        BILLING_FAILED,
        /** A compensation failed or its outcome is unknown. */
        COMPENSATION_STUCK,
        /** The system could not process a step of it; the cause is in the detail and in the log. */
        PROCESSING_ERROR
    }
}
