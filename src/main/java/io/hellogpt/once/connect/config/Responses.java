package io.hellogpt.once.connect.config;

import java.util.Map;

/** What each status of a receiver means. */
public record Responses(Map<Integer, Meaning> byStatus) {
    /** What a receiver says with a status; the order is that in which the sets are looked through. */
    public enum Meaning {
        SUCCESS(
                "status.success",
                "200-299",
                "Done. With callback.timeout.ms, 202 is accepted, and the callback is awaited."),
        BUSY("status.busy", "425,429", "Not now, and nothing was done. Retry-After is honoured."),
        BUSY_IF_TOLD(
                "status.busy.if.told",
                "408,503",
                "With Retry-After: not now, and nothing was done. Without: in doubt."),
        IN_PROGRESS(
                "status.in.progress",
                "409",
                "KEYED: an earlier send with this key is being worked on. Other classes: in doubt, since what conflicts may be the"
                        + " effect itself."),
        KEY_REUSE(
                "status.key.reuse",
                "422",
                "KEYED: the key was used with other content, which is a bug on one of the two sides: FAILED and an alert. Other"
                        + " classes: refused. Take 422 out (name it in status.refused) for a receiver that uses it for ordinary"
                        + " validation."),
        GONE("status.gone", "410", "Refused, and the route is closed: see the table of responses."),
        IN_DOUBT(
                "status.in.doubt",
                "303,500-599",
                "It may or may not have been done, so the class decides. 303 also follows a POST that was carried out."),
        REFUSED("status.refused", "300-499", "Not done, and the same request would be refused again.");

        private final String key;
        private final String standard;
        private final String doc;

        Meaning(String key, String standard, String doc) {
            this.key = key;
            this.standard = standard;
            this.doc = doc;
        }

        /** The setting that lists the statuses. */
        public String key() {
            return key;
        }

        /** Its default. */
        public String standard() {
            return standard;
        }

        String doc() {
            return doc;
        }
    }

    public Responses {
        byStatus = Map.copyOf(byStatus);
    }

    /** A status nobody has named is in doubt. */
    public Meaning meaning(int status) {
        return byStatus.getOrDefault(status, Meaning.IN_DOUBT);
    }

    /** What holds when nothing is set. */
    public static Responses standard() {
        return ResponseKeys.standard();
    }
}
