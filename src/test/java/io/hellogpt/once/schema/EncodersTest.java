package io.hellogpt.once.schema;

import static io.hellogpt.once.schema.Examples.T0;
import static io.hellogpt.once.schema.Examples.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hellogpt.once.core.CommittedResult;
import io.hellogpt.once.core.DuplicateRequest;
import io.hellogpt.once.core.EffectId;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.SourcePosition;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class EncodersTest {
    private static final CommittedResult RESULT = new CommittedResult(Examples.committed(), Examples.snapshot());

    @Test
    void aCommittedResultTellsOfItsAnswerAndAllItsEffects() {
        ObjectNode json = RecordJson.read(Encoders.committedResult(RESULT));

        assertThat(json.path("request_id").textValue()).isEqualTo(Examples.ID.value());
        assertThat(json.path("fingerprint").textValue()).isEqualTo(Examples.FINGERPRINT.hex());
        assertThat(json.path("source_offset").longValue()).isEqualTo(1_234_567L);
        assertThat(json.path("committed_at").textValue()).isEqualTo(at(9).toString());
        assertThat(json.at("/snapshot/answer/body").textValue()).isEqualTo("{\"choices\":[]}");
        assertThat(json.path("effects")).hasSize(8);
        JsonNode billing = json.at("/effects/0");
        assertThat(billing.path("effect_id").textValue()).isEqualTo(Examples.ID + ":0.0");
        assertThat(billing.path("status").textValue()).isEqualTo("WAITING");
        assertThat(json.at("/effects/4/compensation").textValue()).isEqualTo("SUCCEEDED");
        assertThat(json.at("/effects/4/reference").textValue()).isEqualTo("ref-1");
        assertThat(json.at("/effects/1/compensation").isNull()).isTrue();
    }

    @Test
    void aFailedRequestTellsOfTheEffectsThatWereBegun() {
        Failed failed = failed();

        ObjectNode json = RecordJson.read(Encoders.failedRequest(failed));

        assertThat(json.path("reason").textValue()).isEqualTo("EFFECT_FAILED");
        assertThat(json.path("snapshot_sha256").textValue()).isEqualTo(Examples.SHA);
        assertThat(StreamSupport.stream(json.path("effects").spliterator(), false)
                        .map(effect -> effect.path("status").textValue()))
                .doesNotContain("WAITING")
                .hasSize(7);
    }

    @Test
    void aDuplicateOfACommittedRequestCarriesTheResult() {
        SourcePosition duplicate = new SourcePosition("requests", 3, 99);

        ObjectNode json = RecordJson.read(
                Encoders.duplicateRequest(new DuplicateRequest(duplicate, T0, RESULT.state(), Optional.of(RESULT))));

        assertThat(json.path("status").textValue()).isEqualTo("COMMITTED");
        assertThat(json.path("duplicate_offset").longValue()).isEqualTo(99);
        assertThat(json.path("original_offset").longValue()).isEqualTo(1_234_567L);
        assertThat(json.path("committed")).isEqualTo(RecordJson.read(Encoders.committedResult(RESULT)));
        assertThat(json.path("failed").isNull()).isTrue();
    }

    @Test
    void aDuplicateOfAFailedRequestCarriesTheFailure() {
        ObjectNode json = RecordJson.read(
                Encoders.duplicateRequest(new DuplicateRequest(Examples.SOURCE, T0, failed(), Optional.empty())));

        assertThat(json.path("failed")).isEqualTo(RecordJson.read(Encoders.failedRequest(failed())));
        assertThat(json.path("committed").isNull()).isTrue();
    }

    @Test
    void aDuplicateOfAnUnfinishedRequestNamesItsState() {
        RequestState pending = Examples.states().findFirst().orElseThrow();

        ObjectNode json = RecordJson.read(
                Encoders.duplicateRequest(new DuplicateRequest(Examples.SOURCE, T0, pending, Optional.empty())));

        assertThat(json.path("status").textValue()).isEqualTo("PENDING");
        assertThat(json.path("committed").isNull()).isTrue();
        assertThat(json.path("failed").isNull()).isTrue();
    }

    @Test
    void aRejectedRecordKeepsItsBytes() {
        byte[] key = {(byte) 0xFF};
        byte[] value = "{\"request_id\":\"a\"".getBytes(StandardCharsets.UTF_8);
        Rejection rejection = new Rejection(
                Rejection.Reason.CONFLICT,
                "other content",
                Optional.of(Examples.ID),
                Optional.of(Examples.FINGERPRINT),
                Optional.of(new Fingerprint(Examples.SHA)));

        ObjectNode json =
                RecordJson.read(Encoders.rejectedRequest(rejection, Examples.SOURCE, "receive", key, value, T0));

        assertThat(json.path("stage").textValue()).isEqualTo("receive");
        assertThat(json.path("reason").textValue()).isEqualTo("CONFLICT");
        assertThat(json.path("fingerprint").textValue()).isEqualTo(Examples.FINGERPRINT.hex());
        assertThat(json.path("known_fingerprint").textValue()).isEqualTo(Examples.SHA);
        assertThat(json.path("original_key").textValue())
                .isEqualTo(Base64.getEncoder().encodeToString(key));
        assertThat(json.path("original_value").textValue()).isEqualTo("{\"request_id\":\"a\"");
        assertThat(json.path("original_value_bytes").longValue()).isEqualTo(value.length);
    }

    @Test
    void aRejectedTombstoneHasNoBytes() {
        ObjectNode json = RecordJson.read(Encoders.rejectedRequest(
                Rejection.of(Rejection.Reason.MALFORMED, "no value"), Examples.SOURCE, "receive", null, null, T0));

        assertThat(json.path("request_id").isNull()).isTrue();
        assertThat(json.path("original_key").isNull()).isTrue();
        assertThat(json.path("original_value").isNull()).isTrue();
    }

    @Test
    void aLargeRejectedRecordIsCutAndSaysSo() {
        byte[] encoded = Encoders.rejectedRequest(
                Rejection.of(Rejection.Reason.TOO_LARGE, "too large"),
                Examples.SOURCE,
                "receive",
                new byte[1_000_000],
                new byte[5_000_000],
                T0);

        assertThat(encoded.length).isLessThan(1_048_576);
        assertThat(RecordJson.read(encoded).path("original_value_bytes").longValue())
                .isEqualTo(5_000_000);
    }

    @Test
    void anAuditLineNamesTheEffectAndThePerson() {
        ObjectNode json = RecordJson.read(Encoders.lifecycleEvent(new LifecycleEvent(
                Examples.ID,
                LifecycleEvent.Type.COMMAND_APPLIED,
                Optional.of(RequestState.Status.HELD),
                RequestState.Status.ACKNOWLEDGED,
                Examples.SOURCE,
                2,
                Optional.of(new EffectId(Examples.ID, 0, 1, true)),
                "approved",
                Optional.of("ann"),
                T0)));

        assertThat(json.path("type").textValue()).isEqualTo("COMMAND_APPLIED");
        assertThat(json.path("from").textValue()).isEqualTo("HELD");
        assertThat(json.path("to").textValue()).isEqualTo("ACKNOWLEDGED");
        assertThat(json.path("effect_id").textValue()).isEqualTo(Examples.ID + ":0.1:undo");
        assertThat(json.path("actor").textValue()).isEqualTo("ann");
        assertThat(json.path("at").textValue()).isEqualTo(T0.toString());
    }

    @Test
    void everyLineOfTheAuditLogMayHaveNoEffectNoPersonAndNoPast() {
        for (LifecycleEvent.Type type : LifecycleEvent.Type.values()) {
            ObjectNode json = RecordJson.read(Encoders.lifecycleEvent(new LifecycleEvent(
                    Examples.ID,
                    type,
                    Optional.empty(),
                    RequestState.Status.PENDING,
                    Examples.SOURCE,
                    0,
                    Optional.empty(),
                    "",
                    Optional.empty(),
                    T0)));
            assertThat(json.path("type").textValue()).isEqualTo(type.name());
            assertThat(json.path("from").isNull()).isTrue();
        }
    }

    @Test
    void everyRecordNamesItsType() {
        assertThat(RecordJson.type(Encoders.committedResult(RESULT))).isEqualTo("CommittedResult");
        assertThat(RecordJson.type(Codecs.JOURNAL.encode(new JournalRecord.Barrier("b"))))
                .isEqualTo("ModelResponse");
        assertThat(RecordJson.type(RequestEncoder.avro(Examples.request()))).isEqualTo("ModelRequest");
    }

    @Test
    void bytesThatAreNoTextBecomeBase64() {
        byte[] body = {(byte) 0xC3, 0x28};
        byte[] encoded = Codecs.SNAPSHOT.encode(new Snapshot(Examples.ID, 0, 1, Examples.answer(body)));

        assertThat(RecordJson.read(encoded).at("/answer/body").textValue())
                .isEqualTo(Base64.getEncoder().encodeToString(body));
    }

    @Test
    void aRecordWrittenAsJsonReadsTheSame() {
        byte[] avro = Encoders.committedResult(RESULT);

        assertThat(RecordJson.json(RecordJson.json(avro))).isEqualTo(RecordJson.json(avro));
        assertThat(RecordJson.read(RecordJson.json(avro)).path("request_id").textValue())
                .isEqualTo(Examples.ID.value());
    }

    @Test
    void whatIsNoRecordIsRefused() {
        assertThatThrownBy(() -> RecordJson.read("hello".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(CodecException.class);
        assertThatThrownBy(() -> RecordJson.read(null)).isInstanceOf(CodecException.class);
        assertThatThrownBy(() -> RecordJson.read(new byte[] {(byte) 0xC3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("unknown schema");
    }

    private static Failed failed() {
        return Examples.states()
                .filter(Failed.class::isInstance)
                .map(Failed.class::cast)
                .findFirst()
                .orElseThrow();
    }
}
