package io.hellogpt.once.api;

import java.util.List;
import java.util.Map;

/**
 * How an instance is.
 *
 * @param live false when only a restart helps
 * @param ready whether requests it owns are worked on right now
 * @param state the process's state
 * @param reasons why it is not ready, for people: what is wrong, since when, what to do
 * @param details what else is known, by name
 */
public record Health(boolean live, boolean ready, String state, List<String> reasons, Map<String, Object> details) {
    public Health {
        reasons = List.copyOf(reasons);
        details = Map.copyOf(details);
    }
}
