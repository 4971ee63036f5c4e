package io.hellogpt.once.replay;

import java.util.List;

/**
 * A request about which the replay decided otherwise, or for which it would do something else.
 *
 * @param recorded the first decision and its reason, then
 * @param replayed the first decision and its reason, now
 * @param effectsBefore name, route and payload of each effect that was issued
 * @param effectsNow name, route and payload of each effect that would be
 */
public record Change(
        String requestId, String recorded, String replayed, List<String> effectsBefore, List<String> effectsNow) {
    public Change {
        effectsBefore = List.copyOf(effectsBefore);
        effectsNow = List.copyOf(effectsNow);
    }
}
