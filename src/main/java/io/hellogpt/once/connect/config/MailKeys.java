package io.hellogpt.once.connect.config;

import com.fasterxml.jackson.core.JsonPointer;
import io.hellogpt.once.connect.config.Route.Credentials;
import io.hellogpt.once.connect.config.Route.Letter;
import io.hellogpt.once.connect.config.Route.MailServer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** What a route of type mail sends, to whom, and through which server. */
final class MailKeys {
    static final String HOST = "mail.host";
    static final String PORT = "mail.port";
    static final String SECURITY = "mail.security";
    static final String FROM = "mail.from";
    static final String TO = "mail.to";
    static final String TO_POINTER = "mail.to.pointer";
    static final String TO_DOMAINS = "mail.to.domains";
    static final String SUBJECT = "mail.subject";
    static final String SUBJECT_POINTER = "mail.subject.pointer";
    static final String BODY_POINTER = "mail.body.pointer";
    static final String ID_DOMAIN = "mail.message.id.domain";

    private static final String NONE = "none";
    private static final String STARTTLS = "starttls";
    private static final String TLS = "tls";
    private static final Pattern DOMAIN = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");

    private MailKeys() {}

    static void define(ConfigDef def) {
        server(new KeyGroup(def, "Mail"));
        letter(new KeyGroup(def, "Mail"));
    }

    private static void server(KeyGroup group) {
        group.optional(HOST, Type.STRING, "mail, required: the SMTP server.")
                .standard(
                        PORT,
                        Type.INT,
                        587,
                        Range.between(1, 65_535),
                        "Its port: 587 with STARTTLS, 465 with TLS, as a rule.")
                .standard(
                        SECURITY,
                        Type.STRING,
                        STARTTLS,
                        ValidString.in(STARTTLS, TLS, NONE),
                        "starttls (refused when the server does not offer it), tls from the first byte, or none. The server's"
                                + " certificate must be of its name. none sends mails, and a password, readable for everyone on"
                                + " the way.");
    }

    private static void letter(KeyGroup group) {
        group.optional(FROM, Type.STRING, "mail, required: the sender's address, in the envelope as well.")
                .standard(
                        TO, Type.LIST, List.of(), null, "Recipients of every mail of this route, separated by commas.")
                .optional(
                        TO_POINTER,
                        Type.STRING,
                        "JSON pointer to one further recipient in the payload. Needs mail.to.domains: without that list whoever"
                                + " shapes a payload, the model among them, could send mail to anyone.")
                .standard(
                        TO_DOMAINS,
                        Type.LIST,
                        List.of(),
                        null,
                        "Domains, exactly as they stand behind the @, to which a recipient in a payload may belong. An effect for any"
                                + " other is FAILED, nothing sent.")
                .standard(
                        SUBJECT,
                        Type.STRING,
                        "{effect_id}",
                        new ConfigDef.NonEmptyString(),
                        "Subject; may hold {effect_id} and {request_id}.")
                .optional(
                        SUBJECT_POINTER,
                        Type.STRING,
                        "JSON pointer to a subject in the payload that replaces it, if it is there.")
                .optional(
                        BODY_POINTER,
                        Type.STRING,
                        "JSON pointer to the text of the mail in the payload; without it the payload itself is the text. Always plain"
                                + " text.")
                .optional(
                        ID_DOMAIN,
                        Type.STRING,
                        "What stands behind the @ of the Message-ID, which is otherwise the effect_id; default is the sender's domain."
                                + " A repeated mail carries the same Message-ID, by which many mailboxes show it once.");
    }

    static MailServer server(RouteSettings settings, Route.Network network) {
        String host = settings.need(HOST, "type mail needs it");
        if (!DOMAIN.matcher(host).matches()) {
            throw settings.refused(HOST, "not a host name");
        }
        NetworkKeys.checkHost(settings, HOST, host);
        Route.MailSecurity security = switch (settings.need(SECURITY, "type mail needs it")) {
            case TLS -> Route.MailSecurity.TLS;
            case STARTTLS -> Route.MailSecurity.STARTTLS;
            default -> Route.MailSecurity.NONE;
        };
        Optional<Credentials.Basic> login = switch (CredentialKeys.read(settings)) {
            case Credentials.None none -> Optional.empty();
            case Credentials.Basic basic -> Optional.of(basic);
            case Credentials.Bearer bearer -> throw onlyBasic(settings);
            case Credentials.OAuth2 oauth2 -> throw onlyBasic(settings);
        };
        return new MailServer(host, settings.number(PORT), security, login, network);
    }

    private static RuntimeException onlyBasic(RouteSettings settings) {
        return settings.refused(CredentialKeys.AUTH_TYPE, "a mail server is given none or basic");
    }

    static Letter letter(RouteSettings settings) {
        String from = address(settings, FROM, settings.need(FROM, "type mail needs it"));
        List<String> to = settings.list(TO).stream()
                .map(recipient -> address(settings, TO, recipient))
                .toList();
        Optional<JsonPointer> addressee = pointer(settings, TO_POINTER);
        List<String> domains = settings.list(TO_DOMAINS).stream()
                .map(domain -> domain(settings, TO_DOMAINS, domain).toLowerCase(Locale.ROOT))
                .toList();
        if (to.isEmpty() && addressee.isEmpty()) {
            throw settings.refused(TO, "missing; a mail needs a recipient, here or by " + TO_POINTER);
        }
        if (addressee.isPresent() == domains.isEmpty()) {
            throw settings.refused(TO_DOMAINS, TO_POINTER + " and " + TO_DOMAINS + " go together");
        }
        String idDomain =
                domain(settings, ID_DOMAIN, settings.text(ID_DOMAIN).orElse(from.substring(from.lastIndexOf('@') + 1)));
        return new Letter(from, new Route.Recipients(to, addressee, domains), text(settings), idDomain);
    }

    private static Route.MailText text(RouteSettings settings) {
        String subject = settings.need(SUBJECT, "type mail needs it");
        if (subject.chars().anyMatch(Character::isISOControl)) {
            throw settings.refused(SUBJECT, "holds control characters");
        }
        return new Route.MailText(subject, pointer(settings, SUBJECT_POINTER), pointer(settings, BODY_POINTER));
    }

    private static String address(RouteSettings settings, String key, String address) {
        if (!Letter.isAddress(address)) {
            throw settings.refused(key, "'" + address + "' is not a plain mail address, name@domain");
        }
        return address;
    }

    private static String domain(RouteSettings settings, String key, String domain) {
        if (!DOMAIN.matcher(domain).matches()) {
            throw settings.refused(key, "'" + domain + "' is not a domain");
        }
        return domain;
    }

    private static Optional<JsonPointer> pointer(RouteSettings settings, String key) {
        return settings.text(key).map(text -> {
            try {
                return JsonPointer.compile(text);
            } catch (IllegalArgumentException e) {
                throw settings.refused(key, "not a JSON pointer (RFC 6901), such as /customer/mail");
            }
        });
    }
}
