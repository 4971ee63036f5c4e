package io.hellogpt.once.simulation;

/**
 * One choice of the adversary. Does nothing where its move is not possible, so that any part of a list of steps is a run too.
 *
 * @param pick decides among what the move can act on; never negative
 */
record Step(Move move, int pick) {
    void run(World world) {
        if (move.isPossible(world)) {
            move.make(world, pick);
        }
    }

    /** As it is kept in {@link RegressionRunsTest}. */
    @Override
    public String toString() {
        return move + ":" + pick;
    }

    static Step parse(String text) {
        int colon = text.indexOf(':');
        return new Step(Move.valueOf(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
    }
}
