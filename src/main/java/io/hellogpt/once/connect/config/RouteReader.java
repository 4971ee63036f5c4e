package io.hellogpt.once.connect.config;

import io.hellogpt.once.connect.config.Route.Credentials;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/** Reads one route's settings and refuses a class without what it needs. Messages name the full key. */
final class RouteReader {
    private final String name;
    private final AbstractConfig settings;
    private final Duration sendTimeout;

    private RouteReader(String name, AbstractConfig settings, Duration sendTimeout) {
        this.name = name;
        this.settings = settings;
        this.sendTimeout = sendTimeout;
    }

    /**
     * Reads the route {@code name} out of all of the connector's properties.
     *
     * @throws ConfigException naming the key at fault
     */
    static Route read(String name, Map<String, String> props) {
        String prefix = RouteKeys.of(name, "");
        Map<String, String> own = new HashMap<>();
        props.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                own.put(key.substring(prefix.length()), value);
            }
        });
        try {
            AbstractConfig settings = new AbstractConfig(RouteKeys.definition(), own, false);
            return new RouteReader(name, settings, TaskKeys.sendTimeout(props)).route();
        } catch (ConfigException e) {
            throw e.getMessage().contains(prefix) ? e : withRoute(prefix, e);
        }
    }

    /** Kafka's own messages know the key without our prefix only. */
    private static ConfigException withRoute(String prefix, ConfigException e) {
        ConfigException named = new ConfigException(prefix + "*: " + e.getMessage());
        named.initCause(e);
        return named;
    }

    private Route route() {
        EffectClass effectClass = EffectClass.valueOf(settings.getString(RouteKeys.CLASS));
        boolean billing = settings.getString(RouteKeys.TYPE).equals(RouteKeys.BILLING);
        if (billing != (effectClass == EffectClass.LOCAL)) {
            throw refused(
                    RouteKeys.TYPE,
                    "class " + effectClass + " does not go with type " + settings.getString(RouteKeys.TYPE)
                            + "; type billing is class LOCAL and nothing else is, because only the ledger's own database can"
                            + " commit the effect together with its outcome");
        }
        return billing ? new Route.Billing(name) : http(effectClass);
    }

    private Route.Http http(EffectClass effectClass) {
        String method = settings.getString(RouteKeys.METHOD);
        Route.Endpoint endpoint = new Route.Endpoint(method, url(RouteKeys.URL), headers());
        Route.Limits limits = new Route.Limits(
                millis(RouteKeys.CONNECT_TIMEOUT),
                millis(RouteKeys.TIMEOUT),
                settings.getInt(RouteKeys.REQUEST_BYTES),
                settings.getInt(RouteKeys.RESPONSE_BYTES));
        return new Route.Http(
                name, recovery(effectClass), endpoint, credentials(), limits, settings.getInt(RouteKeys.MAX_IN_FLIGHT));
    }

    private Recovery recovery(EffectClass effectClass) {
        return switch (effectClass) {
            case LOCAL -> new Recovery.Local();
            case KEYED ->
                new Recovery.Keyed(
                        settings.getString(RouteKeys.IDEMPOTENCY_HEADER),
                        settings.getBoolean(RouteKeys.IDEMPOTENCY_QUOTED),
                        keyWindow(),
                        late());
            case PROBEABLE -> new Recovery.Probeable(probeUrl(), millis(RouteKeys.PROBE_SETTLE));
            case OPAQUE ->
                new Recovery.Opaque(settings.getString(RouteKeys.RESEND).equals(RouteKeys.AT_LEAST_ONCE));
        };
    }

    private Duration keyWindow() {
        Long window = settings.getLong(RouteKeys.KEY_WINDOW);
        if (window == null) {
            throw refused(
                    RouteKeys.KEY_WINDOW,
                    "class KEYED needs the time the receiver remembers a key; ask the receiver's owner, or use class OPAQUE");
        }
        Duration least = late().plus(millis(RouteKeys.TIMEOUT));
        if (Duration.ofMillis(window).compareTo(least) <= 0) {
            throw refused(
                    RouteKeys.KEY_WINDOW,
                    "must be longer than " + least.toMillis() + " ms, which is " + TaskKeys.SEND_TIMEOUT + " and twice "
                            + RouteKeys.TIMEOUT
                            + ": a call and its repetition may take that long, and the receiver would"
                            + " have forgotten the key");
        }
        return Duration.ofMillis(window);
    }

    /** A call begins within the send timeout after its claim, and ends within its own. */
    private Duration late() {
        return sendTimeout.plus(millis(RouteKeys.TIMEOUT));
    }

    private String probeUrl() {
        String url = url(RouteKeys.PROBE_URL);
        if (!url.contains("{effect_id}") && !url.contains("{request_id}")) {
            throw refused(
                    RouteKeys.PROBE_URL, "must hold {effect_id} or {request_id}, or it cannot ask about one effect");
        }
        return url;
    }

    private String url(String key) {
        String url = settings.getString(key);
        if (url == null || url.isBlank()) {
            throw refused(key, "missing; a route of class " + settings.getString(RouteKeys.CLASS) + " needs it");
        }
        try {
            URI uri = URI.create(url.replace("{effect_id}", "e").replace("{request_id}", "r"));
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (!http || uri.getHost() == null || uri.getUserInfo() != null) {
                throw refused(key, "must be an absolute http or https URL with a host and without credentials");
            }
        } catch (IllegalArgumentException e) {
            throw refused(key, "not a URL: only {effect_id} and {request_id} can be filled in");
        }
        return url;
    }

    private List<Map.Entry<String, String>> headers() {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        for (String line : settings.getList(RouteKeys.HEADERS)) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw refused(RouteKeys.HEADERS, "each one is 'Name: value'");
            }
            headers.add(Map.entry(
                    line.substring(0, colon).strip(), line.substring(colon + 1).strip()));
        }
        return headers;
    }

    private Credentials credentials() {
        return switch (settings.getString(RouteKeys.AUTH_TYPE)) {
            case "bearer" -> new Credentials.Bearer(secret(RouteKeys.AUTH_TOKEN));
            case "basic" -> new Credentials.Basic(user(), secret(RouteKeys.AUTH_PASSWORD));
            default -> new Credentials.None();
        };
    }

    private String user() {
        String user = settings.getString(RouteKeys.AUTH_USER);
        if (user == null) {
            throw refused(RouteKeys.AUTH_USER, "auth.type basic needs it");
        }
        return user;
    }

    private String secret(String key) {
        Password password = settings.getPassword(key);
        if (password == null || password.value().isEmpty()) {
            throw refused(key, "auth.type " + settings.getString(RouteKeys.AUTH_TYPE) + " needs it");
        }
        return password.value();
    }

    private Duration millis(String key) {
        return Duration.ofMillis(settings.getLong(key));
    }

    private ConfigException refused(String key, String why) {
        return new ConfigException(RouteKeys.of(name, key) + ": " + why);
    }
}
