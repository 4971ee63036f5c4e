package io.hellogpt.once.schema;

import io.hellogpt.once.core.Acknowledged;
import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.Attempts;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.CallHistory;
import io.hellogpt.once.core.CallInFlight;
import io.hellogpt.once.core.Committed;
import io.hellogpt.once.core.Compensating;
import io.hellogpt.once.core.Compensation;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.Decision.PlannedEffect;
import io.hellogpt.once.core.EffectPlan;
import io.hellogpt.once.core.EffectStep;
import io.hellogpt.once.core.Failed;
import io.hellogpt.once.core.Failure;
import io.hellogpt.once.core.Fingerprint;
import io.hellogpt.once.core.Generating;
import io.hellogpt.once.core.Held;
import io.hellogpt.once.core.Hold;
import io.hellogpt.once.core.Identity;
import io.hellogpt.once.core.Life;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.ModelRequest.EffectTemplate;
import io.hellogpt.once.core.Pending;
import io.hellogpt.once.core.Progress;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.TraceContext;
import io.hellogpt.once.core.Usage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** One value of every type that goes through a codec. */
final class Examples {
    static final Instant T0 = Instant.parse("2026-03-01T12:00:00.123Z");
    static final RequestId ID = new RequestId("contract-0191f1c0-7d2e-7c3a-9a54-2f6a1d9be001");
    static final Fingerprint FINGERPRINT = new Fingerprint("ab".repeat(32));
    static final String SHA = "cd".repeat(32);

    static final SourcePosition SOURCE = new SourcePosition("requests", 3, 1_234_567L);

    private Examples() {}

    static Instant at(long seconds) {
        return T0.plusSeconds(seconds);
    }

    static ModelRequest request() {
        return new ModelRequest(
                ID,
                "small-1",
                "[{\"content\":\"Is clause 7 met? \u00e9\",\"role\":\"user\"}]",
                "{\"temperature\":0}",
                "declared",
                List.of(template()),
                Optional.of(at(-5)),
                Optional.of(at(3600)),
                Map.of("tenant", "north", "trace", "a-1"));
    }

    static ModelRequest bareRequest() {
        return new ModelRequest(
                ID,
                "small-1",
                "[{\"content\":\"hi\",\"role\":\"user\"}]",
                "{}",
                "commit-only",
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of());
    }

    static ModelRequest withMessages(String messages) {
        ModelRequest bare = bareRequest();
        return new ModelRequest(
                bare.id(),
                bare.model(),
                messages,
                bare.parameters(),
                bare.policy(),
                bare.effects(),
                bare.createdAt(),
                bare.deadline(),
                bare.metadata());
    }

    static EffectTemplate template() {
        return new EffectTemplate(
                "sign",
                "signatures",
                1,
                "{\"contract\":\"c-1\"}",
                Map.of("/verdict", "/choices/0/message/content", "/who", "/model"),
                Optional.of(new Compensation("signatures", "{\"withdraw\":true}")),
                true);
    }

    static Answer answer(byte[] body) {
        return new Answer(
                body,
                "application/json",
                SHA,
                "simulated",
                "small-1-2026",
                "{\"temperature\":0}",
                new Usage(12, 34),
                new Cost(56_789L, "EUR", "2026-01"),
                Optional.of("call-9"),
                at(1),
                at(2));
    }

    static Answer answer() {
        return answer("{\"choices\":[]}".getBytes(StandardCharsets.UTF_8));
    }

    static Snapshot snapshot() {
        return new Snapshot(ID, 0, 2, answer());
    }

    static CallError error() {
        return new CallError(CallError.Kind.RETRYABLE, "429 from the provider", Optional.of(Duration.ofSeconds(7)));
    }

    static Identity identity() {
        return new Identity(
                ID,
                FINGERPRINT,
                SOURCE,
                T0,
                Optional.of(at(3600)),
                List.of("command-1", "command-2"),
                TraceContext.read(
                        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", Optional.of("congo=t61rcWkgMzE")));
    }

    static Life life() {
        return new Life(T0, Optional.of(FINGERPRINT));
    }

    static Identity identityWithoutDeadline() {
        return new Identity(ID, FINGERPRINT, SOURCE, T0, Optional.empty(), List.of());
    }

    /** Billing settled; one effect in each kind of progress, every second one with a compensation under way. */
    static EffectPlan plan() {
        Stream<EffectStep> steps = Stream.of(Progress.Status.values()).map(status -> {
            int step = status.ordinal();
            boolean even = step % 2 == 0;
            PlannedEffect planned = new PlannedEffect(
                    "effect-" + step,
                    "route-" + step,
                    step / 2,
                    "{\"n\":" + step + "}",
                    even ? Optional.of(new Compensation("undo-" + step, "{}")) : Optional.empty(),
                    step == 3);
            return new EffectStep(
                    step,
                    planned,
                    progress(status, even),
                    even ? Optional.of(progress(status, true)) : Optional.empty());
        });
        return new EffectPlan(steps.toList());
    }

    private static Progress progress(Progress.Status status, boolean full) {
        return full
                ? new Progress(
                        status,
                        new Attempts(3, 1, true, true, true, true),
                        Optional.of(at(60)),
                        Optional.of("said so"),
                        Optional.of("ref-1"),
                        List.of("callback-1", "callback-2"))
                : new Progress(
                        status,
                        new Attempts(0, 0, false, false, false, false),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of());
    }

    /** Every state, with its optional fields there and not there. */
    static Stream<RequestState> states() {
        Failure failure = new Failure(Failure.Reason.EFFECT_FAILED, "effect 2 failed");
        Hold stuck = new Hold(Hold.Reason.COMPENSATION_STUCK, "undo of 2 is stuck", Optional.of(failure));
        Hold approval = new Hold(Hold.Reason.APPROVAL, "over the limit", Optional.empty());
        return Stream.of(
                new Pending(identity(), request(), history(), at(9)),
                new Pending(identityWithoutDeadline(), bareRequest(), noHistory(), T0),
                new Generating(identity(), request(), history(), new CallInFlight(at(1), at(61), "node-1", true)),
                new Generating(
                        identityWithoutDeadline(),
                        bareRequest(),
                        noHistory(),
                        new CallInFlight(at(1), at(61), "n", false)),
                new Acknowledged(identity(), SHA, "declared: 1 effect", plan(), at(3)),
                new Acknowledged(identityWithoutDeadline(), SHA, "", EffectPlan.NONE, at(3)),
                new Held(identity(), approval, Optional.of(request()), SHA, plan(), at(3), at(90)),
                new Held(identity(), stuck, Optional.empty(), SHA, plan(), at(3), at(90)),
                new Compensating(identity(), failure, SHA, plan()),
                committed(),
                new Failed(identity(), failure, Optional.of(SHA), plan(), at(9), at(999)),
                new Failed(identityWithoutDeadline(), failure, Optional.empty(), EffectPlan.NONE, at(9), at(999)));
    }

    private static CallHistory history() {
        return new CallHistory(3, 2, Optional.of(at(1)), Optional.of("503"));
    }

    private static CallHistory noHistory() {
        return new CallHistory(0, 0, Optional.empty(), Optional.empty());
    }

    static Committed committed() {
        return new Committed(identity(), SHA, "declared: 1 effect", plan(), at(9), at(999));
    }
}
