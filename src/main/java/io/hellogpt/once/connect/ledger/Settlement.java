package io.hellogpt.once.connect.ledger;

import java.time.Instant;

/**
 * The outcome of a claim, to be stored.
 *
 * @param token of the claim; when a newer one exists the outcome is fenced
 */
public record Settlement(Ask ask, long token, Verdict verdict, Instant at) {}
