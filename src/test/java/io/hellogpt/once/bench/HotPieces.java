package io.hellogpt.once.bench;

import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.JournalRecord.Answered;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.ReceivedRequest;
import io.hellogpt.once.core.RequestIdFormat;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.schema.CanonicalForm;
import io.hellogpt.once.schema.Codecs;
import io.hellogpt.once.schema.Decoded;
import io.hellogpt.once.schema.RequestDecoder;
import io.hellogpt.once.schema.RequestEncoder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a stream thread does for each request besides Kafka and RocksDB. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HotPieces {
    private static final int MAX_BYTES = 1 << 20;

    private final RequestDecoder decoder = new RequestDecoder(RequestIdFormat.DEFAULT, MAX_BYTES, Optional.empty());
    private final ModelRequest request = Walk.request();
    private final byte[] requestInJson = RequestEncoder.json(request);
    private final byte[] requestInAvro = RequestEncoder.avro(request);
    private final ReceivedRequest received = Walk.received();
    private final Answered answered = Walk.answered(received);
    private final byte[] journalBytes = Codecs.JOURNAL.encode(answered);
    private final Snapshot snapshot = new Snapshot(Walk.ID, 0, 1, answered.answer());
    private final byte[] snapshotBytes = Codecs.SNAPSHOT.encode(snapshot);

    /** A state of the straight path, as the store holds it. */
    @State(Scope.Thread)
    public static class Stored {
        /** Its status. */
        @Param({"GENERATING", "ACKNOWLEDGED", "COMMITTED"})
        public String status;

        private RequestState state;
        private byte[] bytes;

        /** Walks there. */
        @Setup
        public void walk() {
            ReceivedRequest received = Walk.received();
            state = Walk.of(received, Walk.answered(received)).stream()
                    .filter(saved -> saved.status().name().equals(status))
                    .findFirst()
                    .orElseThrow();
            bytes = Codecs.STATE.encode(state);
        }
    }

    @Benchmark
    public Decoded decodeRequestInJson() {
        return decoder.decode(requestInJson);
    }

    @Benchmark
    public Decoded decodeRequestInAvro() {
        return decoder.decode(requestInAvro);
    }

    @Benchmark
    public Fingerprint fingerprint() {
        return CanonicalForm.fingerprint(request);
    }

    @Benchmark
    public byte[] encodeState(Stored stored) {
        return Codecs.STATE.encode(stored.state);
    }

    @Benchmark
    public RequestState decodeState(Stored stored) {
        return Codecs.STATE.decode(stored.bytes);
    }

    @Benchmark
    public byte[] encodeSnapshot() {
        return Codecs.SNAPSHOT.encode(snapshot);
    }

    @Benchmark
    public Snapshot decodeSnapshot() {
        return Codecs.SNAPSHOT.decode(snapshotBytes);
    }

    @Benchmark
    public byte[] encodeJournal() {
        return Codecs.JOURNAL.encode(answered);
    }

    @Benchmark
    public JournalRecord decodeJournal() {
        return Codecs.JOURNAL.decode(journalBytes);
    }

    /** The four stage functions, and the policy, from received to committed. */
    @Benchmark
    public List<RequestState> walk() {
        return Walk.of(received, answered);
    }
}
