package io.hellogpt.once.api.request;

import java.util.LinkedHashMap;
import java.util.Map;

/** The last ids that the log has acknowledged here, so that one that comes again is not sent again. Safe for use by several threads. */
public final class Remembered {
    private static final int MANY = 10_000;

    private final Map<String, Boolean> ids = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MANY;
        }
    };

    /** Whether it was acknowledged. */
    public synchronized boolean contains(String id) {
        return ids.containsKey(id);
    }

    /** It is acknowledged. Not to be said any sooner: whoever comes meanwhile would be thanked for what may yet be lost. */
    public synchronized void add(String id) {
        ids.put(id, Boolean.TRUE);
    }
}
