package io.hellogpt.once.topology;

import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.Compensation;
import io.hellogpt.once.core.Decision;
import io.hellogpt.once.core.DecisionPolicy;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.JournalRecord;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.OperatorCommand.Verb;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.topology.policy.Billing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A history in which everything happens that can happen to a request, step by step. */
final class RichHistory {
    static final Duration WINDOW = Duration.ofHours(1);

    private static final Duration STASH = Duration.ofMinutes(30);
    private static final BillingPolicy BILLING = new Billing("billing");

    private final List<Consumer<RestartableTask>> steps = new ArrayList<>();

    private RichHistory() {
        duplicatesAndConflicts();
        earlyAnswers();
        callsThatFail();
        waitingForSlots();
        heldAndApproved();
        compensated();
        unknownOutcomes();
        brokenPolicyAndDeadline();
        strangers();
        expiry();
    }

    static List<Consumer<RestartableTask>> steps() {
        return List.copyOf(new RichHistory().steps);
    }

    static TopologyRig.Setup setup() {
        ProtocolSettings standard = ProtocolSettings.defaults();
        return new TopologyRig.Setup(
                new ProtocolSettings(
                        WINDOW,
                        standard.callTimeout(),
                        standard.calls(),
                        standard.effects(),
                        standard.outcomeTimeout(),
                        Duration.ofMinutes(40),
                        STASH,
                        standard.snapshotMaxBytes()),
                BILLING,
                TopologySettings.defaults(Router.IN_PLACE),
                List.of(new Asking(), new Broken()));
    }

    static String plain(String id) {
        return "{\"request_id\":\"%s\",\"model\":\"m\",\"input\":\"hello\"}".formatted(id);
    }

    static String by(String id, String policy) {
        return "{\"request_id\":\"%s\",\"model\":\"m\",\"input\":\"hello\",\"policy\":\"%s\"}".formatted(id, policy);
    }

    /** Two effects side by side that can be undone, and a third one after them. */
    static String saga(String id) {
        return """
                {"request_id":"%s","model":"m","input":"hello","policy":"declared","effects":[
                 {"name":"book","route":"book","stage":0,"payload":{},"compensation":{"route":"unbook","payload":{}}},
                 {"name":"pay","route":"pay","stage":0,"payload":{},"compensation":{"route":"repay","payload":{}}},
                 {"name":"tell","route":"tell","stage":1,"payload":{}}]}""".formatted(id);
    }

    private void step(Consumer<RestartableTask> step) {
        steps.add(step);
    }

    private void request(String json) {
        step(task -> task.request(json, Duration.ZERO));
    }

    private void answer(String id) {
        step(task -> task.answer(id, "{\"text\":\"for " + id + "\"}"));
    }

    private void outcome(String effectId, int attempt, Result result) {
        step(task -> task.outcome(effectId, attempt, result));
    }

    private void advance(Duration time) {
        lookAfter(task -> task.advance(time));
    }

    /** With the look that finds what it made due: a task that starts looks at once, one that runs at the next look. */
    private void lookAfter(Consumer<RestartableTask> step) {
        step(step.andThen(task -> task.advance(Duration.ofMillis(50))));
    }

    private void slots(int free) {
        lookAfter(task -> task.slots(free));
    }

    private void command(String id, Verb verb) {
        step(task -> task.command(id, verb, Optional.empty()));
    }

    private void duplicatesAndConflicts() {
        request(plain("r-1"));
        request(plain("r-1"));
        answer("r-1");
        request(plain("r-1"));
        request(plain("r-1").replace("hello", "other"));
        outcome("r-1:0.0", 1, Result.SUCCEEDED);
        request(plain("r-1"));
        request(plain("r-1").replace("hello", "other"));
        step(task -> task.journal(TopologyRig.answered("r-1", 2, "{\"text\":\"late\"}")));
        step(task -> task.rerouted(plain("r-2"), Duration.ofSeconds(1)));
        answer("r-2");
        outcome("r-2:0.0", 1, Result.RETRYABLE);
        advance(Duration.ofSeconds(2));
        outcome("r-2:0.0", 2, Result.SUCCEEDED);
    }

    private void earlyAnswers() {
        step(task -> task.journal(TopologyRig.answered("early-1", 1, "{\"text\":\"early\"}")));
        step(task -> task.journal(TopologyRig.answered("early-2", 1, "{\"text\":\"never asked for\"}")));
        request(plain("early-1"));
        outcome("early-1:0.0", 1, Result.SUCCEEDED);
    }

    private void callsThatFail() {
        request(plain("retry-1"));
        step(task -> task.fail("retry-1", CallError.Kind.RETRYABLE));
        advance(Duration.ofSeconds(1));
        answer("retry-1");
        outcome("retry-1:0.0", 1, Result.SUCCEEDED);
        request(plain("refused-1"));
        step(task -> task.fail("refused-1", CallError.Kind.REJECTED));
        request(plain("refused-1"));
    }

    private void waitingForSlots() {
        slots(0);
        request(plain("wait-1"));
        request(plain("wait-2"));
        slots(1);
        slots(100);
        answer("wait-1");
        command("wait-2", Verb.CANCEL);
        outcome("wait-1:0.0", 1, Result.SUCCEEDED);
    }

