package io.hellogpt.once.model;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * How the model inside the process behaves. The keys stand under {@code model.simulated.}.
 *
 * @param seed {@code seed}: the same request and attempt get the same answer; {@code random} for another one each time, like a
 *     model's. 0 by default
 * @param latencyBase {@code latency.base.ms}, before the first token; 0 by default
 * @param latencyPerTokenMs {@code latency.token.ms}, for each token of the answer; 0 by default
 * @param medianTokens {@code output.tokens.median}; 60 by default
 * @param errors shares of calls that fail
 */
record SimulatedSettings(
        OptionalLong seed, Duration latencyBase, double latencyPerTokenMs, int medianTokens, Errors errors) {
    /**
     * Shares of calls, between 0 and 1, drawn one after the other.
     *
     * @param retryable {@code error.retryable}
     * @param rejected {@code error.rejected}
     * @param unauthorized {@code error.unauthorized}
     */
    record Errors(double retryable, double rejected, double unauthorized) {}

    static SimulatedSettings of(ClientConfig config) {
        OptionalLong seed = config.text("seed").filter("random"::equals).isPresent()
                ? OptionalLong.empty()
                : OptionalLong.of(config.whole("seed").orElse(0L));
        return new SimulatedSettings(
                seed,
                Duration.ofMillis(config.whole("latency.base.ms").orElse(0L)),
                config.number("latency.token.ms").orElse(0.0),
                Math.toIntExact(config.whole("output.tokens.median").orElse(60L)),
                new Errors(
                        config.share("error.retryable"),
                        config.share("error.rejected"),
                        config.share("error.unauthorized")));
    }
}
