package io.hellogpt.once.core;

/**
 * The attempts at one effect, or at one compensation.
 *
 * @param last the last one issued, 0 before the first
 * @param before those made before a person asked for a new round of them; they do not count against the limit
 * @param probe the last one, or the next one while a retry is due, only finds out whether an earlier one was carried out
 * @param inDoubt one of them may have been carried out although the last outcome only says to try again
 */
public record Attempts(int last, int before, boolean probe, boolean inDoubt) {
    static final Attempts NONE = new Attempts(0, 0, false, false);

    /** Those that count against the limit. */
    int counted() {
        return last - before;
    }

    Attempts next() {
        return new Attempts(last + 1, before, probe, inDoubt);
    }

    /** Something is out and it is not known what became of it: the next attempt asks, and sends nothing. */
    Attempts nextProbes() {
        return new Attempts(last + 1, before, true, true);
    }

    /** After an answer that leaves no doubt the next attempt sends again, else what it was goes on. */
    Attempts retrying(boolean doubt) {
        return new Attempts(last, before, probe && doubt, doubt);
    }

    Attempts newRound() {
        return new Attempts(last, last, false, inDoubt);
    }

    Attempts settled() {
        return new Attempts(last, before, probe, false);
    }
}
