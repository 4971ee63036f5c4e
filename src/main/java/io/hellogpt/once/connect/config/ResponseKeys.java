package io.hellogpt.once.connect.config;

import io.hellogpt.once.connect.config.Responses.Meaning;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Which statuses mean what. */
final class ResponseKeys {
    static final String CALLBACK_TIMEOUT = "callback.timeout.ms";

    private static final Pattern STATUSES = Pattern.compile("([2-5]\\d\\d)(?:-([2-5]\\d\\d))?");

    private ResponseKeys() {}

    static void define(ConfigDef def) {
        KeyGroup group = new KeyGroup(def, "Responses");
        for (Meaning meaning : Meaning.values()) {
            group.standard(
                    meaning.key(),
                    Type.LIST,
                    List.of(meaning.standard().split(",")),
                    null,
                    meaning.doc()
                            + " Statuses and ranges, separated by commas; a status named here is taken out of the set it is in by"
                            + " default.");
        }
        group.optional(
                CALLBACK_TIMEOUT,
                Type.LONG,
                "Set it on a route whose receiver answers 202 and reports the end later: the effect is then AWAITING_CALLBACK for this"
                        + " long, in milliseconds, and UNKNOWN when nothing came. Without it 202 is SUCCEEDED.");
    }

    static Responses read(RouteSettings settings) {
        Map<Integer, Meaning> given = new HashMap<>();
        for (Meaning meaning : Meaning.values()) {
            if (settings.given(meaning.key())) {
                for (int status : statuses(settings, meaning.key())) {
                    Meaning other = given.put(status, meaning);
                    if (other != null) {
                        throw settings.refused(meaning.key(), status + " is in " + other.key() + " as well");
                    }
                }
            }
        }
        Map<Integer, Meaning> all = new HashMap<>(standard().byStatus());
        all.putAll(given);
        return new Responses(all);
    }

    /** How long a callback is awaited; empty when there is none. */
    static Optional<Duration> callback(RouteSettings settings) {
        Optional<Duration> timeout = settings.optionalMillis(CALLBACK_TIMEOUT);
        if (timeout.isPresent() && !timeout.get().isPositive()) {
            throw settings.refused(CALLBACK_TIMEOUT, "must be positive, or left out on a route without callbacks");
        }
        return timeout;
    }

    static Responses standard() {
        Map<Integer, Meaning> all = new HashMap<>();
        for (Meaning meaning : Meaning.values()) {
            for (String text : meaning.standard().split(",")) {
                range(text).orElseThrow().forEach(status -> all.putIfAbsent(status, meaning));
            }
        }
        return new Responses(all);
    }

    /** The statuses a setting lists. */
    static Set<Integer> statuses(RouteSettings settings, String key) {
        return settings.list(key).stream()
                .flatMap(text -> range(text)
                        .orElseThrow(() -> settings.refused(
                                key,
                                "'" + text
                                        + "' is neither a status from 200 to 599 nor a range of them, such as 500-599"))
                        .stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Optional<List<Integer>> range(String text) {
        Matcher matcher = STATUSES.matcher(text.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int first = Integer.parseInt(matcher.group(1));
        int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
        return first > last
                ? Optional.empty()
                : Optional.of(IntStream.rangeClosed(first, last).boxed().toList());
    }
}
