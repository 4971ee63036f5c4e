package io.hellogpt.once.core;

/**
 * The attempts at one effect, or at one compensation.
 *
 * @param last the last one issued, 0 before the first
 * @param before those made before a person asked for a new round of them; they do not count against the limit
 * @param probe the last one, or the next one while a retry is due, only finds out whether an earlier one was carried out
 * @param inDoubt one of them may have been carried out although the last outcome only says to try again
 * @param several more than one of them may have reached the receiver, so that a callback need not be about the last one
 * @param refused the receiver has called back that it failed, and what came of the last attempt is still to be heard
 */
public record Attempts(int last, int before, boolean probe, boolean inDoubt, boolean several, boolean refused) {
    static final Attempts NONE = new Attempts(0, 0, false, false, false, false);

    /** Those that count against the limit. */
    int counted() {
        return last - before;
    }

    Attempts next() {
        return new Attempts(last + 1, before, probe, inDoubt, several || (inDoubt && !probe), refused);
    }

    /** Something is out and it is not known what became of it: the next attempt asks, and sends nothing. */
    Attempts nextProbes() {
        return new Attempts(last + 1, before, true, true, several, refused);
    }

    /**
     * After an answer that leaves no doubt the next attempt sends again, else what it was goes on. What is sent again after a
     * probe is sent beside what the receiver had accepted before.
     */
    Attempts retrying(boolean doubt) {
        return new Attempts(last, before, probe && doubt, doubt, several || (probe && !doubt), refused);
    }

    /**
     * @param doubt what an earlier attempt may have brought the receiver to do is not what it has accepted now, so that its
     *     callbacks may be about either
     */
    Attempts accepted(boolean doubt) {
        return new Attempts(last, before, probe, inDoubt, several && (doubt || probe), refused);
    }

    Attempts refusedByCallback() {
        return new Attempts(last, before, probe, inDoubt, several, true);
    }

    Attempts newRound() {
        return new Attempts(last, last, false, inDoubt, true, false);
    }

    Attempts settled() {
        return new Attempts(last, before, probe, false, several, false);
    }
}
