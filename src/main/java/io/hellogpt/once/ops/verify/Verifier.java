package io.hellogpt.once.ops.verify;

import java.util.List;

/** Runs every checker over the same evidence. */
public final class Verifier {
    private static final List<Checker> CHECKERS = List.of(
            new G1OneEnding(),
            new G2OneSnapshot(),
            new G3OneEffect(),
            new G4Calls(),
            new G5Conservation(),
            new G6Conflicts(),
            new G7Billing());

    private Verifier() {}

    /** One verdict per guarantee, in their order. */
    public static Report verify(Evidence evidence) {
        return new Report(
                CHECKERS.stream().map(checker -> checker.check(evidence)).toList());
    }
}
