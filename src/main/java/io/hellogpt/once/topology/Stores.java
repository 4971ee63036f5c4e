package io.hellogpt.once.topology;

import java.util.List;

/** The name of every store; its changelog is {@code <application.id>-<store>-changelog}. */
public final class Stores {
    /** request_id to state; the dedup store. */
    public static final String REQUESTS_BY_ID = "requests-by-id";
    /** request_id to snapshot, written once. */
    public static final String SNAPSHOTS_BY_ID = "snapshots-by-id";
    /** (kind, due, sequence, request_id) to nothing, in key order. */
    public static final String TIMERS = "timers";
    /** request_id to what the journal said before the request arrived. */
    public static final String EARLY_RESPONSES = "early-responses";

    public static final List<String> ALL = List.of(REQUESTS_BY_ID, SNAPSHOTS_BY_ID, TIMERS, EARLY_RESPONSES);

    private Stores() {}
}
