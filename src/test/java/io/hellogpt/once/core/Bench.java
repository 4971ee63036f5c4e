package io.hellogpt.once.core;

import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Generate.Generation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One request and the stage functions, driven by hand. */
final class Bench implements StoreView {
    static final RequestId ID = new RequestId("r-1");
    static final Instant START = Instant.ofEpochSecond(1_800_000_000);
    static final Fingerprint FINGERPRINT = new Fingerprint("f");
    static final Duration RETENTION = Duration.ofHours(2);
    static final int ATTEMPTS = 3;
    static final ProtocolSettings SETTINGS = new ProtocolSettings(
            RETENTION,
            Duration.ofMinutes(1),
            new RetryPolicy(Duration.ofMillis(500), Duration.ofSeconds(10), 5, Optional.of(Duration.ofMinutes(3))),
            new RetryPolicy(Duration.ofMillis(500), Duration.ofSeconds(10), ATTEMPTS),
            Duration.ofMinutes(2),
            Duration.ofMinutes(10),
            Duration.ofMinutes(30),
            100);

    final Generate generate = new Generate(SETTINGS);
    final Commit commit = new Commit(SETTINGS);
    private final Acknowledge acknowledge;
    private final Operate operate;
    private final Map<RequestId, RequestState> states = new HashMap<>();
    private final Map<RequestId, Snapshot> snapshots = new HashMap<>();
    private final Map<RequestId, EarlyResponse> early = new HashMap<>();
    private Decision decision = new Decision.Proceed("proceed", List.of());
    private boolean broken;
    private int commands;
    Instant now = START;
    List<Fact> facts = List.of();

    Bench() {
        DecisionPolicy policy = new DecisionPolicy() {
            @Override
            public String name() {
                return "bench";
            }

            @Override
            public Decision decide(ModelRequest request, Snapshot snapshot) {
                if (broken) {
                    throw new IllegalStateException("broken policy");
                }
                return decision;
            }
        };
        acknowledge = new Acknowledge(
                SETTINGS,
                name -> Optional.of(policy),
                snapshot -> Optional.of(new PlannedEffect("billing", "ledger", 0, "{}", Optional.empty(), false)));
        operate = new Operate(SETTINGS, acknowledge, commit);
    }

    Bench deciding(Decision next) {
        decision = next;
        return this;
    }

    Bench proceedingWith(PlannedEffect... effects) {
        return deciding(new Decision.Proceed("proceed", List.of(effects)));
    }

    Bench withBrokenPolicy(boolean on) {
        broken = on;
        return this;
    }

    @Override
    public Optional<RequestState> state(RequestId id) {
        return Optional.ofNullable(states.get(id));
    }

    @Override
    public Optional<Snapshot> snapshot(RequestId id) {
        return Optional.ofNullable(snapshots.get(id));
    }

    @Override
    public Optional<EarlyResponse> early(RequestId id) {
        return Optional.ofNullable(early.get(id));
    }

    RequestState state() {
        return states.get(ID);
    }

    Held held() {
        return (Held) state();
    }

    Moment moment() {
        return new Moment(now, now);
    }

    Bench after(Duration time) {
        now = now.plus(time);
        return this;
    }

    Bench apply(List<Fact> decided) {
        facts = decided;
        for (Fact fact : decided) {
            switch (fact) {
                case Fact.Save(var previous, RequestState next) -> states.put(next.id(), next);
                case Fact.RecordSnapshot(Snapshot snapshot) -> snapshots.put(snapshot.id(), snapshot);
                case Fact.Stash(EarlyResponse response) -> early.put(response.id(), response);
                case Fact.Unstash(EarlyResponse response) -> early.remove(response.id());
                default -> {}
            }
        }
        return this;
    }

    Bench put(RequestState state) {
        states.put(state.id(), state);
        return this;
    }

    Pending pending(Instant receivedAt, Fingerprint fingerprint) {
        ModelRequest request =
                new ModelRequest(ID, "m", "[]", "{}", "bench", List.of(), Optional.empty(), Optional.empty(), Map.of());
        return new Pending(
                Identity.of(
                        new ReceivedRequest(request, fingerprint, new SourcePosition("requests", 0, 1), receivedAt)),
                request,
                CallHistory.NONE,
                receivedAt);
    }

