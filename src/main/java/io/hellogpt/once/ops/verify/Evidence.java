package io.hellogpt.once.ops.verify;

import io.hellogpt.once.core.SourcePosition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is known about a run, from outside the system.
 *
 * @param intake what came in and what was said about it
 * @param work what was made of it
 * @param ledger the database's tables, if it could be asked
 * @param logs what receivers and the model wrote down themselves
 * @param terms what is to be assumed about the run
 */
public record Evidence(Intake intake, Work work, Optional<Ledger> ledger, Logs logs, Terms terms) {

    /** The topics around dedup. */
    public record Intake(
            List<Received> received,
            List<Transition> transitions,
            List<Duplicate> duplicates,
            List<Rejected> rejected) {
        public Intake {
            received = List.copyOf(received);
            transitions = List.copyOf(transitions);
            duplicates = List.copyOf(duplicates);
            rejected = List.copyOf(rejected);
        }
    }

    /** The topics behind dedup. */
    public record Work(
            List<Recorded> snapshots,
            List<Ending> endings,
            List<Issued> effects,
            List<Outcome> outcomes,
            List<Answered> journal) {
        public Work {
            snapshots = List.copyOf(snapshots);
            endings = List.copyOf(endings);
            effects = List.copyOf(effects);
            outcomes = List.copyOf(outcomes);
            journal = List.copyOf(journal);
        }
    }

    /** The ledger's tables. */
    public record Ledger(List<Bill> bills, List<LedgerEffect> effects) {
        public Ledger {
            bills = List.copyOf(bills);
            effects = List.copyOf(effects);
        }
    }

    /**
     * The other sides' own logs.
     *
     * @param executions what receivers say they did, if their logs are given
     * @param calls what the model says it was asked, if its log is given
     */
    public record Logs(Optional<List<Execution>> executions, Optional<List<Call>> calls) {
        public static final Logs NONE = new Logs(Optional.empty(), Optional.empty());
    }

    /**
     * What is to be assumed.
     *
     * @param crashes how many times an instance was killed during the run
     * @param callsPerCrash how many calls each kill may repeat at most, {@code model.max.in.flight}
     * @param dedupRetention an id may be accepted again this long after its ending
     * @param running work may still be going on, so what is unfinished is no violation and nothing is decided about it
     * @param missing what of the evidence is known to be gone, e.g. deleted by retention
     * @param disturbances when calls may have been cut off, where that is known to the moment; then {@code crashes} does not count
     */
    public record Terms(
            int crashes,
            int callsPerCrash,
            Duration dedupRetention,
            boolean running,
            List<String> missing,
            List<Disturbance> disturbances) {
        public Terms {
            missing = List.copyOf(missing);
            disturbances = List.copyOf(disturbances);
        }

        /** Of the crashes only their number is known. */
        public Terms(int crashes, int callsPerCrash, Duration dedupRetention, boolean running, List<String> missing) {
            this(crashes, callsPerCrash, dedupRetention, running, missing, List.of());
        }
    }

    /**
     * Something that cuts off calls in flight, so that they may be made again.
     *
     * @param kind of it, for the count
     * @param until nothing of it goes on after this
     */
    public record Disturbance(String kind, Instant from, Instant until) {
        boolean touches(Instant begin, Instant end) {
            return !from.isAfter(end) && !until.isBefore(begin);
        }
    }

    /**
     * A record on {@code requests}; id and fingerprint are empty when it cannot be read as a request.
     *
     * @param undoable ids of the effects it declares a compensation for
     */
    public record Received(
            SourcePosition at, Optional<String> requestId, Optional<String> fingerprint, Set<String> undoable) {
        public Received {
            undoable = Set.copyOf(undoable);
        }
    }

    /**
     * A record on {@code lifecycle-events}.
     *
     * @param effectId the effect it is about, if it is about one
     */
    public record Transition(
            String requestId, String type, String to, SourcePosition source, Optional<String> effectId, Instant at) {
        boolean accepts() {
            return type.equals("ACCEPTED");
        }
    }

    /** A record on {@code duplicate-requests}. */
    public record Duplicate(String requestId, SourcePosition at, SourcePosition original) {}

    /** A record on {@code rejected-requests}. */
    public record Rejected(
            Optional<String> requestId,
            SourcePosition at,
            String reason,
            Optional<String> fingerprint,
            Optional<String> knownFingerprint) {
        boolean isConflict() {
            return reason.equals("CONFLICT");
        }
    }

    /**
     * A record on {@code committed-results} or {@code failed-requests}.
     *
     * @param snapshotSha256 digest of the answer it was derived from
     */
    public record Ending(
            String requestId,
            boolean committed,
            SourcePosition source,
            Optional<String> snapshotSha256,
            List<EffectEnd> effects,
            Instant at) {
        public Ending {
            effects = List.copyOf(effects);
        }
    }

    /**
     * What an ending says about one effect.
     *
     * @param compensation how undoing it ended, if that was begun
     */
    public record EffectEnd(String effectId, String route, String status, Optional<String> compensation) {}

    /**
     * A record on {@code snapshots}.
     *
     * @param sha256 the digest it states
     * @param computedSha256 the digest of the body it carries
     */
    public record Recorded(String requestId, int turn, String sha256, String computedSha256, long costNanos) {}

    /**
     * A record on {@code effects}: one attempt.
     *
     * @param order what the receiver is told to do, the same in every attempt
     */
    public record Issued(String effectId, String requestId, Order order, int attempt) {
        public String route() {
            return order.route();
        }
    }

    /**
     * What an attempt asks for.
     *
     * @param undo it is a compensation
     * @param payloadSha256 digest of the payload
     */
    public record Order(String route, boolean undo, String payloadSha256) {}

    /**
     * A record on {@code effect-outcomes}.
     *
     * @param callback the receiver said it itself, past the connector and its ledger
     */
    public record Outcome(String effectId, String requestId, int attempt, String result, boolean callback) {
        /** From the connector. */
        public Outcome(String effectId, String requestId, int attempt, String result) {
            this(effectId, requestId, attempt, result, false);
        }
    }

    /** An answer in the journal, {@code model-responses}. */
    public record Answered(String requestId, int attempt) {}

    /** A row of the billing table. */
    public record Bill(String requestId, String snapshotSha256, long costNanos) {}

    /** A row of the effect table. */
    public record LedgerEffect(String effectId, String route, String status, Optional<String> outcome) {}

    /**
     * A line of a receiver's log.
     *
     * @param executed false when the receiver recognised a repetition and did nothing
     * @param status what it answered, 0 when its log does not say
     * @param log which log it stands in: lines of one log are in the order in which things happened, those of two are not
     */
    public record Execution(
            String idempotencyKey, Optional<String> requestId, boolean executed, int status, String log) {
        /** The receiver did it and said so; what it did but called an error, nobody could know of. */
        boolean isConfirmed() {
            return executed && (status == 0 || status / 100 == 2);
        }
    }

    /**
     * A line of the model's log.
     *
     * @param bodySha256 of the answer, when there was a whole one and the log says so
     * @param at when it was made, if the log says so
     */
    public record Call(String requestId, int status, Optional<String> bodySha256, Optional<Instant> at) {
        /** From a log that does not say when. */
        public Call(String requestId, int status, Optional<String> bodySha256) {
            this(requestId, status, bodySha256, Optional.empty());
        }
    }
}
