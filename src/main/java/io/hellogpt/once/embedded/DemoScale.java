package io.hellogpt.once.embedded;

import java.time.Duration;

/**
 * How much the demo sends.
 *
 * @param requests different contracts
 * @param duplicates further records of the same contracts
 * @param conflicts records with the id of a contract and other content
 * @param malformed records that are no requests
 * @param sending over how long they are spread
 */
public record DemoScale(int requests, int duplicates, int conflicts, int malformed, Duration sending) {
    /** 500 contracts, 30 % of them sent twice, and the worst of producers. */
    public static final DemoScale STANDARD = new DemoScale(500, 150, 10, 20, Duration.ofSeconds(24));

    public DemoScale {
        if (requests < conflicts * 4 || requests < 1 || duplicates < 0 || conflicts < 0 || malformed < 0) {
            throw new IllegalArgumentException("a demo has requests, and at least four for each conflict");
        }
    }

    int records() {
        return requests + duplicates + conflicts + malformed;
    }
}
