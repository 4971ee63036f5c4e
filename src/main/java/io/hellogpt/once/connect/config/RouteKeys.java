package io.hellogpt.once.connect.config;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigDef.Width;

/** The settings of one route, below {@code once.route.<name>.}. */
public final class RouteKeys {
    /** What stands before a route's name. */
    public static final String PREFIX = "once.route.";

    public static final String CLASS = "class";
    public static final String TYPE = "type";
    public static final String URL = "url";
    public static final String METHOD = "method";
    public static final String HEADERS = "headers";
    public static final String TIMEOUT = "timeout.ms";
    public static final String CONNECT_TIMEOUT = "connect.timeout.ms";
    public static final String MAX_IN_FLIGHT = "max.in.flight";
    public static final String REQUEST_BYTES = "request.max.bytes";
    public static final String RESPONSE_BYTES = "response.max.bytes";
    public static final String IDEMPOTENCY_HEADER = "idempotency.header";
    public static final String IDEMPOTENCY_QUOTED = "idempotency.quoted";
    public static final String KEY_WINDOW = "key.window.ms";
    public static final String PROBE_URL = "probe.url";
    public static final String PROBE_SETTLE = "probe.settle.ms";
    public static final String RESEND = "resend";
    public static final String AUTH_TYPE = "auth.type";
    public static final String AUTH_TOKEN = "auth.token";
    public static final String AUTH_USER = "auth.user";
    public static final String AUTH_PASSWORD = "auth.password";

    static final String BILLING = "billing";
    static final String HTTP = "http";
    static final String AT_LEAST_ONCE = "at-least-once";
    private static final String AT_MOST_ONCE = "at-most-once";
    private static final long DEFAULT_PROBE_SETTLE = 10_000;

    private RouteKeys() {}

    /** The full name of {@code key} for {@code route}. */
    public static String of(String route, String key) {
        return PREFIX + route + "." + key;
    }

    /** The settings of one route, named without the prefix. */
    public static ConfigDef definition() {
        ConfigDef def = new ConfigDef();
        target(def);
        recovery(def);
        limits(def);
        credentials(def);
        return def;
    }

    private static void target(ConfigDef def) {
        String group = "Target";
        define(
                def,
                CLASS,
                Type.STRING,
                ConfigDef.NO_DEFAULT_VALUE,
                classes(),
                Importance.HIGH,
                group,
                "What the receiver can do about an attempt whose outcome is not known: LOCAL, KEYED, PROBEABLE or OPAQUE. Too"
                        + " strong a class repeats effects; too weak a one leaves more of them UNKNOWN, waiting for a person.");
        define(
                def,
                TYPE,
                Type.STRING,
                HTTP,
                ValidString.in(HTTP, BILLING),
                Importance.HIGH,
                group,
                "What carries the effect out: http, or billing (a row in the ledger's database, class LOCAL).");
        define(
                def,
                URL,
                Type.STRING,
                null,
                null,
                Importance.HIGH,
                group,
                "Where http effects go. May hold {effect_id} and {request_id}; no part of it ever comes from a payload.");
        define(
                def,
                METHOD,
                Type.STRING,
                "POST",
                ValidString.in("POST", "PUT", "PATCH", "DELETE"),
                Importance.MEDIUM,
                group,
                "HTTP method. The payload is the body whatever the method.");
        define(
                def,
                HEADERS,
                Type.LIST,
                List.of(),
                null,
                Importance.LOW,
                group,
                "Further headers, 'Name: value', separated by commas. Not for credentials: they are not hidden in the REST API.");
    }

