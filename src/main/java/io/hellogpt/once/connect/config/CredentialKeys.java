package io.hellogpt.once.connect.config;

import io.hellogpt.once.connect.config.Route.Credentials;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** How the connector shows a receiver who it is. */
final class CredentialKeys {
    static final String AUTH_TYPE = "auth.type";
    static final String TOKEN = "auth.token";
    static final String USER = "auth.user";
    static final String PASSWORD = "auth.password";
    static final String TOKEN_URL = "auth.token.url";
    static final String CLIENT_ID = "auth.client.id";
    static final String CLIENT_SECRET = "auth.client.secret";
    static final String CLIENT_AUTH = "auth.client.auth";
    static final String SCOPE = "auth.scope";
    static final String REFRESH_ON = "auth.refresh.on";

    private static final String NONE = "none";
    private static final String BEARER = "bearer";
    private static final String BASIC = "basic";
    private static final String OAUTH2 = "oauth2";
    private static final String BODY = "body";

    private CredentialKeys() {}

    static void define(ConfigDef def) {
        new KeyGroup(def, "Credentials")
                .standard(
                        AUTH_TYPE,
                        Type.STRING,
                        NONE,
                        ValidString.in(NONE, BEARER, BASIC, OAUTH2),
                        "How to authenticate: none, bearer (auth.token), basic (auth.user and auth.password; the only one for"
                                + " mail) or oauth2 (client credentials of RFC 6749, section 4.4).")
                .optional(TOKEN, Type.PASSWORD, "bearer, required: the token.")
                .optional(USER, Type.STRING, "basic, required: the user.")
                .optional(PASSWORD, Type.PASSWORD, "basic, required: the password.")
                .optional(
                        TOKEN_URL,
                        Type.STRING,
                        "oauth2, required: the token endpoint. While it gives no token effects are RETRYABLE, nothing sent. It is"
                                + " called under the same rules of addresses, TLS and timeouts as the route itself.")
                .optional(CLIENT_ID, Type.STRING, "oauth2, required: the client's id.")
                .optional(CLIENT_SECRET, Type.PASSWORD, "oauth2, required: the client's secret.")
                .standard(
                        CLIENT_AUTH,
                        Type.STRING,
                        BASIC,
                        ValidString.in(BASIC, BODY),
                        "oauth2: whether id and secret go to the token endpoint in the Authorization header (basic) or as form"
                                + " fields (body).")
                .optional(SCOPE, Type.STRING, "oauth2: the scope to ask for, if any.")
                .standard(
                        REFRESH_ON,
                        Type.LIST,
                        List.of("401"),
                        null,
                        "oauth2: statuses after which a new token is fetched and the call is made once more, within the same"
                                + " timeout. Only for statuses with which the receiver says that it did nothing.");
    }

    static Credentials read(RouteSettings settings) {
        String type = settings.need(AUTH_TYPE, "a route needs it");
        String why = AUTH_TYPE + " is " + type;
        if (!type.equals(BEARER)) {
            settings.mustNotHave(why, TOKEN);
        }
        if (!type.equals(BASIC)) {
            settings.mustNotHave(why, USER, PASSWORD);
        }
        if (!type.equals(OAUTH2)) {
            settings.mustNotHave(why, TOKEN_URL, CLIENT_ID, CLIENT_SECRET, CLIENT_AUTH, SCOPE, REFRESH_ON);
        }
        return switch (type) {
            case BEARER -> bearer(settings, why);
            case BASIC -> basic(settings, why);
            case OAUTH2 -> oauth2(settings, why);
            default -> new Credentials.None();
        };
    }

    private static Credentials bearer(RouteSettings settings, String why) {
        String token = settings.needSecret(TOKEN, why);
        if (!token.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            throw settings.refused(
                    TOKEN, "holds characters that no token has (RFC 6750); a line end behind it, perhaps");
        }
        return new Credentials.Bearer(token);
    }

    private static Credentials basic(RouteSettings settings, String why) {
        String user = settings.need(USER, why);
        if (user.contains(":")) {
            throw settings.refused(USER, "a user with a colon cannot be told from the password (RFC 7617)");
        }
        return new Credentials.Basic(user, settings.needSecret(PASSWORD, why));
    }

    private static Credentials oauth2(RouteSettings settings, String why) {
        String url = TargetKeys.url(settings, TOKEN_URL, why);
        if (url.contains("{")) {
            throw settings.refused(TOKEN_URL, "nothing can be filled in here");
        }
        Optional<String> scope = settings.text(SCOPE);
        return new Credentials.OAuth2(
                url,
                settings.need(CLIENT_ID, why),
                settings.needSecret(CLIENT_SECRET, why),
                settings.need(CLIENT_AUTH, why).equals(BODY),
                scope,
                ResponseKeys.statuses(settings, REFRESH_ON));
    }
}