    Bench arrive() {
        return arrive(pending(START, FINGERPRINT));
    }

    Bench arrive(Pending pending) {
        return apply(generate.arrive(this, pending, moment()));
    }

    Bench dispatch() {
        return apply(generate.dispatch((Pending) state(), false, "jvm", moment()));
    }

    Bench generating() {
        return apply(generate.enqueue(pending(START, FINGERPRINT), moment())).dispatch();
    }

    private Bench apply(Generation generation) {
        return switch (generation) {
            case Generation.Settled(List<Fact> settled) -> apply(settled);
            case Generation.Ready ready -> {
                List<Fact> all = new ArrayList<>(ready.before());
                all.addAll(generate.enqueue(ready.state(), moment()));
                yield apply(all);
            }
            case Generation.FirstAnswer answer -> apply(commit.settle(this, acknowledge.decide(answer, moment())));
        };
    }

    Bench result(JournalRecord.CallResult result) {
        return apply(generate.onResult(this, result, moment()));
    }

    /** A request whose call fails, and is made again when it is due. */
    Bench failCall(CallError.Kind kind, Optional<Duration> retryAfter) {
        int attempt = ((Generating) state()).attempt();
        return result(new JournalRecord.CallFailed(
                ID, 0, attempt, Samples.life(), new CallError(kind, "failed", retryAfter), now));
    }

    Bench acknowledged() {
        return generating().result(Samples.answer(Samples.life(), "a"));
    }

    Bench outcome(String effect, int attempt, Result result) {
        return outcome(effect, attempt, result, false);
    }

    Bench outcome(String effect, int attempt, Result result, boolean inDoubt) {
        return apply(commit.onOutcome(
                this,
                new EffectOutcome(
                        EffectId.parse(ID + ":" + effect),
                        attempt,
                        result,
                        "said",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        now,
                        START,
                        inDoubt),
                moment()));
    }

    Bench callback(String effect, Result result, String callbackId) {
        return callback(effect, result, callbackId, START);
    }

    Bench callback(String effect, Result result, String callbackId, Instant requestReceivedAt) {
        return apply(commit.onOutcome(
                this,
                EffectOutcome.callback(
                        EffectId.parse(ID + ":" + effect),
                        result,
                        "called back",
                        Optional.empty(),
                        callbackId,
                        now,
                        requestReceivedAt),
                moment()));
    }

    /** Whatever of the plan is due next is due now. */
    Bench fireEffects() {
        now = state().plan().nextDue().orElseThrow();
        return apply(commit.onEffectTimer(this, (RequestState.Open) state(), moment()));
    }

    /** What is due of one effect is due now. */
    Bench fireEffectsOf(String effect) {
        EffectId id = EffectId.parse(ID + ":" + effect);
        EffectStep step = state().plan().step(id.step()).orElseThrow();
        now = step.progressOf(id).flatMap(Progress::dueAt).orElseThrow();
        return apply(commit.onEffectTimer(this, (RequestState.Open) state(), moment()));
    }

    Bench command(OperatorCommand.Verb verb, String effect) {
        return command("command-" + commands++, verb, effect);
    }

    Bench command(String commandId, OperatorCommand.Verb verb, String effect) {
        return apply(operate.onCommand(
                this,
                new OperatorCommand(
                        commandId,
                        ID,
                        verb,
                        effect.isEmpty() ? Optional.empty() : Optional.of(EffectId.parse(ID + ":" + effect)),
                        "ann",
                        "because",
                        now),
                moment()));
    }

    Progress progress(int step) {
        return state().plan().step(step).orElseThrow().forward();
    }

    List<Effect> issued() {
        return facts.stream()
                .filter(Fact.IssueEffect.class::isInstance)
                .map(fact -> ((Fact.IssueEffect) fact).effect())
                .toList();
    }

    List<LifecycleEvent> logged(LifecycleEvent.Type type) {
        return facts.stream()
                .filter(Fact.Log.class::isInstance)
                .map(fact -> ((Fact.Log) fact).event())
                .filter(event -> event.type() == type)
                .toList();
    }

    List<Fact.Ignore.Reason> ignored() {
        return facts.stream()
                .filter(Fact.Ignore.class::isInstance)
                .map(fact -> ((Fact.Ignore) fact).reason())
                .toList();
    }
}
