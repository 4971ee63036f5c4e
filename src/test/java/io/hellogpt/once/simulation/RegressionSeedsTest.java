package io.hellogpt.once.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every run that once broke a guarantee, shrunk. The steps mean the same as long as no move changes what it does. */
class RegressionSeedsTest {

    /** One run. */
    record Kept(String what, String steps) {
        @Override
        public String toString() {
            return what;
        }
    }

    static List<Kept> runs() {
        return List.of(
                new Kept(
                        "G3: the pivot succeeded while the request was being cancelled, and was failed with it",
                        "READ_JOURNAL:802468 SEND:703000 READ_REQUEST:449547 ANSWER:203047 SEND:331324 SEND:1033875"
                                + " SEND:873905 READ_JOURNAL:501168 READ_REQUEST:285419 EXECUTE:201621 PUBLISH:884333"
                                + " SEND:496994 READ_REQUEST:810754 ANSWER:272561 READ_JOURNAL:449955"
                                + " READ_REQUEST:530910 EXECUTE:979371 EXECUTE:684761 READ_REQUEST:785553"
                                + " PUBLISH:981769 PUBLISH:701858 COMMAND:753607"),
                new Kept(
                        "G3: a success after a person had said FAILED was ignored",
                        "SEND:1042784 READ_REQUEST:368733 SEND:202608 READ_REQUEST:466953 SEND:596105"
                                + " READ_REQUEST:970565 SEND:425178 READ_REQUEST:675305 READ_JOURNAL:448771"
                                + " ADVANCE:796211 ANSWER:216728 READ_JOURNAL:353675 HOLD_ANSWER:120467 JOURNAL:519267"
                                + " ADVANCE:318223 READ_JOURNAL:514574 EXECUTE:987279 ANSWER:259088 EXECUTE:325863"
                                + " READ_JOURNAL:552806 EXECUTE:457227 EXECUTE:162380 PUBLISH:888171 EXECUTE:214858"
                                + " PUBLISH:662167 READ_OUTCOME:155107 EXECUTE:1013083 PUBLISH:739250"
                                + " READ_OUTCOME:346459 PUBLISH:346853 PUBLISH:159380 PUBLISH:861321"
                                + " READ_OUTCOME:652879 READ_OUTCOME:144227 READ_OUTCOME:146694 COMMIT:928097"
                                + " EXECUTE:846407 READ_OUTCOME:47651 PUBLISH:33014 READ_OUTCOME:44680 COMMAND:33643"),
                new Kept(
                        "G3: a late success started a second compensation beside the first",
                        "SEND:906573 READ_REQUEST:807822 READ_JOURNAL:604476 ADVANCE:868489 SEND:172105 SEND:765424"
                                + " JOURNAL:681387 READ_REQUEST:90739 READ_REQUEST:286533 ANSWER:888172"
                                + " READ_JOURNAL:879493 READ_JOURNAL:223522 EXECUTE:652046 EXECUTE:85726"
                                + " EXECUTE:175626 CRASH_OTHER:665856 PUBLISH:1030102 READ_OUTCOME:243005"
                                + " MIGRATE:20916 EFFECT_TIMER:639091 COMMAND:784490"),
                new Kept(
                        "G3: a cancel went past a stuck compensation",
                        "SEND:987465 READ_REQUEST:877923 READ_JOURNAL:248849 SEND:385750 ANSWER:43612"
                                + " READ_REQUEST:604805 SEND:854862 HOLD_ANSWER:320645 READ_REQUEST:835943"
                                + " HOLD_ANSWER:79844 READ_JOURNAL:199539 EXECUTE:150461 JOURNAL:998153"
                                + " READ_JOURNAL:183620 EXECUTE:955713 EXECUTE:196413 EXECUTE:731048 PUBLISH:221758"
                                + " PUBLISH:654158 READ_OUTCOME:853720 READ_OUTCOME:926781 PUBLISH:233485"
                                + " READ_OUTCOME:231251 EXECUTE:343967 COMMAND:852578 PUBLISH:631118 COMMAND:807026"),
                new Kept(
                        "G4: the handover of an attempt whose dispatch was aborted was ignored",
                        "READ_JOURNAL:247925 SEND:730469 READ_REQUEST:1007555 SEND:1013919 READ_REQUEST:798923"
                                + " ANSWER:751071 CRASH_OWNER:42110 READ_JOURNAL:924386 READ_JOURNAL:859662"
                                + " ABORT:840888"),
                new Kept(
                        "G4: the error of a call whose dispatch was aborted was ignored",
                        "READ_JOURNAL:219673 PAUSE:576479 SEND:717815 READ_REQUEST:1047953 STALL:1026789"
                                + " READ_JOURNAL:1041750 FAIL_CALL:918348 CRASH_OWNER:486183 READ_JOURNAL:36045"
                                + " READ_JOURNAL:188358 READ_JOURNAL:229496 ADVANCE:189873"),
                new Kept(
                        "G4: a call was overdue before the barrier, and the request failed beside its answer",
                        "SEND:211997 SEND:113498 READ_JOURNAL:849171 SEND:337644 READ_REQUEST:105557 SHUT_DOWN:283432"
                                + " READ_REQUEST:113840 READ_REQUEST:984058 READ_JOURNAL:178335 READ_JOURNAL:858263"
                                + " ANSWER:906924 ADVANCE:934966 JOURNAL:458295 READ_JOURNAL:1043361"
                                + " READ_JOURNAL:379796 READ_JOURNAL:213178 ADVANCE:584987 PUMP:287802 ADVANCE:861297"
                                + " ABORT:379510 READ_JOURNAL:639984 ABORT:245989 ADVANCE:240999 READ_JOURNAL:862889"
                                + " JOURNAL_UNACKNOWLEDGED:461640 JOURNAL:988855 JOURNAL_UNACKNOWLEDGED:832114"
                                + " READ_JOURNAL:205534 ADVANCE:715075 READ_JOURNAL:557436 ABORT:366652"
                                + " READ_JOURNAL:16419 READ_JOURNAL:681937 READ_JOURNAL:613063 READ_JOURNAL:650654"
                                + " ADVANCE:153682 READ_JOURNAL:786454 READ_JOURNAL:864786 ABORT:1017960"
                                + " ANSWER:132365 MIGRATE:1032600 CALL_DEADLINE:661691"),
                new Kept(
                        "G1: a duplicate made in the very moment the window began was run again",
                        "SEND:5057 READ_REQUEST:64600 ADVANCE_FAR:700228 REQUEST_DEADLINE:75128 ADVANCE_FAR:754836"
                                + " ADVANCE_FAR:522675 SEND_CONFLICT:937070 READ_REQUEST:3432 EXPIRE:149254"
                                + " SEND_AGAIN:977083"));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void holdsNow(Kept kept) {
        List<Step> steps =
                Arrays.stream(kept.steps().split(" ")).map(Step::parse).toList();
        assertThat(new Simulation(Protocol::new).replay(steps).violation()).isEmpty();
    }
}
