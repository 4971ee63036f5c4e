package io.hellogpt.once.bench;

import io.hellogpt.once.core.Acknowledge;
import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.BillingPolicy;
import io.hellogpt.once.core.Commit;
import io.hellogpt.once.core.Cost;
import io.hellogpt.once.core.EarlyResponse;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome;
import io.hellogpt.once.core.EffectOutcome.Result;
import io.hellogpt.once.core.Fact;
import io.hellogpt.once.core.Generate;
import io.hellogpt.once.core.Generate.Generation;
import io.hellogpt.once.core.JournalRecord.Answered;
import io.hellogpt.once.core.Life;
import io.hellogpt.once.core.ModelRequest;
import io.hellogpt.once.core.Moment;
import io.hellogpt.once.core.ProtocolSettings;
import io.hellogpt.once.core.Receive;
import io.hellogpt.once.core.Receive.Reception;
import io.hellogpt.once.core.ReceivedRequest;
import io.hellogpt.once.core.RequestId;
import io.hellogpt.once.core.RequestState;
import io.hellogpt.once.core.Snapshot;
import io.hellogpt.once.core.SourcePosition;
import io.hellogpt.once.core.StoreView;
import io.hellogpt.once.core.Usage;
import io.hellogpt.once.schema.CanonicalForm;
import io.hellogpt.once.topology.policy.Declared;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The straight path of one request with one declared effect through the four stage functions, with nothing around them: received,
 * dispatched, answered, decided, its effect carried out, committed.
 */
final class Walk implements StoreView {
    static final RequestId ID = new RequestId("contract-3f2c8a50-1d2e-4c3a-9a54-2f6a1d9be001");

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.123Z");
    private static final Moment MOMENT = new Moment(NOW, NOW);
    private static final ProtocolSettings SETTINGS = ProtocolSettings.defaults();
    private static final Receive RECEIVE = new Receive(SETTINGS, "declared"::equals);
    private static final Generate GENERATE = new Generate(SETTINGS);
    private static final Acknowledge ACKNOWLEDGE =
            new Acknowledge(SETTINGS, name -> Optional.of(new Declared()), BillingPolicy.NONE);
    private static final Commit COMMIT = new Commit(SETTINGS);

    private final List<RequestState> saved = new ArrayList<>();
    private Optional<RequestState> state = Optional.empty();
    private Optional<Snapshot> snapshot = Optional.empty();
    private Optional<Effect> issued = Optional.empty();

    /** A request as {@code requests} holds it, with an effect that takes a part of the answer. */
    static ModelRequest request() {
        return new ModelRequest(
                ID,
                "small-1",
                "[{\"content\":\"Read the attached purchase order and draft the contract it calls for.\",\"role\":\"user\"}]",
                "{\"max_tokens\":100,\"temperature\":0}",
                "declared",
                List.of(new ModelRequest.EffectTemplate(
                        "sign",
                        "signatures",
                        0,
                        "{\"signer\":\"legal@example.com\"}",
                        Map.of("/document", "/choices/0/message/content"),
                        Optional.empty(),
                        false)),
                Optional.of(NOW),
                Optional.empty(),
                Map.of("tenant", "north"));
    }

    static ReceivedRequest received() {
        ModelRequest request = request();
        return new ReceivedRequest(
                request, CanonicalForm.fingerprint(request), new SourcePosition("requests", 3, 1_234_567L), NOW);
    }

    /** The journal's record of an answer with about 600 bytes of text. */
    static Answered answered(ReceivedRequest received) {
        String text = "The parties agree on what follows. ".repeat(17);
        String body = """
                {"id":"call-9","object":"chat.completion","model":"small-1-2026","choices":[{"index":0,"message":\
                {"role":"assistant","content":"%s"},"finish_reason":"stop"}],"usage":{"prompt_tokens":12,\
                "completion_tokens":100,"total_tokens":112}}""".formatted(text);
        Answer answer = new Answer(
                body.getBytes(StandardCharsets.UTF_8),
                "application/json",
                "cd".repeat(32),
                "simulated",
                "small-1-2026",
                "{\"max_tokens\":100,\"temperature\":0}",
                new Usage(12, 100),
                new Cost(56_789L, "EUR", "2026-01"),
                Optional.of("call-9"),
                NOW,
                NOW);
        Life life = new Life(received.receivedAt(), Optional.of(received.fingerprint()));
        return new Answered(ID, 0, 1, life, answer);
    }

    /** Walks all of it; returns every state that was saved, in order. */
    static List<RequestState> of(ReceivedRequest received, Answered answered) {
        Walk walk = new Walk();
        if (!(RECEIVE.receive(walk, received, MOMENT) instanceof Reception.Accepted accepted)
                || !(GENERATE.arrive(walk, accepted.state(), MOMENT) instanceof Generation.Ready ready)) {
            throw new IllegalStateException("the request was not accepted");
        }
        walk.apply(GENERATE.dispatch(ready.state(), true, "instance-1", MOMENT));
        if (!(GENERATE.onResult(walk, answered, MOMENT) instanceof Generation.FirstAnswer first)) {
            throw new IllegalStateException("the answer was not taken");
        }
        walk.apply(COMMIT.settle(walk, ACKNOWLEDGE.decide(first, MOMENT)));
        walk.apply(COMMIT.onOutcome(walk, succeeded(walk.issued.orElseThrow()), MOMENT));
        return walk.saved;
    }

    private static EffectOutcome succeeded(Effect effect) {
        return new EffectOutcome(
                effect.id(),
                effect.attempt(),
                Result.SUCCEEDED,
                "HTTP 201",
                Optional.of("envelope-77"),
                Optional.empty(),
                Optional.empty(),
                NOW,
                effect.requestReceivedAt(),
                false);
    }

    private void apply(List<Fact> facts) {
        for (Fact fact : facts) {
            if (fact instanceof Fact.Save save) {
                state = Optional.of(save.next());
                saved.add(save.next());
            } else if (fact instanceof Fact.RecordSnapshot record) {
                snapshot = Optional.of(record.snapshot());
            } else if (fact instanceof Fact.IssueEffect issue) {
                issued = Optional.of(issue.effect());
            }
        }
    }

    @Override
    public Optional<RequestState> state(RequestId id) {
        return state;
    }

    @Override
    public Optional<Snapshot> snapshot(RequestId id) {
        return snapshot;
    }

    @Override
    public Optional<EarlyResponse> early(RequestId id) {
        return Optional.empty();
    }
}
