package io.hellogpt.once.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.CallError;
import io.hellogpt.once.core.ModelCall;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A model inside the process. Speaks the same format as a real one, so that whatever reads the answer is the same too. */
final class SimulatedClient implements ModelClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final OpenAiSettings.Defaults NO_DEFAULTS =
            new OpenAiSettings.Defaults(Optional.of("simulated"), Optional.empty(), Optional.empty(), Optional.empty());

    private final SimulatedSettings settings;
    private final PriceTable prices;
    private final Clock clock;

    SimulatedClient(SimulatedSettings settings, PriceTable prices, Clock clock) {
        this.settings = settings;
        this.prices = prices;
        this.clock = clock;
    }

    @Override
    public Answer complete(ModelCall call) throws ModelCallException, InterruptedException {
        Instant started = clock.instant();
        RandomGenerator random = random(call);
        fail(random);
        ChatRequest chat = ChatRequest.of(call.request(), NO_DEFAULTS);
        SimulatedCompletion made = made(chat, random);
        Thread.sleep(settings.latencyBase().plusNanos((long)
                (settings.latencyPerTokenMs() * 1_000_000 * made.usage().outputTokens())));
        byte[] body = made.bytes();
        ChatCompletion read = ChatCompletion.parse(body);
        return new Answer(
                body,
                "application/json",
                ChatCompletion.sha256(body),
                "simulated",
                chat.model(),
                chat.parameters(),
                read.usage(),
                prices.cost(List.of(chat.model()), read.usage()),
                read.id(),
                started,
                clock.instant());
    }

    private SimulatedCompletion made(ChatRequest chat, RandomGenerator random) throws ModelCallException {
        try {
            return SimulatedCompletion.of(JSON.readTree(chat.body()), settings.medianTokens(), random);
        } catch (JsonProcessingException invalid) {
            // Not kept as the cause: the parser's message quotes the request.
            throw ModelCallException.of(CallError.Kind.REJECTED, "the request's messages are not valid JSON");
        }
    }

    private RandomGenerator random(ModelCall call) {
        if (settings.seed().isEmpty()) {
            return new SplittableRandom();
        }
        String name = call.id() + ":" + call.turn() + ":" + call.attempt();
        return new SplittableRandom(settings.seed().getAsLong() * 0x9E3779B97F4A7C15L + name.hashCode());
    }

    private void fail(RandomGenerator random) throws ModelCallException {
        if (random.nextDouble() < settings.errors().retryable()) {
            throw ModelCallException.of(CallError.Kind.RETRYABLE, "simulated: the model is overloaded");
        }
        if (random.nextDouble() < settings.errors().rejected()) {
            throw ModelCallException.of(CallError.Kind.REJECTED, "simulated: the model refuses the request");
        }
        if (random.nextDouble() < settings.errors().unauthorized()) {
            throw ModelCallException.of(CallError.Kind.UNAUTHORIZED, "simulated: the key is refused");
        }
    }
}
