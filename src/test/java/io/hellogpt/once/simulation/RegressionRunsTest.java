package io.hellogpt.once.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The runs of {@link PastBug}s, shrunk: each breaks its guarantee with the bug put back, and keeps it without. The steps mean the
 * same as long as no move changes what it does; that the first test still fails where it should shows that they do.
 */
class RegressionRunsTest {
    static Stream<Arguments> runs() {
        return Stream.of(
                Arguments.of(
                        PastBug.FAIL_PAST_THE_PIVOT,
                        "G7",
                        "SEND:323635 READ_REQUEST:91887 CRASH_OWNER:502596 MIGRATE:842681 READ_JOURNAL:72448 "
                                + "READ_JOURNAL:624927 READ_JOURNAL:810958 ANSWER:732255 READ_JOURNAL:783627 EXECUTE:131165 "
                                + "EXECUTE:1024962 PUBLISH:705047 READ_OUTCOME:945104 REQUEST_DEADLINE:63462"),
                Arguments.of(
                        PastBug.BELIEVE_A_PERSON_AGAINST_A_SUCCESS,
                        "G3",
                        "SEND:227683 READ_REQUEST:434898 READ_REROUTED:727874 READ_JOURNAL:209156 ANSWER:648762 "
                                + "READ_JOURNAL:570554 EXECUTE:637541 EXECUTE:652388 PUBLISH:769517 READ_OUTCOME:702788 "
                                + "COMMAND:21818 EXECUTE:676531 PUBLISH:744119 READ_OUTCOME:788004 SEND_AGAIN:844837 "
                                + "READ_REQUEST:442178 EXECUTE:621187 PUBLISH:12335 READ_OUTCOME:542040 READ_COMMAND:903475 "
                                + "COMMAND:261396"),
                Arguments.of(
                        PastBug.COMPENSATE_A_LATE_SUCCESS_AT_ONCE,
                        "G3",
                        "SEND:325807 READ_REQUEST:424261 READ_REROUTED:627798 READ_JOURNAL:899684 ANSWER:912087 "
                                + "READ_JOURNAL:169125 EXECUTE:931642 EXECUTE:893804 COMMAND:340380"),
                Arguments.of(
                        PastBug.CANCEL_PAST_A_STUCK_COMPENSATION,
                        "G3",
                        "SEND:448545 READ_JOURNAL:887590 READ_REQUEST:225685 READ_REROUTED:846371 ANSWER:421963 "
                                + "READ_JOURNAL:822863 EXECUTE:944938 COMMAND:904462 PUBLISH:672382 READ_OUTCOME:693572 "
                                + "EXECUTE:552682 EXECUTE:340779 PUBLISH:178885 READ_COMMAND:661678 READ_OUTCOME:759735 "
                                + "PUBLISH:524189 READ_OUTCOME:870553 EXECUTE:440957 EFFECT_TIMER:428735 EXECUTE:12477 "
                                + "COMMAND:719608 PUBLISH:956626"),
                Arguments.of(
                        PastBug.BELIEVE_A_FAILED_CALLBACK_WHILE_AN_ATTEMPT_IS_OUT,
                        "G3",
                        "SEND:896590 READ_REQUEST:133195 READ_JOURNAL:1001463 ANSWER:147564 READ_JOURNAL:432179 "
                                + "EXECUTE:810127 PUBLISH:632893 EXECUTE:129196 CALLBACK:1018376 PUBLISH:510054"),
                Arguments.of(
                        PastBug.IGNORE_HANDOVERS_OF_ABORTED_DISPATCHES,
                        "G4",
                        "SEND:160854 READ_JOURNAL:327677 READ_REQUEST:118112 ABORT:967558"),
                Arguments.of(
                        PastBug.IGNORE_ERRORS_OF_ABORTED_DISPATCHES,
                        "G4",
                        "READ_JOURNAL:468377 SEND:167560 READ_REQUEST:896496 FAIL_CALL:269404 ABORT:126838"),
                Arguments.of(
                        PastBug.FIRE_CALL_DEADLINES_BEFORE_THE_BARRIER,
                        "G4",
                        "READ_JOURNAL:117556 SEND:661934 MIGRATE:290740 READ_REQUEST:21315 READ_JOURNAL:1005430 "
                                + "ADVANCE:52616 CALL_DEADLINE:979928 PUMP:1037442 SHUT_DOWN:137185 READ_JOURNAL:822734 "
                                + "CALL_DEADLINE:41012 READ_JOURNAL:119191 ANSWER:563389 CRASH_OWNER:668728 ADVANCE:913456 "
                                + "CALL_DEADLINE:895241"));
    }

    /**
     * Too rare for a random walk of the length tests take: the error of an attempt whose dispatch was aborted, read while the state is
     * still at the attempt before it, was ignored, and the call made once more.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SEND:379910 PAUSE:943185 READ_REQUEST:959729 PAUSE:327338 READ_JOURNAL:312743 CRASH_OWNER:657434 "
                        + "READ_JOURNAL:811348 FAIL_CALL:920968 ABORT:468124",
                "SEND:793660 READ_REQUEST:642091 PAUSE:586852 PAUSE:603633 READ_JOURNAL:1010174 CRASH_OWNER:604799 "
                        + "READ_JOURNAL:783028 FAIL_CALL:494740 CRASH_OWNER:868232"
            })
    void holdsWhereAWalkOnceBroke(String run) {
        List<Step> steps = Arrays.stream(run.split(" ")).map(Step::parse).toList();

        assertThat(new Simulation(Protocol::new).replay(steps).violation()).isEmpty();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("runs")
    void breaksWithTheBugAndHoldsWithoutIt(PastBug bug, String guarantee, String run) {
        List<Step> steps = Arrays.stream(run.split(" ")).map(Step::parse).toList();

        assertThat(new Simulation(bug::broken).replay(steps).violation())
                .hasValueSatisfying(
                        violation -> assertThat(violation.guarantee()).isEqualTo(guarantee));
        assertThat(new Simulation(Protocol::new).replay(steps).violation()).isEmpty();
    }
}