    private static void recovery(ConfigDef def) {
        String group = "Recovery";
        define(
                def,
                IDEMPOTENCY_HEADER,
                Type.STRING,
                "Idempotency-Key",
                new ConfigDef.NonEmptyString(),
                Importance.MEDIUM,
                group,
                "KEYED: the header that carries the effect_id as the key.");
        define(
                def,
                IDEMPOTENCY_QUOTED,
                Type.BOOLEAN,
                true,
                null,
                Importance.MEDIUM,
                group,
                "KEYED: send the key in double quotes, as the IETF draft has it. Switch off for receivers that take it verbatim.");
        define(
                def,
                KEY_WINDOW,
                Type.LONG,
                null,
                null,
                Importance.HIGH,
                group,
                "KEYED, required: how long the receiver remembers a key, in milliseconds. Longer than the truth and a late"
                        + " repetition takes effect twice; an effect in doubt that could not be repeated within it is"
                        + " UNKNOWN. Must be longer than once.send.timeout.ms and twice timeout.ms.");
        define(
                def,
                PROBE_URL,
                Type.STRING,
                null,
                null,
                Importance.HIGH,
                group,
                "PROBEABLE, required: a GET of it answers 2xx when the effect is known and 404 when it never arrived. Must hold"
                        + " {effect_id} or {request_id}.");
        define(
                def,
                PROBE_SETTLE,
                Type.LONG,
                DEFAULT_PROBE_SETTLE,
                Range.atLeast(0),
                Importance.MEDIUM,
                group,
                "PROBEABLE: how long after a send its absence proves nothing, in milliseconds. Too short repeats effects.");
        define(
                def,
                RESEND,
                Type.STRING,
                AT_MOST_ONCE,
                ValidString.in(AT_MOST_ONCE, AT_LEAST_ONCE),
                Importance.MEDIUM,
                group,
                "OPAQUE: at-most-once reports an attempt in doubt as UNKNOWN; at-least-once sends it again and may repeat it.");
    }

    private static void limits(ConfigDef def) {
        String group = "Limits";
        define(
                def,
                TIMEOUT,
                Type.LONG,
                10_000L,
                Range.between(1, 600_000),
                Importance.MEDIUM,
                group,
                "How long one call may take, from start to the end of the response, in milliseconds. A call that runs into it is"
                        + " in doubt.");
        define(
                def,
                CONNECT_TIMEOUT,
                Type.LONG,
                3_000L,
                Range.between(1, 600_000),
                Importance.LOW,
                group,
                "How long connecting may take, in milliseconds. A call that runs into it was certainly not sent.");
        define(
                def,
                MAX_IN_FLIGHT,
                Type.INT,
                64,
                Range.between(1, 10_000),
                Importance.MEDIUM,
                group,
                "Calls of one task to this receiver at a time. More is faster until the receiver objects.");
        define(
                def,
                REQUEST_BYTES,
                Type.INT,
                1_048_576,
                Range.atLeast(1),
                Importance.LOW,
                group,
                "Largest payload sent, in bytes; a larger one is FAILED without a call.");
        define(
                def,
                RESPONSE_BYTES,
                Type.INT,
                65_536,
                Range.atLeast(0),
                Importance.LOW,
                group,
                "How much of a response body is read, in bytes; a reference beyond it is not seen.");
    }

    private static void credentials(ConfigDef def) {
        String group = "Credentials";
        define(
                def,
                AUTH_TYPE,
                Type.STRING,
                "none",
                ValidString.in("none", "bearer", "basic"),
                Importance.MEDIUM,
                group,
                "How to authenticate: none, bearer (auth.token) or basic (auth.user, auth.password).");
        define(def, AUTH_TOKEN, Type.PASSWORD, null, null, Importance.MEDIUM, group, "Token for bearer.");
        define(def, AUTH_USER, Type.STRING, null, null, Importance.MEDIUM, group, "User for basic.");
        define(def, AUTH_PASSWORD, Type.PASSWORD, null, null, Importance.MEDIUM, group, "Password for basic.");
    }

    private static ConfigDef.Validator classes() {
        return ValidString.in(Stream.of(EffectClass.values()).map(Enum::name).toArray(String[]::new));
    }

    private static void define(
            ConfigDef def,
            String key,
            Type type,
            Object defaultValue,
            ConfigDef.Validator valid,
            Importance importance,
            String group,
            String doc) {
        String display = key.replace('.', ' ').toLowerCase(Locale.ROOT);
        int order = def.configKeys().size();
        def.define(key, type, defaultValue, valid, importance, doc, group, order, Width.MEDIUM, display);
    }
}
