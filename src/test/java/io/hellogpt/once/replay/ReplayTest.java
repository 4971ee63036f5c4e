package io.hellogpt.once.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.replay.capture.CapturedRecord;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.RecordJson;
import io.hellogpt.once.topology.Topics;
import io.hellogpt.once.topology.policy.Declared;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a replay tells apart, and what it makes of another policy. */
class ReplayTest {
    @TempDir
    Path dir;

    @Test
    void aChangedFieldIsTheOneDifference() throws Exception {
        List<CapturedRecord> records = new ArrayList<>(Captures.live(21, 2, 200, dir));
        int at = indexOf(records, Topics.SNAPSHOTS);
        Snapshot snapshot = Codecs.SNAPSHOT.decode(records.get(at).value());
        records.set(
                at,
                replaced(
                        records.get(at),
                        Codecs.SNAPSHOT.encode(new Snapshot(
                                snapshot.id(), snapshot.turn(), snapshot.attempt() + 1, snapshot.answer()))));

        ReplayReport report = replay(records);

        assertThat(report.divergences()).singleElement().satisfies(each -> {
            assertThat(each.requestId()).isEqualTo(snapshot.id().value());
            assertThat(each.topic()).isEqualTo(Topics.SNAPSHOTS);
            assertThat(each.field()).isEqualTo("/attempt");
            assertThat(each.recorded()).isEqualTo(Integer.toString(snapshot.attempt() + 1));
            assertThat(each.replayed()).isEqualTo(Integer.toString(snapshot.attempt()));
        });
    }

    @Test
    void aRecordThatIsMissingAndOneTooManyAreSeen() throws Exception {
        List<CapturedRecord> missing = new ArrayList<>(Captures.live(22, 2, 200, dir));
        List<CapturedRecord> extra = new ArrayList<>(missing);
        CapturedRecord result = missing.remove(indexOf(missing, Topics.EFFECTS));
        extra.add(indexOf(extra, Topics.EFFECTS), result);

        assertThat(replay(missing).divergences())
                .extracting(Divergence::recorded)
                .contains(Divergence.NOTHING);
        assertThat(replay(extra).divergences()).isNotEmpty();
    }

    @Test
    void anAnswerThatNeverCameMakesEverythingAfterItDifferent() throws Exception {
        List<CapturedRecord> records = new ArrayList<>(Captures.live(23, 2, 200, dir));
        int at = indexOf(records, Topics.MODEL_RESPONSES);
        CapturedRecord answered = records.stream()
                .filter(record -> record.topic().equals(Topics.MODEL_RESPONSES))
                .filter(record -> record.value().length > 200)
                .findFirst()
                .orElseThrow();
        at = records.indexOf(answered);
        records.set(at, replaced(answered, new byte[] {1, 2, 3}));

        assertThat(replay(records).divergences()).isNotEmpty();
    }

    @Test
    void replayedTwiceTheReportsAreEqualToTheByte() throws Exception {
        List<CapturedRecord> records = new ArrayList<>(Captures.live(24, 3, 300, dir));
        records.remove(indexOf(records, Topics.EFFECTS));
        Path file = Captures.write(dir.resolve("twice.avro"), records, 3);
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();

        ReplayReport one = Replay.of(file, ReplayOptions.AS_RECORDED, taken -> note(taken, first));
        ReplayReport two = Replay.of(file, ReplayOptions.AS_RECORDED, taken -> note(taken, second));

        assertThat(second).isEqualTo(first);
        assertThat(withoutTimes(two)).isEqualTo(withoutTimes(one));
    }

    private static void note(ReplayListener.Taken taken, List<String> written) {
        taken.written()
                .forEach(output -> written.add(
                        output.topic() + output.timestamp() + new String(output.value(), StandardCharsets.ISO_8859_1)));
    }

    private static String withoutTimes(ReplayReport report) {
        ObjectNode json = ReportJson.of(report);
        json.remove("millis");
        return json.toString();
    }

