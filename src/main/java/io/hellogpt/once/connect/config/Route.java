package io.hellogpt.once.connect.config;

import com.fasterxml.jackson.core.JsonPointer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

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

    /** A receiver outside of the ledger. */
    sealed interface Remote extends Route {
        Limits limits();

        /** What payloads must look like, if anything is said about it. */
        Optional<PayloadSchema> schema();

        /** Calls of one task to this receiver at a time. */
        default int maxInFlight() {
            return limits().maxInFlight();
        }
    }

    /** A receiver behind HTTP. */
    record Http(String name, Recovery recovery, Endpoint endpoint, Access access, Limits limits, Contract contract)
            implements Remote {
        public Http {
            Objects.requireNonNull(recovery, "recovery");
            Objects.requireNonNull(endpoint, "endpoint");
            Objects.requireNonNull(access, "access");
            Objects.requireNonNull(limits, "limits");
            Objects.requireNonNull(contract, "contract");
        }

        @Override
        public Optional<PayloadSchema> schema() {
            return contract.schema();
        }
    }

    /** Mailboxes behind an SMTP server, which can neither deduplicate nor be asked. */
    record Mail(
            String name,
            Recovery recovery,
            MailServer server,
            Letter letter,
            Limits limits,
            Optional<PayloadSchema> schema)
            implements Remote {
        public Mail {
            Objects.requireNonNull(recovery, "recovery");
            Objects.requireNonNull(server, "server");
            Objects.requireNonNull(letter, "letter");
            Objects.requireNonNull(limits, "limits");
            Objects.requireNonNull(schema, "schema");
        }
    }

    /**
     * @param urlTemplate may hold {@code {effect_id}} and {@code {request_id}} behind host and port, nothing else: no part of a
     *     URL comes from a payload
     * @param headers sent with every request, in addition to the connector's own
     */
    record Endpoint(String method, String urlTemplate, List<Map.Entry<String, String>> headers) {
        public Endpoint {
            headers = List.copyOf(headers);
        }
    }

    /** How both sides know each other. */
    record Access(Credentials credentials, Optional<Signing> signing, Network network) {
        public Access {
            Objects.requireNonNull(credentials, "credentials");
            Objects.requireNonNull(signing, "signing");
            Objects.requireNonNull(network, "network");
        }
    }

    /** What is agreed with the receiver about bodies and answers. */
    record Contract(Optional<PayloadSchema> schema, Responses responses, Optional<Duration> callback) {
        public Contract {
            Objects.requireNonNull(schema, "schema");
            Objects.requireNonNull(responses, "responses");
            Objects.requireNonNull(callback, "callback");
        }
    }

    /**
     * Bounds of one call; sizes in bytes.
     *
     * @param maxInFlight calls of one task at a time
     */
    record Limits(
            Duration connectTimeout,
            Duration timeout,
            int requestBytes,
            int responseBytes,
            int headerBytes,
            int maxInFlight) {}

    /**
     * Where connections may go, and what they are secured with.
     *
     * @param privateAddresses also to addresses that are not of the public internet
     * @param identity certificate and key of the client
     * @param trusted what to trust instead of the JVM's certificates
     */
    record Network(boolean privateAddresses, Optional<Store> identity, Optional<Store> trusted) {}

    /**
     * A file of keys or certificates.
     *
     * @param key the setting that names it, for messages
     * @param pem PEM, or else PKCS12
     */
    record Store(String key, String path, boolean pem, String password) {
        @Override
        public String toString() {
            return "Store[" + key + "]";
        }
    }

    /** Secrets of Standard Webhooks. Never printed. */
    record Signing(List<byte[]> keys) {
        public Signing {
            keys = List.copyOf(keys);
        }

        @Override
        public String toString() {
            return "Signing[hidden]";
        }
    }

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

        /**
         * RFC 6749, section 4.4.
         *
         * @param secretInBody id and secret as form fields instead of an Authorization header
         * @param refreshOn statuses after which one new token is tried
         */
        record OAuth2(
                String tokenUrl,
                String clientId,
                String clientSecret,
                boolean secretInBody,
                Optional<String> scope,
                Set<Integer> refreshOn)
                implements Credentials {
            @Override
            public String toString() {
                return "OAuth2[hidden]";
            }
        }
    }

    /** What a connection to a mail server is secured with. */
    enum MailSecurity {
        NONE,
        STARTTLS,
        TLS
    }

    record MailServer(
            String host, int port, MailSecurity security, Optional<Credentials.Basic> login, Network network) {}

    /** What is sent. */
    record Letter(String from, Recipients recipients, MailText text, String messageIdDomain) {
        /** The part of RFC 5321 addresses that needs no quoting; nothing in it can end a header or a command. */
        private static final Pattern ADDRESS = Pattern.compile(
                "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");

        private static final int MAX_ADDRESS = 254;

        /** Whether {@code text} is one plain address. */
        public static boolean isAddress(String text) {
            return text.length() <= MAX_ADDRESS && ADDRESS.matcher(text).matches();
        }
    }

    /**
     * @param fixed get every mail
     * @param inPayload where one further recipient stands
     * @param domains in lower case; those it may belong to
     */
    record Recipients(List<String> fixed, Optional<JsonPointer> inPayload, List<String> domains) {
        public Recipients {
            fixed = List.copyOf(fixed);
            domains = List.copyOf(domains);
        }
    }

    record MailText(String subject, Optional<JsonPointer> subjectInPayload, Optional<JsonPointer> bodyInPayload) {}
}
