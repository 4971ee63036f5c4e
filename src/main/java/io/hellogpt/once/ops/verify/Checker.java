package io.hellogpt.once.ops.verify;

/** Decides about one guarantee. Implementations hold no state and look at nothing but the evidence. */
interface Checker {
    Verdict check(Evidence evidence);
}
