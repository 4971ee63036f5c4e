package io.hellogpt.once.connect.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Where the effects of one name go. Decisions name a route; only the connector's configuration knows what is behind it. */
public sealed interface Route {
    String name();

    Recovery recovery();

    /** One billing row per snapshot, in the ledger's own database. */
    record Billing(String name) implements Route {
        @Override
        public Recovery recovery() {
            return new Recovery.Local();
        }
    }

    /**
     * A receiver behind HTTP.
     *
     * @param maxInFlight calls of one task to this receiver at a time
     */
    record Http(
            String name, Recovery recovery, Endpoint endpoint, Credentials credentials, Limits limits, int maxInFlight)
            implements Route {
        public Http {
            Objects.requireNonNull(recovery, "recovery");
            Objects.requireNonNull(endpoint, "endpoint");
            Objects.requireNonNull(credentials, "credentials");
            Objects.requireNonNull(limits, "limits");
        }
    }

    /**
     * @param urlTemplate may hold {@code {effect_id}} and {@code {request_id}}, nothing else: no part of a URL comes from a
     *     payload
     * @param headers sent with every request, in addition to the connector's own
     */
    record Endpoint(String method, String urlTemplate, List<Map.Entry<String, String>> headers) {
        public Endpoint {
            headers = List.copyOf(headers);
        }
    }

    /** Bounds of one call; sizes in bytes. */
    record Limits(Duration connectTimeout, Duration timeout, int requestBytes, int responseBytes) {}

    /** How the connector shows the receiver who it is. Never printed. */
    sealed interface Credentials {
        /** It does not. */
        record None() implements Credentials {}

        /** RFC 6750. */
        record Bearer(String token) implements Credentials {
            @Override
            public String toString() {
                return "Bearer[hidden]";
            }
        }

        /** RFC 7617. */
        record Basic(String user, String password) implements Credentials {
            @Override
            public String toString() {
                return "Basic[hidden]";
            }
        }
    }
}
