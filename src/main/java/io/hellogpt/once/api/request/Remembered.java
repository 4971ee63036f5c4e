package io.hellogpt.once.api.request;

import java.util.LinkedHashMap;
import java.util.Map;

/** The last ids that were sent on from here, so that one that comes again at once is not. Safe for use by several threads. */
public final class Remembered {
    private static final int MANY = 10_000;

    private final Map<String, Boolean> ids = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MANY;
        }
    };

    /** Whether the id is new; from now on it is not. */
    public synchronized boolean first(String id) {
        return ids.putIfAbsent(id, Boolean.TRUE) == null;
    }

    /** It was not sent on after all. */
    public synchronized void forget(String id) {
        ids.remove(id);
    }
}
