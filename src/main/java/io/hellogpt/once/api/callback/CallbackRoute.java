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
 * @param effectId where the body names the effect; empty when it does not, and the signature of one callback would fit another effect of
 *     the route while it is fresh
 * @param result where it says what became of the effect; {@code succeeded}, {@code failed} and {@code ignored} are the words for it
 */
record CallbackRoute(
        List<Secret> secrets,
        Optional<JsonPointer> effectId,
        JsonPointer result,
        Words words,
        JsonPointer reference,
        JsonPointer detail) {
    private static final String NONE = "none";

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
        String effect = settings.getOrDefault("effect.id", "/effect_id");
        return new CallbackRoute(
                words(settings, "secrets", "", "\\s+").map(Secret::of).toList(),
                effect.equals(NONE) ? Optional.empty() : Optional.of(JsonPointer.compile(effect)),
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
            "result",
            "result.succeeded",
            "result.failed",
            "result.ignored",
            "reference",
            "detail");

    private static Set<String> set(Map<String, String> settings, String name, String standard) {
        return words(settings, name, standard, ",").collect(Collectors.toUnmodifiableSet());
    }

    private static Stream<String> words(Map<String, String> settings, String name, String standard, String separator) {
        return Arrays.stream(settings.getOrDefault(name, standard).split(separator))
                .map(String::strip)
                .filter(word -> !word.isEmpty());
    }
}
