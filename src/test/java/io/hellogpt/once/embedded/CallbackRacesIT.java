package io.hellogpt.once.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.hellogpt.once.connect.Receiver;
import io.hellogpt.once.topology.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Effects whose end is told later, or by a person: a receiver that answers 202 and calls back, whenever it likes and whoever it is,
 * with the connector in a real worker and an instance of the application. The topics and the receiver's own log decide.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CallbackRacesIT {
    private static final Receiver.Answer ACCEPTED = Receiver.status(202, "{\"id\":\"job-1\"}");
    private static final String SUCCEEDED = "succeeded";
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;

    private CallbackStage stage;

    @BeforeAll
    void start(@TempDir Path dir) throws Exception {
        stage = new CallbackStage(dir);
    }

    @AfterAll
    void stop() throws IOException {
        stage.close();
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    @Test
    void oneThatComesBeforeTheResponseEndsTheRequestOnce() {
        String id = "early-1";
        stage.receiver.then(exchange -> {
            assertThat(stage.callback(id, "event-1", SUCCEEDED)).isEqualTo(OK);
            stage.awaitCommitted(id);
            ACCEPTED.to(exchange);
        });

        stage.send(id, CallbackStage.PATIENT);

        await().atMost(CallbackStage.BOUND).until(() -> stage.results(id).contains("AWAITING_CALLBACK"));
        stage.atRest();
        assertEndedOnce(id);
        assertThat(stage.calls(id)).hasSize(1);
    }

    @Test
    void oneThatComesTwiceCountsOnce() {
        String id = "twice-1";
        awaiting(id, CallbackStage.PATIENT);

        assertThat(stage.callback(id, "event-1", SUCCEEDED)).isEqualTo(OK);
        assertThat(stage.callback(id, "event-1", SUCCEEDED)).isEqualTo(OK);
        stage.awaitCommitted(id);
        assertThat(stage.callback(id, "event-1", SUCCEEDED)).isEqualTo(OK);

        stage.atRest();
        assertEndedOnce(id);
        assertThat(stage.calls(id)).hasSize(1);
    }

    @Test
    void aForgedOneIsRefusedAndTheGenuineOneStillCounts() {
        String id = "forged-1";
        awaiting(id, CallbackStage.PATIENT);

        assertThat(stage.callback(CallbackStage.FORGERS_KEY, id, "event-1", SUCCEEDED))
                .isEqualTo(UNAUTHORIZED);
        stage.atRest();
        assertThat(stage.endings(id)).isEmpty();
        assertThat(stage.results(id)).containsOnly("AWAITING_CALLBACK");

        assertThat(stage.callback(id, "event-1", SUCCEEDED)).isEqualTo(OK);
        stage.awaitCommitted(id);
        assertEndedOnce(id);
    }

    @Test
    void atTheDeadlineAReceiverThatCannotBeAskedLeavesItUnknownUntilALateOneComes() {
        String id = "late-1";
        awaiting(id, CallbackStage.HASTY);
        await().atMost(CallbackStage.BOUND).until(() -> stage.results(id).contains("UNKNOWN"));
        stage.atRest();
        assertThat(stage.endings(id)).isEmpty();

        assertThat(stage.callback(id, "event-1", SUCCEEDED)).isEqualTo(OK);

        stage.awaitCommitted(id);
        assertEndedOnce(id);
        assertThat(stage.calls(id)).hasSize(1);
    }

    @Test
    void atTheDeadlineAReceiverThatCanBeAskedIs() {
        String id = "asked-1";
        stage.receiver.then(ACCEPTED).then(Receiver.status(OK, "{\"id\":\"job-1\"}"));

        stage.send(id, CallbackStage.ASKED);

        stage.awaitCommitted(id);
        assertEndedOnce(id);
        assertThat(stage.calls(id)).extracting(Receiver.Call::method).containsExactly("POST", "GET");
    }

    @Test
    void whatAPersonSaysOfAnUnknownEffectResumesItsRequestOnce() throws Exception {
        unknown("resolved-1");

        String[] command = {"ledger", "resolve", "resolved-1:0.1", SUCCEEDED, "--reason", "seen in the portal"};
        assertThat(stage.once(command)).contains("is resolved as succeeded").contains("its request is told");
        assertThat(stage.once(command)).contains("had ended as succeeded");

        stage.awaitCommitted("resolved-1");
        stage.atRest();
        assertEndedOnce("resolved-1");
        assertThat(stage.calls("resolved-1")).hasSize(1);
    }

    @Test
    void whatAPersonSaysDidNotHappenEndsTheRequestAsFailedOnce() throws Exception {
        unknown("resolved-2");

        assertThat(stage.once("ledger", "resolve", "resolved-2:0.1", "failed", "--reason", "not in the portal"))
                .contains("is resolved as failed");

        await().atMost(CallbackStage.BOUND)
                .until(() -> stage.endings("resolved-2").size() == 1);
        stage.atRest();
        assertThat(stage.endings("resolved-2")).containsExactly(Topics.FAILED_REQUESTS);
        assertThat(stage.calls("resolved-2")).hasSize(1);
    }

    private void unknown(String id) {
        stage.receiver.then(exchange -> exchange.close());
        stage.send(id, CallbackStage.PATIENT);
        await().atMost(CallbackStage.BOUND).until(() -> stage.results(id).contains("UNKNOWN"));
        await().atMost(CallbackStage.BOUND)
                .until(() -> stage.events(id).stream()
                        .map(JsonNode::toString)
                        .anyMatch(event -> event.contains("EFFECT_UNKNOWN") || event.contains("HELD")));
    }

    private void awaiting(String id, String route) {
        stage.receiver.then(ACCEPTED);
        stage.send(id, route);
        await().atMost(CallbackStage.BOUND).until(() -> stage.results(id).contains("AWAITING_CALLBACK"));
    }

    private void assertEndedOnce(String id) {
        assertThat(stage.endings(id)).isEqualTo(List.of(Topics.COMMITTED_RESULTS));
    }
}
