package io.hellogpt.once.core;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which strings may be a request_id.
 *
 * @param pattern the whole id must match it
 * @param maxLength longest id in characters
 */
public record RequestIdFormat(Pattern pattern, int maxLength) {
    /** 1 to 128 characters of {@code [A-Za-z0-9._:-]}. */
    public static final RequestIdFormat DEFAULT = new RequestIdFormat(Pattern.compile("[A-Za-z0-9._:-]+"), 128);

    /**
     * Says what is wrong with a candidate.
     *
     * @return the violation in words, or empty when the candidate is a valid id
     */
    public Optional<String> violation(String candidate) {
        if (candidate == null || candidate.isEmpty()) {
            return Optional.of("request_id is missing");
        }
        if (candidate.length() > maxLength) {
            return Optional.of(
                    "request_id has %d characters, at most %d are allowed".formatted(candidate.length(), maxLength));
        }
        return pattern.matcher(candidate).matches()
                ? Optional.empty()
                : Optional.of("request_id does not match " + pattern.pattern());
    }
}
