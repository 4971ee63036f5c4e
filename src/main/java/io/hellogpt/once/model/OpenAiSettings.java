package io.hellogpt.once.model;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How to reach a server that speaks the chat completions protocol, and what to send when a request does not say.
 * The keys stand under {@code model.openai.}, as {@code model.openai.base.url}.
 *
 * @param baseUrl {@code base.url}, up to and without {@code /chat/completions}, usually ending in {@code /v1}
 * @param apiKeyFile {@code api.key.file}; read before every call, so that a renewed key works without a restart
 * @param apiKeyEnv {@code api.key.env}, the name of an environment variable; used when there is no file
 * @param provider {@code provider}, recorded with each answer; the host of {@code base.url} by default
 * @param defaults {@code model}, {@code temperature}, {@code seed}, {@code max.tokens}
 * @param connectTimeout {@code connect.timeout.ms}
 */
record OpenAiSettings(
        URI baseUrl,
        Optional<Path> apiKeyFile,
        Optional<String> apiKeyEnv,
        String provider,
        Defaults defaults,
        Duration connectTimeout) {

    /** Sent where the request itself names no value. */
    record Defaults(
            Optional<String> model, Optional<Double> temperature, Optional<Long> seed, Optional<Long> maxTokens) {}

    static OpenAiSettings of(ClientConfig config) {
        URI baseUrl =
                baseUrl(config.required("base.url", "the address of the model server, for example https://host/v1"));
        return new OpenAiSettings(
                baseUrl,
                config.text("api.key.file").map(Path::of),
                config.text("api.key.env"),
                config.text("provider").orElse(baseUrl.getHost()),
                new Defaults(
                        config.text("model"),
                        config.number("temperature"),
                        config.whole("seed"),
                        config.whole("max.tokens")),
                Duration.ofMillis(config.whole("connect.timeout.ms").orElse(10_000L)));
    }

    private static URI baseUrl(String value) {
        try {
            URI uri = URI.create(value.endsWith("/") ? value.substring(0, value.length() - 1) : value);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
            throw new IllegalArgumentException("no http or https address");
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "model.openai.base.url is not an http or https address such as https://host/v1", invalid);
        }
    }

    URI completions() {
        return URI.create(baseUrl + "/chat/completions");
    }

    boolean secure() {
        return "https".equals(baseUrl.getScheme());
    }
}
