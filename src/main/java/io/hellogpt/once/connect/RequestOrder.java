package io.hellogpt.once.connect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which works have to wait for which: those of one request_id go in their order when they are of one route or of one effect, a
 * compensation and its forward effect being one. Guarded by {@link Backlog}'s lock.
 */
final class RequestOrder {
    private final Map<String, List<Work>> byRequest = new HashMap<>();

    /** Takes a work in; true when it waits for none. */
    boolean admit(Work work) {
        List<Work> earlier = byRequest.computeIfAbsent(request(work), absent -> new ArrayList<>(2));
        work.blockers = (int) earlier.stream().filter(work::follows).count();
        earlier.add(work);
        return work.blockers == 0;
    }

    /** Lets a work go; returns those that waited for it and wait for none any more. */
    List<Work> release(Work work) {
        List<Work> same = byRequest.get(request(work));
        int at = same.indexOf(work);
        same.remove(at);
        List<Work> free = new ArrayList<>();
        for (Work later : same.subList(at, same.size())) {
            if (later.follows(work) && --later.blockers == 0) {
                free.add(later);
            }
        }
        if (same.isEmpty()) {
            byRequest.remove(request(work));
        }
        return free;
    }

    private static String request(Work work) {
        return work.effect().id().requestId().value();
    }
}
