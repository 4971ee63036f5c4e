package io.hellogpt.once.connect.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;

/** Reads one route's settings and refuses a class without what it needs. Messages name the full key. */
final class RouteReader {
    private static final Set<String> OF_EVERY_TYPE = Set.of(TargetKeys.CLASS, TargetKeys.TYPE);
    private static final List<String> OF_HTTP_ONLY = List.of(
            TargetKeys.URL,
            TargetKeys.METHOD,
            TargetKeys.HEADERS,
            ResponseKeys.CALLBACK_TIMEOUT,
            SigningKeys.SECRETS,
            LimitKeys.HEADER_BYTES,
            LimitKeys.RESPONSE_BYTES,
            "status.");
    private static final String OF_MAIL_ONLY = "mail.";

    private final RouteSettings settings;
    private final Duration sendTimeout;

    private RouteReader(RouteSettings settings, Duration sendTimeout) {
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
        Map<String, String> own = own(prefix, props);
        try {
            return new RouteReader(settings(name, own, props), TaskKeys.sendTimeout(props)).route(own.keySet());
        } catch (ConfigException e) {
            throw e.getMessage().contains(prefix) ? e : withRoute(prefix, e);
        }
    }

    /** When the route {@code name} counts as dead: as it says itself, else as {@code otherwise}. */
    static TaskSettings.Circuit circuit(String name, Map<String, String> props, TaskSettings.Circuit otherwise) {
        return CircuitKeys.read(settings(name, own(RouteKeys.of(name, ""), props), props), otherwise);
    }

    private static Map<String, String> own(String prefix, Map<String, String> props) {
        Map<String, String> own = new HashMap<>();
        props.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                own.put(key.substring(prefix.length()), value);
            }
        });
        return own;
    }

    private static RouteSettings settings(String name, Map<String, String> own, Map<String, String> props) {
        AllowedHosts allowed = new AllowedHosts(
                List.of(props.getOrDefault(SinkKeys.ALLOWED_HOSTS, "").split(",")));
        return new RouteSettings(name, own, allowed);
    }

    /** Kafka's own messages know the key without our prefix only. */
    private static ConfigException withRoute(String prefix, ConfigException e) {
        ConfigException named = new ConfigException(prefix + "*: " + e.getMessage());
        named.initCause(e);
        return named;
    }

    private Route route(Set<String> given) {
        String type = settings.need(TargetKeys.TYPE, "a route needs it");
        EffectClass effectClass = EffectClass.valueOf(settings.need(TargetKeys.CLASS, "a route needs it"));
        boolean billing = type.equals(TargetKeys.BILLING);
        if (billing != (effectClass == EffectClass.LOCAL)) {
            throw settings.refused(
                    TargetKeys.TYPE,
                    "class " + effectClass + " does not go with type " + type
                            + "; type billing is class LOCAL and nothing else is, because only the ledger's own database can"
                            + " commit the effect together with its outcome");
        }
        return switch (type) {
            case TargetKeys.BILLING -> billing(given);
            case TargetKeys.MAIL -> mail(effectClass, given);
            default -> http(effectClass, given);
        };
    }

    private Route.Billing billing(Set<String> given) {
        refuse(given, "type is billing", key -> !OF_EVERY_TYPE.contains(key));
        return new Route.Billing(settings.route());
    }

    private Route.Http http(EffectClass effectClass, Set<String> given) {
        refuse(given, "type is http", key -> key.startsWith(OF_MAIL_ONLY));
        return new Route.Http(
                settings.route(),
                RecoveryKeys.read(settings, effectClass, sendTimeout),
                TargetKeys.read(settings),
                new Route.Access(CredentialKeys.read(settings), SigningKeys.read(settings), NetworkKeys.read(settings)),
                LimitKeys.read(settings),
                new Route.Contract(
                        PayloadKeys.read(settings), ResponseKeys.read(settings), ResponseKeys.callback(settings)));
    }

    private Route.Mail mail(EffectClass effectClass, Set<String> given) {
        if (effectClass != EffectClass.OPAQUE) {
            throw settings.refused(
                    TargetKeys.CLASS,
                    "a mail server can neither deduplicate nor be asked, so type mail is class OPAQUE, not "
                            + effectClass);
        }
        refuse(given, "type is mail", key -> OF_HTTP_ONLY.stream().anyMatch(key::startsWith));
        return new Route.Mail(
                settings.route(),
                RecoveryKeys.read(settings, effectClass, sendTimeout),
                MailKeys.server(settings, NetworkKeys.read(settings)),
                MailKeys.letter(settings),
                LimitKeys.read(settings),
                PayloadKeys.read(settings));
    }

    /** What is set and would be ignored looks as if it were in force. */
    private void refuse(Set<String> given, String why, Predicate<String> outOfPlace) {
        Stream<String> known = given.stream().filter(RouteKeys.definition().names()::contains);
        known.filter(outOfPlace).sorted().findFirst().ifPresent(key -> settings.mustNotHave(why, key));
    }
}
