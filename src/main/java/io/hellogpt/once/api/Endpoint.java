package io.hellogpt.once.api;

import java.util.Optional;

/** Every route of the API: method, path and who may use it. {@code openapi.yaml} is held equal to this list. */
public enum Endpoint {
    LIVE("GET", "/health/live"),
    READY("GET", "/health/ready"),
    OPENAPI("GET", "/openapi.yaml"),
    METRICS("GET", "/metrics", Role.READ),

    OVERVIEW("GET", "/v1/overview", Role.READ),
    SUBMIT("POST", "/v1/requests", Role.SUBMIT),
    RECENT("GET", "/v1/requests", Role.READ),
    SHOW("GET", "/v1/requests/{id}", Role.READ),
    EVENTS("GET", "/v1/requests/{id}/events", Role.READ),
    RETRY("POST", "/v1/requests/{id}/retry", Role.OPERATE),
    CANCEL("POST", "/v1/requests/{id}/cancel", Role.OPERATE),
    APPROVE("POST", "/v1/requests/{id}/approve", Role.OPERATE),
    REJECT("POST", "/v1/requests/{id}/reject", Role.OPERATE),
    RESOLVE("POST", "/v1/requests/{id}/resolve", Role.OPERATE),
    STREAM("GET", "/v1/stream", Role.READ),

    /** Signed by the sender instead of with a token. */
    CALLBACK("POST", "/v1/callbacks/{effect_id}"),
    CHAT("POST", "/v1/chat/completions", Role.SUBMIT);

    private final String method;
    private final String path;
    private final Optional<Role> role;

    Endpoint(String method, String path) {
        this.method = method;
        this.path = path;
        this.role = Optional.empty();
    }

    Endpoint(String method, String path, Role role) {
        this.method = method;
        this.path = path;
        this.role = Optional.of(role);
    }

    public String method() {
        return method;
    }

    /** With its parameters in braces. */
    public String path() {
        return path;
    }

    /** What a caller must be allowed to; empty when no token is asked for. */
    public Optional<Role> role() {
        return role;
    }
}
