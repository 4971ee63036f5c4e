package io.hellogpt.once.simulation;

import io.hellogpt.once.core.Acknowledge;
import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.Commit;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.Expire;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Generate;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.Operate;
import io.hellogpt.once.core.OperatorCommand;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.Receive;
import io.hellogpt.once.core.ReceivedRequest;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.RetryPolicy;
import io.hellogpt.once.core.StoreView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The stage functions as the world calls them, and the rules the processors and the gateway keep around them. The tests' mutations
 * override one method each.
 */
class Protocol {
    /** Small enough that an adversary meets every limit, and in the order of the defaults' sizes. */
    static final ProtocolSettings SETTINGS = new ProtocolSettings(
            Duration.ofHours(2),
            Duration.ofMinutes(1),
            new RetryPolicy(Duration.ofMillis(500), Duration.ofSeconds(10), 3),
            new RetryPolicy(Duration.ofMillis(500), Duration.ofSeconds(10), 3),
            Duration.ofMinutes(2),
            Duration.ofMinutes(10),
            Duration.ofMinutes(30),
            100);

    private final SimulatedPolicy policy = new SimulatedPolicy();
    private final Receive receive;
    private final Generate generate;
    private final Acknowledge acknowledge;
    private final Commit commit;
    private final Operate operate;

    Protocol() {
        this(SETTINGS);
    }

    Protocol(ProtocolSettings settings) {
        receive = new Receive(settings, SimulatedPolicy.NAME::equals);
        generate = new Generate(settings);
        acknowledge = new Acknowledge(settings, name -> Optional.of(decisions(policy)), billing(policy));
        commit = new Commit(settings);
        operate = new Operate(settings, acknowledge, commit);
    }

    final SimulatedPolicy policy() {
        return policy;
    }

    DecisionPolicy decisions(DecisionPolicy installed) {
        return installed;
    }

    BillingPolicy billing(BillingPolicy installed) {
        return installed;
    }

    Receive.Reception receive(StoreView view, ReceivedRequest received, Moment moment) {
        return receive.receive(view, received, moment);
    }

    Generate.Generation arrive(StoreView view, Pending pending, Moment moment) {
        return generate.arrive(view, pending, moment);
    }

    List<Fact> enqueue(Pending pending, Moment moment) {
        return generate.enqueue(pending, moment);
    }

    List<Fact> dispatch(Pending pending, boolean isNew, String caller, Moment moment) {
        return generate.dispatch(pending, isNew, caller, moment);
    }

    Generate.Generation onResult(StoreView view, JournalRecord.CallResult result, Moment moment) {
        return generate.onResult(view, result, moment);
    }

    List<Fact> onHandover(StoreView view, JournalRecord.RunningCall call, String instance, String self, Moment moment) {
        return generate.onHandover(view, call, instance, self, moment);
    }

    List<Fact> onBarrier(Generating generating, String caller, Moment moment) {
        return generate.onBarrier(generating, caller, moment);
    }

    List<Fact> onCallDeadline(Generating generating, Moment moment) {
        return generate.onCallDeadline(generating, moment);
    }

    List<Fact> beforeAnswer(RequestState.Open open, Moment moment) {
        return generate.onRequestDeadline(open, moment);
    }

    List<Fact> decide(StoreView view, Generate.Generation.FirstAnswer answer, Moment moment) {
        return commit.settle(view, acknowledge.decide(answer, moment));
    }

    List<Fact> decideWithoutEffects(StoreView view, Generate.Generation.FirstAnswer answer, Moment moment) {
        return commit.settle(view, acknowledge.withoutEffects(answer, "the decision does not fit", moment));
    }

    List<Fact> onOutcome(StoreView view, EffectOutcome outcome, Moment moment) {
        return commit.onOutcome(view, outcome, moment);
    }

    List<Fact> onEffectTimer(StoreView view, RequestState.Open open, Moment moment) {
        return commit.onEffectTimer(view, open, moment);
    }

    List<Fact> onRequestDeadline(StoreView view, Acknowledged acknowledged, Moment moment) {
        return commit.onRequestDeadline(view, acknowledged, moment);
    }

    List<Fact> onHoldTimer(Held held, Moment moment) {
        return commit.onHoldTimer(held, moment);
    }

    List<Fact> onCommand(StoreView view, OperatorCommand command, Moment moment) {
        return operate.onCommand(view, command, moment);
    }

    List<Fact> onExpiry(Optional<RequestState> state, RequestId id, Moment moment) {
        return Expire.onExpiry(state, id, moment);
    }

    List<Fact> onStashTimer(Optional<EarlyResponse> early, RequestId id, Moment moment) {
        return Expire.onStashTimer(early, id, moment);
    }

    /** Facts about to be applied, after whatever decided them. */
    List<Fact> applied(List<Fact> facts) {
        return facts;
    }

    /** A task that starts dispatches nothing before it has read its barrier. */
    boolean awaitsBarrier() {
        return true;
    }

    /** A new request waits for the barrier like everything else. */
    boolean newRequestsAwaitBarrier() {
        return true;
    }

    /** No call is overdue before the barrier is read. */
    boolean callDeadlinesAwaitBarrier() {
        return true;
    }

    /** A task closed while its process lives journals the calls still running. */
    boolean handsOver() {
        return true;
    }

    /** An aborted transaction takes back the stores' writes. */
    boolean abortUndoesStores() {
        return true;
    }

    /** An aborted transaction takes back the consumed offsets. */
    boolean abortUndoesOffsets() {
        return true;
    }

    /** The journal is written outside the transaction. */
    boolean journalOutlivesAbort() {
        return true;
    }

    /** The outbox is read committed. */
    boolean effectsAreReadCommitted() {
        return true;
    }

    /** What is in the wrong partition is sent on. */
    boolean reroutes() {
        return true;
    }

    /** Timers follow the states. */
    boolean writesTimers() {
        return true;
    }

    /** Timers of states that are gone are deleted. */
    boolean deletesTimers() {
        return true;
    }
}
