package io.hellogpt.once.embedded.bench;

import java.util.HashSet;
import java.util.Set;

/** Which ids come more than once. */
final class RepeatedIds {
    private final Set<String> once = new HashSet<>();
    private final Set<String> again = new HashSet<>();

    void add(String id) {
        if (!once.add(id)) {
            again.add(id);
        }
    }

    /** How many ids came more than once, however often. */
    int count() {
        return again.size();
    }
}
