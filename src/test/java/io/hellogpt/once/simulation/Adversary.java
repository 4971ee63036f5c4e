package io.hellogpt.once.simulation;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Picks the next step at random, by weights that differ from one seed to the next. */
final class Adversary {
    private static final int PICKS = 1 << 20;
    private static final Map<Move, Integer> WEIGHTS = new EnumMap<>(Move.class);

    static {
        for (Move move : Move.values()) {
            WEIGHTS.put(
                    move,
                    switch (move) {
                        case SEND -> 30;
                        case SEND_AGAIN, SEND_CONFLICT -> 8;
                        case READ_REQUEST, READ_REROUTED, READ_JOURNAL, READ_OUTCOME -> 60;
                        case READ_COMMAND -> 30;
                        case REREAD -> 2;
                        case COMMIT -> 20;
                        case ABORT -> 40;
                        case CRASH_OWNER, CRASH_OTHER, STALL, SHUT_DOWN, PAUSE, JOURNAL_DOWN_OR_UP -> 3;
                        case MIGRATE, WAKE -> 4;
                        case ANSWER -> 40;
                        case FAIL_CALL, HOLD_ANSWER, JOURNAL_UNACKNOWLEDGED -> 6;
                        case ANSWER_TWICE -> 4;
                        case JOURNAL -> 20;
                        case PUMP, EFFECT_TIMER -> 30;
                        case CALL_DEADLINE, REQUEST_DEADLINE, HOLD_TIMER, EXPIRE, EXPIRE_STASH -> 10;
                        case ADVANCE -> 12;
                        case ADVANCE_FAR -> 1;
                        case EXECUTE, PUBLISH -> 50;
                        case CALLBACK, PROBE -> 10;
                        case CALLBACK_AGAIN, FORGED_CALLBACK -> 1;
                        case COMMAND -> 6;
                        case COMMAND_AGAIN -> 3;
                        case FIX_POLICY -> 1;
                    });
        }
    }

    private final SplittableRandom random;
    private final Move[] moves = Move.values();
    private final int[] upTo = new int[moves.length];
    private final int total;

    Adversary(long seed) {
        random = new SplittableRandom(seed);
        int sum = 0;
        for (int i = 0; i < moves.length; i++) {
            // Some worlds have many crashes, some none, and so with everything: rare paths need a lop-sided adversary.
            int scale = new int[] {0, 1, 1, 1, 2, 6}[random.nextInt(6)];
            boolean needed = WEIGHTS.get(moves[i]) >= 20;
            sum += WEIGHTS.get(moves[i]) * (needed ? Math.max(1, scale) : scale);
            upTo[i] = sum;
        }
        total = sum;
    }

    Step next(World world) {
        while (true) {
            Move move = draw();
            if (move.isPossible(world)) {
                return new Step(move, random.nextInt(PICKS));
            }
        }
    }

    private Move draw() {
        int drawn = random.nextInt(total);
        int i = 0;
        while (upTo[i] <= drawn) {
            i++;
        }
        return moves[i];
    }
}
