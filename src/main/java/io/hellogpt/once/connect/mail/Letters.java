package io.hellogpt.once.connect.mail;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hellogpt.once.connect.config.Route;
import io.hellogpt.once.connect.config.Route.Letter;
import io.hellogpt.once.connect.receiver.Identifiers;
import io.hellogpt.once.core.EffectId;
import jakarta.activation.DataHandler;
import jakarta.mail.Address;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.util.ByteArrayDataSource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Makes letters of payloads. Sender, recipients and headers come from the configuration; from a payload only what it allows. */
final class Letters {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_SUBJECT = 500;

    private final Letter letter;
    private final Session session;

    Letters(Letter letter, Session session) {
        this.letter = letter;
        this.session = session;
    }

    /**
     * A letter that knows whether the whole of its text has left. The end of the text follows it, and before that end a server
     * has certainly not taken the mail: when the connection is closed it must drop what is pending (RFC 5321, section 4.1.1.10).
     */
    static final class Sheet extends MimeMessage {
        private final String id;
        private volatile boolean complete;

        private Sheet(Session session, String id) {
            super(session);
            this.id = id;
        }

        boolean complete() {
            return complete;
        }

        /** The transport calls it when the server has asked for the text. */
        @Override
        public void writeTo(OutputStream out, String[] ignored) throws IOException, MessagingException {
            super.writeTo(out, ignored);
            complete = true;
        }

        @Override
        protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", id);
        }
    }

    /**
     * The letter for an effect. Its Message-ID is the same for every attempt.
     *
     * @throws UnsendableException when the payload gives none
     */
    Sheet of(EffectId id, byte[] body, Instant now) throws UnsendableException {
        JsonNode payload = json(body);
        List<String> to = recipients(payload);
        String subject = subject(id, payload);
        byte[] text = text(payload, body).getBytes(StandardCharsets.UTF_8);
        try {
            Sheet sheet = new Sheet(session, "<" + Identifiers.atom(id) + "@" + letter.messageIdDomain() + ">");
            sheet.setFrom(new InternetAddress(letter.from()));
            sheet.setRecipients(RecipientType.TO, addresses(to));
            sheet.setSubject(subject, "UTF-8");
            sheet.setSentDate(Date.from(now));
            sheet.setHeader("Auto-Submitted", "auto-generated");
            sheet.setDataHandler(new DataHandler(new ByteArrayDataSource(text, "text/plain; charset=UTF-8")));
            sheet.saveChanges();
            return sheet;
        } catch (MessagingException e) {
            throw new UnsendableException(
                    "no letter could be made of the payload (" + e.getClass().getSimpleName() + ")");
        }
    }

    private static Address[] addresses(List<String> to) throws MessagingException {
        Address[] addresses = new Address[to.size()];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = new InternetAddress(to.get(i), true);
        }
        return addresses;
    }

    private static JsonNode json(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException notJson) {
            return JSON.missingNode();
        }
    }

    private List<String> recipients(JsonNode payload) throws UnsendableException {
        Route.Recipients recipients = letter.recipients();
        List<String> to = new ArrayList<>(recipients.fixed());
        if (recipients.inPayload().isPresent()) {
            String address = at(payload, recipients.inPayload().get()).orElse("");
            if (!Letter.isAddress(address)) {
                throw new UnsendableException("the payload holds no plain mail address at "
                        + recipients.inPayload().get());
            }
            String domain = address.substring(address.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
            if (!recipients.domains().contains(domain)) {
                throw new UnsendableException("the recipient in the payload is of none of the route's mail.to.domains");
            }
            to.add(address);
        }
        return to;
    }

    private String subject(EffectId id, JsonNode payload) throws UnsendableException {
        String subject = letter.text()
                .subjectInPayload()
                .flatMap(pointer -> at(payload, pointer))
                .orElseGet(() -> letter.text()
                        .subject()
                        .replace("{effect_id}", id.toString())
                        .replace("{request_id}", id.requestId().value()));
        if (subject.length() > MAX_SUBJECT || subject.chars().anyMatch(Letters::endsALine)) {
            throw new UnsendableException("the subject holds control characters or is longer than " + MAX_SUBJECT);
        }
        return subject;
    }

    private static boolean endsALine(int c) {
        return Character.isISOControl(c) || c == 0x2028 || c == 0x2029;
    }

    private String text(JsonNode payload, byte[] body) throws UnsendableException {
        Optional<JsonPointer> pointer = letter.text().bodyInPayload();
        if (pointer.isEmpty()) {
            return new String(body, StandardCharsets.UTF_8);
        }
        return at(payload, pointer.get())
                .orElseThrow(() -> new UnsendableException("the payload holds no text at " + pointer.get()));
    }

    private static Optional<String> at(JsonNode payload, JsonPointer pointer) {
        return Optional.of(payload.at(pointer)).filter(JsonNode::isTextual).map(JsonNode::asText);
    }
}