    private void heldAndApproved() {
        request(by("held-1", "asking"));
        request(by("held-2", "asking"));
        answer("held-1");
        answer("held-2");
        outcome("held-1:0.0", 1, Result.SUCCEEDED);
        advance(Duration.ofMinutes(41));
        command("held-1", Verb.APPROVE);
        command("held-1", Verb.APPROVE);
        outcome("held-1:0.1", 1, Result.SUCCEEDED);
        command("held-2", Verb.REJECT);
        outcome("held-2:0.0", 1, Result.SUCCEEDED);
    }

    private void compensated() {
        request(saga("saga-1"));
        answer("saga-1");
        outcome("saga-1:0.0", 1, Result.SUCCEEDED);
        outcome("saga-1:0.1", 1, Result.SUCCEEDED);
        outcome("saga-1:0.2", 1, Result.FAILED);
        outcome("saga-1:0.1:undo", 1, Result.RETRYABLE);
        advance(Duration.ofSeconds(1));
        outcome("saga-1:0.1:undo", 2, Result.SUCCEEDED);
        request(saga("saga-2"));
        answer("saga-2");
        outcome("saga-2:0.0", 1, Result.SUCCEEDED);
        outcome("saga-2:0.2", 1, Result.SUCCEEDED);
        outcome("saga-2:0.1", 1, Result.SUCCEEDED);
        outcome("saga-2:0.3", 1, Result.SUCCEEDED);
    }

    private void unknownOutcomes() {
        request(saga("doubt-1"));
        answer("doubt-1");
        outcome("doubt-1:0.0", 1, Result.SUCCEEDED);
        outcome("doubt-1:0.1", 1, Result.UNKNOWN);
        outcome("doubt-1:0.2", 1, Result.SUCCEEDED);
        step(task -> task.command("doubt-1", Verb.RESOLVE_SUCCEEDED, Optional.of("doubt-1:0.1")));
        // Nobody answers for the third effect: it is issued again when its outcome is overdue.
        advance(Duration.ofMinutes(11));
        outcome("doubt-1:0.3", 1, Result.SUCCEEDED);
    }

    private void brokenPolicyAndDeadline() {
        request(by("broken-1", "broken"));
        answer("broken-1");
        command("broken-1", Verb.RETRY);
        command("broken-1", Verb.CANCEL);
        outcome("broken-1:0.0", 1, Result.SUCCEEDED);
        step(task -> task.request(
                plain("dead-1").replace("}", ",\"deadline\":\"" + task.now().plusSeconds(30) + "\"}"), Duration.ZERO));
        advance(Duration.ofSeconds(31));
        answer("dead-1");
    }

    private void strangers() {
        request("no request");
        step(task -> task.raw(Topics.MODEL_RESPONSES, new byte[] {1, 2, 3}));
        step(task -> task.raw(Topics.EFFECT_OUTCOMES, new byte[] {4}));
        step(task -> task.raw(Topics.COMMANDS, new byte[] {5}));
        step(task -> task.raw(Topics.REQUESTS_REROUTED, new byte[] {6}));
        command("nobody", Verb.CANCEL);
        command("r-1", Verb.REJECT);
        outcome("nobody:0.1", 1, Result.SUCCEEDED);
        outcome("r-1:0.7", 1, Result.SUCCEEDED);
    }

    private void expiry() {
        request(plain("open-1"));
        step(task -> task.request(plain("later-1"), WINDOW.multipliedBy(4)));
        advance(Duration.ofMillis(50));
        answer("later-1");
        step(task -> task.request(
                plain("r-1").replace("}", ",\"created_at\":\"2026-01-01T00:00:00Z\"}"), WINDOW.multipliedBy(4)));
        step(task -> task.request(plain("r-2"), WINDOW.multipliedBy(4)));
        advance(WINDOW.multipliedBy(4));
        answer("r-2");
        answer("open-1");
        outcome("open-1:0.0", 1, Result.SUCCEEDED);
    }

    static JournalRecord failed(String id, int attempt, CallError.Kind kind) {
        return failed(id, attempt, kind, TopologyRig.START);
    }

    static JournalRecord failed(String id, int attempt, CallError.Kind kind, Instant receivedAt) {
        return new JournalRecord.CallFailed(
                new RequestId(id),
                0,
                attempt,
                receivedAt,
                new CallError(kind, "a test", Optional.empty()),
                TopologyRig.START);
    }

    /** A decision that needs a person. */
    record Asking() implements DecisionPolicy {
        @Override
        public String name() {
            return "asking";
        }

        @Override
        public Decision decide(ModelRequest request, Snapshot snapshot) {
            return new Decision.Hold(
                    "a person must agree",
                    List.of(new Decision.PlannedEffect(
                            "sign", "sign", 0, "{}", Optional.of(new Compensation("unsign", "{}")), false)));
        }
    }

    /** A policy with a defect. */
    record Broken() implements DecisionPolicy {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public Decision decide(ModelRequest request, Snapshot snapshot) {
            throw new IllegalStateException("a defect");
        }
    }
}
