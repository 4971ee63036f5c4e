package io.hellogpt.once.connect.config;

/** What a receiver can do about an attempt whose outcome is not known; decides what the connector may do about it. */
public enum EffectClass {
    /** The receiver is the ledger's own database: effect, row and outcome are one transaction. */
    LOCAL,
    /** The receiver deduplicates by idempotency key for a known time. */
    KEYED,
    /** The receiver can be asked whether it carried an effect out. */
    PROBEABLE,
    /** The receiver can do neither. */
    OPAQUE
}
