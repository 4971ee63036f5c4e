package io.hellogpt.once.simulation;

import static io.hellogpt.once.simulation.Violation.unless;

import io.hellogpt.once.core.DuplicateRequest;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.LifecycleEvent;
import io.hellogpt.once.core.Rejection;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.SourcePosition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** G1, G5, G6 and the dedup window: every record is accounted for once, every accepted one ends once. */
final class RequestRules {
    private final Duration retention;
    private final Map<RequestId, Life> lives = new LinkedHashMap<>();
    private final Map<Integer, Sent> read = new HashMap<>();
    private final Map<Integer, Sent> consumed = new HashMap<>();
    private final Map<Integer, String> dispositions = new HashMap<>();
    private Instant streamTime = Instant.EPOCH;
    private int endings;

    RequestRules(Duration retention) {
        this.retention = retention;
    }

    Optional<Life> current(RequestId id) {
        return Optional.ofNullable(lives.get(id)).filter(life -> !life.forgotten);
    }

    /** The life a record belongs to; a new one when nothing is known, whose acceptance must be in the same transaction. */
    Life life(RequestId id) {
        return current(id).orElseGet(() -> {
            Life life = new Life();
            Life before = lives.put(id, life);
            if (before != null) {
                life.previousOrigin = before.origin;
            }
            return life;
        });
    }

    /** A record was read, whatever became of the transaction. */
    void read(Sent sent) {
        read.put(sent.offset(), sent);
    }

    Optional<Sent> sentAt(SourcePosition position) {
        return Optional.ofNullable(read.get((int) position.offset()));
    }

    /** A record was consumed in a committed transaction. */
    void consumed(Sent sent) {
        consumed.put(sent.offset(), sent);
        passed(sent);
    }

    void passed(Sent sent) {
        streamTime = sent.appendedAt().isAfter(streamTime) ? sent.appendedAt() : streamTime;
    }

    private Sent consumedAt(SourcePosition position) {
        Sent sent = consumed.get((int) position.offset());
        unless(sent != null, "G5", position, "accounted for but never consumed");
        return sent;
    }

    /** At the end of a transaction. */
    void check(Sent sent) {
        unless(dispositions.containsKey(sent.offset()), "G5", sent, "consumed and not accounted for");
    }

    void check() {
        lives.forEach((id, life) -> unless(life.origin.isPresent(), "G5", id, "went on without being accepted"));
    }

    private void dispose(Sent sent, String disposition) {
        String before = dispositions.put(sent.offset(), disposition);
        unless(before == null, "G5", sent, "is " + before + " and " + disposition);
    }

    void accepted(LifecycleEvent event) {
        Sent sent = consumedAt(event.source());
        unless(sent.id().equals(event.id()), "G5", sent, "accepted under another id");
        Life life = life(event.id());
        unless(life.origin.isEmpty(), "G1", event.id(), "accepted again within the dedup window");
        unless(
                life.previousOrigin
                        .flatMap(previous -> previous.request().createdAt())
                        .isEmpty(),
                "G1",
                event.id(),
                "accepted again although it says how old it is");
        dispose(sent, "accepted");
        life.origin = Optional.of(sent);
    }

    void end(Life life, Fact terminal) {
        unless(life.isOpen(), "G1", terminal, "a second ending");
        life.terminal = Optional.of(terminal);
        life.endedAtStreamTime = streamTime;
        endings++;
    }

    void duplicate(DuplicateRequest duplicate) {
        Sent sent = consumedAt(duplicate.source());
        dispose(sent, "duplicate");
        Life life = current(sent.id()).orElseThrow(() -> new Violation("G5", sent + ": a duplicate of nothing"));
        Sent original = life.origin.orElseThrow();
        unless(original.offset() != sent.offset(), "G5", sent, "a duplicate of itself");
        unless(original.fingerprint().equals(sent.fingerprint()), "G6", sent, "a conflict answered as a duplicate");
        boolean committed = life.terminal.filter(Fact.Commit.class::isInstance).isPresent();
        unless(
                duplicate
                        .result()
                        .map(result -> result.snapshot())
                        .equals(committed ? life.snapshot : Optional.empty()),
                "G1",
                sent,
                "a duplicate was answered with another result than the original's");
    }

    void rejected(Rejection rejection, SourcePosition source) {
        Sent sent = consumedAt(source);
        dispose(sent, "rejected: " + rejection.reason());
        switch (rejection.reason()) {
            case CONFLICT -> conflict(rejection, sent);
            case EXPIRED -> {
                Instant oldest = sent.request().createdAt().orElse(sent.appendedAt());
                unless(!oldest.isAfter(streamTime.minus(retention)), "G5", sent, "refused as too old, which it is not");
            }
            case MALFORMED, INVALID, TOO_LARGE, PROCESSING_ERROR ->
                throw new Violation("G5", sent + ": refused as " + rejection.reason());
        }
    }

    private void conflict(Rejection rejection, Sent sent) {
        Life life = current(sent.id()).orElseThrow(() -> new Violation("G6", sent + ": conflicts with nothing"));
        Sent original = life.origin.orElseThrow();
        unless(!original.fingerprint().equals(sent.fingerprint()), "G6", sent, "the same, and refused");
        unless(
                rejection.fingerprint().equals(Optional.of(sent.fingerprint()))
                        && rejection.knownFingerprint().equals(Optional.of(original.fingerprint())),
                "G6",
                sent,
                "refused without both fingerprints");
    }

    void forget(RequestId id) {
        Life life = current(id).orElseThrow(() -> new Violation("EXPIRY", id + ": forgotten twice"));
        unless(!life.isOpen(), "EXPIRY", id, "forgotten before it ended");
        boolean windowClosed = !life.endedAtStreamTime.plus(retention).isAfter(streamTime);
        unless(windowClosed, "EXPIRY", id, "forgotten within the dedup window");
        life.forgotten = true;
    }

    Optional<Life> lastLife(RequestId id) {
        return Optional.ofNullable(lives.get(id));
    }

    /** Nothing is left to do: everything has ended, everything is accounted for. */
    void atRest(int sent) {
        lives.forEach((id, life) -> unless(!life.isOpen(), "G1", id, "has no ending"));
        unless(dispositions.size() == sent, "G5", sent + " requests", dispositions.size() + " accounted for");
    }

    int endings() {
        return endings;
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        List<Object> all = new ArrayList<>(List.of(Map.copyOf(dispositions)));
        lives.forEach((id, life) -> all.add(List.of(id, life.contents())));
        return all;
    }
}