    @Test
    void anotherPolicyChangesExactlyTheDecisionsItDecidesOtherwise() throws Exception {
        List<CapturedRecord> records = Captures.live(25, 2, 500, dir);
        Path file = Captures.write(dir.resolve("policy.avro"), records, 2);

        ReplayReport report = Replay.of(file, ReplayOptions.with(new Cautious()), ReplayListener.NONE);

        assertThat(report.whatIf()).isTrue();
        assertThat(report.changes())
                .extracting(Change::requestId)
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(declaredAbove(records, Cautious.LIMIT));
        assertThat(report.changes())
                .allSatisfy(change -> assertThat(change.replayed()).startsWith("HELD: "));
    }

    @Test
    void theSamePolicyChangesNothing() throws Exception {
        Path file = Captures.write(dir.resolve("same.avro"), Captures.live(26, 2, 300, dir), 2);

        ReplayReport report = Replay.of(file, ReplayOptions.with(new AsTheyAsked()), ReplayListener.NONE);

        assertThat(report.changes()).isEmpty();
        assertThat(report.divergences()).isEmpty();
    }

    @Test
    void anotherSettingIsSeenInWhatItChanges() throws Exception {
        Path file = Captures.write(dir.resolve("config.avro"), Captures.live(27, 2, 400, dir), 2);

        ReplayReport report = Replay.of(
                file,
                new ReplayOptions(Optional.empty(), Map.of("billing.route", "ledger-of-tomorrow"), Optional.empty()),
                ReplayListener.NONE);

        assertThat(report.isEqual()).isFalse();
        assertThat(report.changes())
                .isNotEmpty()
                .allSatisfy(change -> assertThat(change.effectsNow())
                        .anySatisfy(effect -> assertThat(effect).contains("ledger-of-tomorrow")));
    }

    /** The declared policy with one line changed: what costs much waits for a person. */
    static final class Cautious implements DecisionPolicy {
        static final int LIMIT = 450;

        @Override
        public String name() {
            return "cautious";
        }

        @Override
        public Decision decide(ModelRequest request, Snapshot snapshot) {
            int amount =
                    RecordJson.read(snapshot.answer().body()).path("amount").asInt();
            return request.policy().equals("declared") && amount > LIMIT
                    ? new Decision.Hold("amount over " + LIMIT, List.of())
                    : new AsTheyAsked().decide(request, snapshot);
        }
    }

    /** Decides as the installed policies do. */
    static final class AsTheyAsked implements DecisionPolicy {
        @Override
        public String name() {
            return "as-they-asked";
        }

        @Override
        public Decision decide(ModelRequest request, Snapshot snapshot) {
            return request.policy().equals("declared")
                    ? new Declared().decide(request, snapshot)
                    : new io.hellogpt.once.topology.policy.CommitOnly().decide(request, snapshot);
        }
    }

    private static Set<String> declaredAbove(List<CapturedRecord> records, int limit) {
        Set<String> declared = records.stream()
                .filter(record -> record.topic().equals(Topics.REQUESTS) && record.value().length > 10)
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .filter(text -> text.contains("\"declared\""))
                .map(text -> text.substring(text.indexOf("contract-"), text.indexOf("contract-") + 45))
                .collect(Collectors.toSet());
        return records.stream()
                .filter(record -> record.topic().equals(Topics.SNAPSHOTS))
                .map(record -> Codecs.SNAPSHOT.decode(record.value()))
                .filter(snapshot -> declared.contains(snapshot.id().value()))
                .filter(snapshot ->
                        RecordJson.read(snapshot.answer().body()).path("amount").asInt() > limit)
                .map(snapshot -> snapshot.id().value())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private ReplayReport replay(List<CapturedRecord> records) throws Exception {
        return Replay.of(
                Captures.write(dir.resolve("some.avro"), records, 2), ReplayOptions.AS_RECORDED, ReplayListener.NONE);
    }

    private static CapturedRecord replaced(CapturedRecord record, byte[] value) {
        return record.with(record.key(), value, record.headers());
    }

    private static int indexOf(List<CapturedRecord> records, String topic) {
        for (int i = 0; i < records.size(); i++) {
            if (records.get(i).topic().equals(topic)) {
                return i;
            }
        }
        throw new AssertionError("nothing on " + topic);
    }
}
