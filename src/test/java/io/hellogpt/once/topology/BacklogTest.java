package io.hellogpt.once.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.schema.Codecs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that wait for a slot: whose turn it is, and that the number of them stops nothing. */
class BacklogTest {
    private static final int MANY = 100_000;
    private static final Duration TICK = Duration.ofMillis(50);

    @TempDir
    Path dir;

    private TopologyRig rig;

    @BeforeEach
    void start() {
        rig = new TopologyRig(dir).opened();
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void aModelWhoseLimitIsReachedHoldsUpNoOther() {
        rig.gateway.exhausted.add("full");
        request("f-1", "full");
        request("f-2", "full");
        request("o-1", "other");
        assertThat(calls()).containsExactly("o-1");

        rig.gateway.slots = 0;
        request("o-2", "other");
        rig.gateway.slots = 1;
        rig.advance(TICK);
        assertThat(calls()).as("found behind those that must wait").containsExactly("o-1", "o-2");

        rig.gateway.slots = 10;
        rig.gateway.exhausted.clear();
        request("f-3", "full");
        rig.advance(TICK);
        assertThat(calls()).containsExactly("o-1", "o-2", "f-1", "f-2", "f-3");
    }

    @Test
    void waitingModelsTakeTurns() {
        rig.gateway.slots = 0;
        IntStream.range(0, 4).forEach(i -> request("a-" + i, "a"));
        IntStream.range(0, 4).forEach(i -> request("b-" + i, "b"));
        rig.gateway.slots = 4;
        rig.advance(TICK);

        assertThat(calls()).containsExactlyInAnyOrder("a-0", "a-1", "b-0", "b-1");
        assertThat(calls().stream().filter(id -> id.startsWith("a"))).containsExactly("a-0", "a-1");
    }

    /** Its records come from the future, as far as this machine knows. */
    @Test
    void aBrokerWhoseClockIsAheadKeepsNobodyWaiting() {
        rig.gateway.slots = 0;
        rig.raw(
                "{\"request_id\":\"r-1\",\"model\":\"m\",\"input\":\"x\"}".getBytes(StandardCharsets.UTF_8),
                TopologyRig.START.plus(Duration.ofHours(1)));
        rig.gateway.slots = 1;
        rig.advance(TICK);

        assertThat(calls()).containsExactly("r-1");
    }

    @Test
    void aRetryWaitsForItsTimeAndHoldsUpNobody() {
        rig.gateway.slots = 1;
        request("r-1", "m");
        request("r-2", "m");
        request("r-3", "m");
        rig.gateway.slots = 1;
        rig.journal(failed("r-1", Duration.ofSeconds(30)));
        assertThat(calls()).containsExactly("r-1", "r-2");

        rig.gateway.slots = 2;
        rig.advance(TICK);
        assertThat(calls()).containsExactly("r-1", "r-2", "r-3");
        rig.advance(Duration.ofSeconds(29));
        assertThat(calls()).hasSize(3);
        rig.advance(Duration.ofSeconds(2));
        assertThat(calls()).containsExactly("r-1", "r-2", "r-3", "r-1");
    }

    /** A model that never answers: everything is taken in all the same, and nothing is called beyond the slots. */
    @Test
    void aHundredThousandRequestsAreTakenInWhileNoneIsAnswered() {
        rig.gateway.slots = 64;
        for (int i = 0; i < MANY; i++) {
            request("r-" + i, "model-" + i % 3);
            if (i % 1_000 == 0) {
                rig.facts.clear();
                rig.advance(TICK);
            }
        }
        assertThat(rig.gateway.calls).hasSize(64);
        KeyValueStore<?, ?> requests = rig.driver().getKeyValueStore(Stores.REQUESTS_BY_ID);
        assertThat(count(requests)).isEqualTo(MANY);
        assertThat(count(rig.driver().getKeyValueStore(Stores.TIMERS)))
                .as("each has one")
                .isEqualTo(MANY);
    }

    @Test
    void aRequestThatNoLongerWaitsIsPassedOverAndAHurriedOneFound() {
        rig.gateway.slots = 1;
        request("r-0", "m");
        rig.journal(failed("r-0", Duration.ofHours(1)));
        rig.gateway.slots = 0;
        request("r-1", "m");
        request("r-2", "m");
        command("r-1", OperatorCommand.Verb.CANCEL);
        command("r-0", OperatorCommand.Verb.RETRY);
        rig.gateway.slots = 10;
        rig.advance(Duration.ofMillis(1_050));

        assertThat(calls()).containsExactlyInAnyOrder("r-0", "r-2", "r-0");
    }

    private void command(String id, OperatorCommand.Verb verb) {
        rig.pipe(
                Topics.COMMANDS,
                Codecs.COMMAND.encode(new OperatorCommand(
                        id + verb, new RequestId(id), verb, Optional.empty(), "ada", "why", TopologyRig.START)));
    }

    private static JournalRecord failed(String id, Duration retryAfter) {
        return new JournalRecord.CallFailed(
                new RequestId(id),
                0,
                1,
                TopologyRig.START,
                new CallError(CallError.Kind.RETRYABLE, "429", Optional.of(retryAfter)),
                TopologyRig.START);
    }

    private static long count(KeyValueStore<?, ?> store) {
        long entries = 0;
        try (var all = store.all()) {
            while (all.hasNext()) {
                all.next();
                entries++;
            }
        }
        return entries;
    }

    private List<String> calls() {
        return rig.gateway.calls.stream().map(call -> call.id().value()).toList();
    }

    private void request(String id, String model) {
        rig.request("{\"request_id\":\"" + id + "\",\"model\":\"" + model + "\",\"input\":\"x\"}");
    }
}
