package io.hellogpt.once.model;

import io.hellogpt.once.core.Answer;
import io.hellogpt.once.core.ModelCall;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;

/**
 * Measures calls: {@code once.model.calls} by outcome, with their duration; {@code once.model.tokens} by direction. Neither is
 * tagged by request or by model name, which producers choose.
 */
final class MeteredClient implements ModelClient {
    private final ModelClient client;
    private final MeterRegistry meters;
    private final Counter inputTokens;
    private final Counter outputTokens;

    MeteredClient(ModelClient client, MeterRegistry meters) {
        this.client = client;
        this.meters = meters;
        this.inputTokens = tokens("input");
        this.outputTokens = tokens("output");
    }

    private Counter tokens(String direction) {
        return Counter.builder("once.model.tokens")
                .description("Tokens of answers, as the provider counts them")
                .tag("direction", direction)
                .register(meters);
    }

    @Override
    public Answer complete(ModelCall call) throws ModelCallException, InterruptedException {
        Timer.Sample sample = Timer.start(meters);
        String outcome = "interrupted";
        try {
            Answer answer = client.complete(call);
            outcome = "answered";
            inputTokens.increment(answer.usage().inputTokens());
            outputTokens.increment(answer.usage().outputTokens());
            return answer;
        } catch (ModelCallException failed) {
            outcome = failed.error().kind().name().toLowerCase(Locale.ROOT);
            throw failed;
        } finally {
            sample.stop(Timer.builder("once.model.calls")
                    .description("Model calls and how long they took")
                    .tag("outcome", outcome)
                    .register(meters));
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
