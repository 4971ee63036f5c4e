package io.hellogpt.once.connect.config;

import java.util.List;
import java.util.Locale;

/**
 * Where routes may go, as the platform's owner allows it: host names, or {@code *.} before a domain for everything below it.
 * Without any entry a route may go wherever its own URL says.
 */
record AllowedHosts(List<String> patterns) {
    private static final String BELOW = "*.";

    AllowedHosts {
        patterns = patterns.stream()
                .map(pattern -> pattern.strip().toLowerCase(Locale.ROOT))
                .filter(pattern -> !pattern.isEmpty())
                .toList();
    }

    boolean allow(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return patterns.isEmpty()
                || patterns.stream()
                        .anyMatch(pattern -> pattern.startsWith(BELOW)
                                ? name.endsWith(pattern.substring(1)) && name.length() >= pattern.length()
                                : name.equals(pattern));
    }
}
