package io.hellogpt.once.api.callback;

import com.fasterxml.jackson.core.JsonPointer;
import io.hellogpt.once.api.callback.Signature.Secret;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How one route's receiver calls back: what it signs with and where its body says what.
 *
 * @param about where the body says what it is about
 * @param result where it says what became of the effect; {@code succeeded}, {@code failed} and {@code ignored} are the words for it
 */
record CallbackRoute(
        List<Secret> secrets, About about, JsonPointer result, Words words, JsonPointer reference, JsonPointer detail) {
    private static final String NONE = "none";

    /**
     * What a body is about.
     *
     * @param effectId where it names the effect; empty when it does not, and the signature of one callback would fit another effect of the
     *     route while it is fresh
     * @param receivedAt where it says when the effect's request was received, if it does; empty when it never does
     */
    record About(Optional<JsonPointer> effectId, Optional<JsonPointer> receivedAt) {}

    /** @param ignored events that say nothing of the end, such as progress */
    record Words(Set<String> succeeded, Set<String> failed, Set<String> ignored) {}

    /**
     * Reads what the file says of one route.
     *
     * @param settings without the route's name in front
     * @throws IllegalArgumentException naming the setting
     */
    static CallbackRoute of(String route, Map<String, String> settings) {
        Set<String> unknown =
                settings.keySet().stream().filter(name -> !NAMES.contains(name)).collect(Collectors.toSet());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "callbacks of route " + route + ": there is no " + unknown + "; known are " + NAMES);
        }
        if (settings.getOrDefault("secrets", "").isBlank()) {
            throw new IllegalArgumentException("callbacks of route " + route + ": secrets is missing");
        }
        return new CallbackRoute(
                words(settings, "secrets", "", "\\s+").map(Secret::of).toList(),
                new About(
                        optional(settings.getOrDefault("effect.id", "/effect_id")),
                        optional(settings.getOrDefault("received.at", "/received_at"))),
                JsonPointer.compile(settings.getOrDefault("result", "/result")),
                new Words(
                        set(settings, "result.succeeded", "succeeded"),
                        set(settings, "result.failed", "failed"),
                        set(settings, "result.ignored", "")),
                JsonPointer.compile(settings.getOrDefault("reference", "/reference")),
                JsonPointer.compile(settings.getOrDefault("detail", "/detail")));
    }

    private static final Set<String> NAMES = Set.of(
            "secrets",
            "effect.id",
            "received.at",
            "result",
            "result.succeeded",
            "result.failed",
            "result.ignored",
            "reference",
            "detail");

    private static Optional<JsonPointer> optional(String pointer) {
        return pointer.equals(NONE) ? Optional.empty() : Optional.of(JsonPointer.compile(pointer));
    }

    private static Set<String> set(Map<String, String> settings, String name, String standard) {
        return words(settings, name, standard, ",").collect(Collectors.toUnmodifiableSet());
    }

    private static Stream<String> words(Map<String, String> settings, String name, String standard, String separator) {
        return Arrays.stream(settings.getOrDefault(name, standard).split(separator))
                .map(String::strip)
                .filter(word -> !word.isEmpty());
    }
}
