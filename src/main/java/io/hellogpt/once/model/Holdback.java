package io.hellogpt.once.model;

/** Why a request had to wait although dispatch goes on. */
enum Holdback {
    /** All slots of the process are taken. */
    INSTANCE_IN_FLIGHT,
    /** The model has as many calls as it may have at one time. */
    MODEL_IN_FLIGHT,
    /** The model's requests of this minute are used up. */
    REQUESTS_PER_MINUTE,
    /** The model's tokens of this minute are used up. */
    TOKENS_PER_MINUTE,
    /** There is room, and it is another task's or model's turn. */
    TURN
}
