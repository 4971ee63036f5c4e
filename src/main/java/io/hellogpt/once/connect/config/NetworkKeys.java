package io.hellogpt.once.connect.config;

import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** Which addresses a route may connect to, and how the two ends prove themselves to each other. */
final class NetworkKeys {
    static final String PRIVATE_ADDRESSES = "private.addresses";
    static final String KEYSTORE = "tls.keystore.path";
    static final String KEYSTORE_TYPE = "tls.keystore.type";
    static final String KEYSTORE_PASSWORD = "tls.keystore.password";
    static final String TRUSTSTORE = "tls.truststore.path";
    static final String TRUSTSTORE_TYPE = "tls.truststore.type";
    static final String TRUSTSTORE_PASSWORD = "tls.truststore.password";

    private static final String PEM = "PEM";
    private static final String PKCS12 = "PKCS12";
    private static final Pattern LOCAL_NAME = Pattern.compile("(?i)(.*\\.)?localhost\\.?");

    private NetworkKeys() {}

    static void define(ConfigDef def) {
        new KeyGroup(def, "Network and TLS")
                .standard(
                        PRIVATE_ADDRESSES,
                        Type.BOOLEAN,
                        false,
                        null,
                        "Allow addresses that are not of the public internet: loopback, private, link-local (cloud metadata among"
                                + " them), unique-local, shared, multicast, unspecified. Judged on the address a connection is"
                                + " opened to, each time one is opened, so that a name that changes its address gains nothing."
                                + " Refused means RETRYABLE, nothing sent.")
                .optional(
                        KEYSTORE,
                        Type.STRING,
                        "File on every worker with the client's certificate chain and private key, for mutual TLS.")
                .standard(
                        KEYSTORE_TYPE,
                        Type.STRING,
                        PEM,
                        ValidString.in(PEM, PKCS12),
                        "Form of that file: PEM (certificates and a PKCS#8 key in one file) or PKCS12.")
                .optional(
                        KEYSTORE_PASSWORD,
                        Type.PASSWORD,
                        "Password of the PKCS12 file, or of an encrypted key in the PEM file.")
                .optional(
                        TRUSTSTORE,
                        Type.STRING,
                        "File on every worker with the certificates to trust instead of the JVM's. Read when a task starts: restart"
                                + " the task after changing it.")
                .standard(
                        TRUSTSTORE_TYPE,
                        Type.STRING,
                        PEM,
                        ValidString.in(PEM, PKCS12),
                        "Form of that file: PEM or PKCS12.")
                .optional(TRUSTSTORE_PASSWORD, Type.PASSWORD, "Password of the PKCS12 file.");
    }

    static Route.Network read(RouteSettings settings) {
        return new Route.Network(
                settings.flag(PRIVATE_ADDRESSES),
                store(settings, KEYSTORE, KEYSTORE_TYPE, KEYSTORE_PASSWORD),
                store(settings, TRUSTSTORE, TRUSTSTORE_TYPE, TRUSTSTORE_PASSWORD));
    }

    private static Optional<Route.Store> store(RouteSettings settings, String path, String type, String password) {
        Optional<String> file = settings.text(path);
        if (file.isEmpty()) {
            settings.mustNotHave(path + " is not set", type, password);
            return Optional.empty();
        }
        boolean pem = settings.need(type, "a store has a form").equals(PEM);
        return Optional.of(new Route.Store(
                RouteKeys.of(settings.route(), path),
                file.get(),
                pem,
                settings.secret(password).orElse("")));
    }

    /** What can be said of a host without asking for its addresses. */
    static void checkHost(RouteSettings settings, String key, String host) {
        if (!settings.allowed().allow(host)) {
            throw settings.refused(key, "host " + host + " is not in " + SinkKeys.ALLOWED_HOSTS);
        }
        if (!settings.flag(PRIVATE_ADDRESSES) && LOCAL_NAME.matcher(host).matches()) {
            throw settings.refused(
                    key,
                    "host " + host + " is this machine; if that is meant, set "
                            + RouteKeys.of(settings.route(), PRIVATE_ADDRESSES) + " to true");
        }
    }
}
