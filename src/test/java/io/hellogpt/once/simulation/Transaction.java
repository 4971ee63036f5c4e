package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.simulation.Topics.Input;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the task has read and written since its last commit: all of it becomes visible, or none of it happened. */
final class Transaction {
    private final Protocol protocol;
    private final Topics topics;
    private final Stores stores;
    private final Invariants invariants;
    private final List<Seen> seen = new ArrayList<>();
    private int[] positions = new int[Input.values().length];
    private int[] committedPositions = positions.clone();
    private Instant streamTime = Instant.EPOCH;
    private Instant committedStreamTime = streamTime;
    private int journalAtCommit;

    Transaction(Protocol protocol, Topics topics, Stores stores, Invariants invariants) {
        this.protocol = protocol;
        this.topics = topics;
        this.stores = stores;
        this.invariants = invariants;
    }

    boolean hasUnread(Input input) {
        return positions[input.ordinal()] < topics.end(input);
    }

    int position(Input input) {
        return positions[input.ordinal()];
    }

    /** The offset of the next record, which is consumed. */
    int next(Input input) {
        return positions[input.ordinal()]++;
    }

    void see(Seen next) {
        seen.add(next);
    }

    /** How many records it has read, and timers it has fired. */
    long inputs() {
        return seen.stream().filter(each -> !(each instanceof Seen.Produced)).count();
    }

    Instant streamTime() {
        return streamTime;
    }

    void passStreamTime(Instant time) {
        streamTime = time.isAfter(streamTime) ? time : streamTime;
    }

    boolean isOpen() {
        return !seen.isEmpty() || !Arrays.equals(positions, committedPositions) || stores.isDirty();
    }

    void commit() {
        stores.commit();
        stores.check();
        committedPositions = positions.clone();
        committedStreamTime = streamTime;
        journalAtCommit = topics.journal.size();
        publishEffects();
        for (Seen each : seen) {
            if (each instanceof Seen.Rerouted(Sent sent) && protocol.reroutes()) {
                topics.rerouted.add(sent);
            }
        }
        invariants.committed(seen);
        seen.clear();
    }

    private void publishEffects() {
        for (Seen each : seen) {
            if (each instanceof Seen.Produced(Fact.IssueEffect(Effect effect))) {
                topics.effects.add(effect);
            }
        }
    }

    void rollBack() {
        if (!protocol.effectsAreReadCommitted()) {
            publishEffects();
        }
        if (protocol.abortUndoesStores()) {
            stores.abort();
        } else {
            stores.commit();
        }
        if (protocol.abortUndoesOffsets()) {
            positions = committedPositions.clone();
            streamTime = committedStreamTime;
        } else {
            committedPositions = positions.clone();
            committedStreamTime = streamTime;
        }
        if (!protocol.journalOutlivesAbort()) {
            dropJournalSinceCommit();
        }
        invariants.aborted(seen);
        seen.clear();
    }

    private void dropJournalSinceCommit() {
        List<JournalRecord> rest = topics.journal.subList(journalAtCommit, topics.journal.size());
        rest.removeIf(JournalRecord.CallResult.class::isInstance);
        positions[Input.JOURNAL.ordinal()] = Math.min(position(Input.JOURNAL), topics.journal.size());
    }

    /** Everything here, for telling two worlds apart. */
    List<Object> contents() {
        return List.of(
                Arrays.stream(positions).boxed().toList(),
                Arrays.stream(committedPositions).boxed().toList(),
                List.copyOf(seen),
                streamTime,
                committedStreamTime);
    }
}
