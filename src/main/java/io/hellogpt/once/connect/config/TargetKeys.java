package io.hellogpt.once.connect.config;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** Where a route goes: class, type, URL, method, headers. */
final class TargetKeys {
    static final String CLASS = "class";
    static final String TYPE = "type";
    static final String URL = "url";
    static final String METHOD = "method";
    static final String HEADERS = "headers";

    static final String HTTP = "http";
    static final String MAIL = "mail";
    static final String BILLING = "billing";

    /** RFC 9110, section 5.6.2. */
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private static final Pattern FIELD_VALUE = Pattern.compile("[\\x20-\\x7e\\t]*");
    private static final Set<String> OF_THE_CONNECTOR = Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "connection",
            "authorization",
            "webhook-id",
            "webhook-timestamp",
            "webhook-signature");

    private TargetKeys() {}

    static void define(ConfigDef def) {
        new KeyGroup(def, "Target")
                .required(
                        CLASS,
                        Type.STRING,
                        ValidString.in(
                                Stream.of(EffectClass.values()).map(Enum::name).toArray(String[]::new)),
                        "What the receiver can do about an attempt whose outcome is not known: LOCAL, KEYED, PROBEABLE or"
                                + " OPAQUE. Too strong a class repeats effects; too weak a one leaves more of them UNKNOWN,"
                                + " waiting for a person.")
                .standard(
                        TYPE,
                        Type.STRING,
                        HTTP,
                        ValidString.in(HTTP, MAIL, BILLING),
                        "What carries the effect out: http, mail (SMTP, always class OPAQUE), or billing (a row in the ledger's"
                                + " database, always class LOCAL).")
                .optional(
                        URL,
                        Type.STRING,
                        "Where http effects go. Path and query may hold {effect_id} and {request_id}, percent-encoded when they are"
                                + " filled in; no part of a URL ever comes from a payload.")
                .standard(
                        METHOD,
                        Type.STRING,
                        "POST",
                        ValidString.in("POST", "PUT", "PATCH", "DELETE"),
                        "HTTP method. The payload is the body whatever the method.")
                .standard(
                        HEADERS,
                        Type.LIST,
                        List.of(),
                        null,
                        "Further headers, 'Name: value', separated by commas. Not for credentials: Connect's REST interface shows"
                                + " them; use auth.* for those.");
    }

    static Route.Endpoint read(RouteSettings settings) {
        return new Route.Endpoint(
                settings.need(METHOD, "a route needs it"), url(settings, URL, "type http needs it"), headers(settings));
    }

    /** A URL with a fixed, allowed host. */
    static String url(RouteSettings settings, String key, String why) {
        String url = settings.need(key, why);
        URI uri;
        try {
            uri = URI.create(url.replace("{effect_id}", "e").replace("{request_id}", "r"));
        } catch (IllegalArgumentException e) {
            throw settings.refused(key, "not a URL: only {effect_id} and {request_id} can be filled in");
        }
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!http || uri.getHost() == null || uri.getUserInfo() != null || uri.getFragment() != null) {
            throw settings.refused(
                    key, "must be an absolute http or https URL with a host, without credentials and fragment");
        }
        if (!url.toLowerCase(Locale.ROOT)
                .startsWith(uri.getScheme() + "://" + uri.getRawAuthority().toLowerCase(Locale.ROOT))) {
            throw settings.refused(key, "host and port are fixed: ids can be filled in after them only");
        }
        NetworkKeys.checkHost(settings, key, uri.getHost());
        return url;
    }

    private static List<Map.Entry<String, String>> headers(RouteSettings settings) {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        for (String line : settings.list(HEADERS)) {
            int colon = line.indexOf(':');
            String name = colon < 1 ? "" : line.substring(0, colon).strip();
            String value = line.substring(colon + 1).strip();
            if (!TOKEN.matcher(name).matches() || !FIELD_VALUE.matcher(value).matches()) {
                throw settings.refused(HEADERS, "each one is 'Name: value', in printable ASCII");
            }
            if (OF_THE_CONNECTOR.contains(name.toLowerCase(Locale.ROOT))) {
                throw settings.refused(HEADERS, name + " is the connector's own to send");
            }
            headers.add(Map.entry(name, value));
        }
        return headers;
    }

    /** The name of a header, as RFC 9110 has it. */
    static String headerName(RouteSettings settings, String key) {
        String name = settings.need(key, "it names a header");
        if (!TOKEN.matcher(name).matches() || OF_THE_CONNECTOR.contains(name.toLowerCase(Locale.ROOT))) {
            throw settings.refused(key, "not a header that can carry a key");
        }
        return name;
    }
}
