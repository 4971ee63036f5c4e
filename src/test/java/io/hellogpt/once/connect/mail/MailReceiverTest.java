package io.hellogpt.once.connect.mail;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.icegreen.greenmail.util.DummySSLServerSocketFactory;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.hellogpt.once.connect.Attempts;
import io.hellogpt.once.connect.Certificates;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.Routes;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.connect.receiver.Alerts.Alert;
import io.hellogpt.once.core.Effect;
import io.hellogpt.once.core.EffectOutcome.Result;
import jakarta.mail.internet.MimeMessage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a real mail server, and against a scripted one for what a real one cannot be made to do. */
class MailReceiverTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path dir;

    private GreenMail server;
    private int port;

    @BeforeEach
    void open() {
        server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        server.start();
        port = server.getSmtp().getPort();
    }

    @AfterEach
    void close() {
        server.stop();
        System.clearProperty(DummySSLServerSocketFactory.GREENMAIL_KEYSTORE_FILE_PROPERTY);
        System.clearProperty(DummySSLServerSocketFactory.GREENMAIL_KEYSTORE_PASSWORD_PROPERTY);
    }

    @Test
    void aMailArrivesWithTheEffectsOwnMessageId() throws Exception {
        Verdict verdict = execute(
                payload("grüße", "Zahlung für Straße 5"),
                "mail.subject.pointer",
                "/subject",
                "mail.body.pointer",
                "/text");

        assertThat(verdict.result()).isEqualTo(Result.SUCCEEDED);
        MimeMessage mail = server.getReceivedMessages()[0];
        assertThat(mail.getMessageID()).isEqualTo("<r-1%3A0%2E1@shop.example>");
        assertThat(verdict.reference()).contains(mail.getMessageID());
        assertThat(mail.getFrom()[0].toString()).isEqualTo("once@shop.example");
        assertThat(mail.getAllRecipients()[0].toString()).isEqualTo("desk@shop.example");
        assertThat(mail.getSubject()).isEqualTo("grüße");
        assertThat(mail.getContent().toString().strip()).isEqualTo("Zahlung für Straße 5");
    }

    @Test
    void withoutPointersThePayloadIsTheTextAndTheEffectTheSubject() throws Exception {
        execute("{\"a\":1}");

        MimeMessage mail = server.getReceivedMessages()[0];
        assertThat(mail.getSubject()).isEqualTo("r-1:0.1");
        assertThat(mail.getContent().toString().strip()).isEqualTo("{\"a\":1}");
    }

    @Test
    void aRecipientInThePayloadMustBeOfAnAllowedDomain() throws Exception {
        String[] allowed = {"mail.to.pointer", "/to", "mail.to.domains", "customers.example"};

        assertThat(execute("{\"to\":\"ann@Customers.example\"}", allowed).result())
                .isEqualTo(Result.SUCCEEDED);
        assertThat(server.getReceivedMessages()).hasSize(2);
        for (String bad : List.of(
                "ann@evil.example",
                "ann@customers.example.evil.example",
                "ann@sub.customers.example",
                "ann@customers.example, eve@evil.example",
                "ann@customers.example\r\nBcc: eve@evil.example",
                "eve@evil.example\n@customers.example",
                "\"a b\"@customers.example",
                "Ann <ann@customers.example>",
                "@customers.example",
                "")) {
            Verdict verdict = execute(JSON.writeValueAsString(Map.of("to", bad)), allowed);
            assertThat(verdict.result()).as(bad).isEqualTo(Result.FAILED);
            assertThat(verdict.detail()).doesNotContain("evil");
        }
        assertThat(server.getReceivedMessages()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"'a\r\nBcc: eve@evil.example'", "'a\nX: y'", "'a\rX: y'", "'a\u0000b'", "'a\u2028X: y'"})
    void aSubjectCannotEndItsHeader(String subject) throws Exception {
        assertThat(execute(payload(subject, "t"), "mail.subject.pointer", "/subject")
                        .result())
                .isEqualTo(Result.FAILED);
        assertThat(server.getReceivedMessages()).isEmpty();
    }

    @Test
    void aTextCannotEndItsMail() throws Exception {
        String text = "one\r\n.\r\nMAIL FROM:<eve@evil.example>\r\n..two";

        execute(payload("s", text), "mail.body.pointer", "/text");

        assertThat(server.getReceivedMessages()).hasSize(1);
        assertThat(server.getReceivedMessages()[0].getContent().toString().strip())
                .isEqualTo(text);
    }

    @Test
    void aMailGoesOverTlsWithALogin() throws Exception {
        Certificates certificate = new Certificates(dir, "mailserver", "RSA");
        System.setProperty(
                DummySSLServerSocketFactory.GREENMAIL_KEYSTORE_FILE_PROPERTY,
                certificate.pkcs12().toString());
        System.setProperty(DummySSLServerSocketFactory.GREENMAIL_KEYSTORE_PASSWORD_PROPERTY, Certificates.PASSWORD);
        GreenMail secured = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTPS));
        secured.setUser("once@shop.example", "once", "s3cret");
        secured.start();
        try {
            String[] tls = {
                "mail.security", "tls",
                "mail.port", Integer.toString(secured.getSmtps().getPort()),
                "auth.type", "basic",
                "auth.user", "once",
                "auth.password", "s3cret",
                "tls.truststore.path", certificate.certificatePem().toString()
            };

            assertThat(execute("{}", tls).result()).isEqualTo(Result.SUCCEEDED);
            assertThat(secured.getReceivedMessages()).hasSize(1);

            tls[tls.length - 1] =
                    new Certificates(dir, "another", "RSA").certificatePem().toString();
            assertCertainlyNotSent(execute("{}", tls));
            assertThat(secured.getReceivedMessages()).hasSize(1);
        } finally {
            secured.stop();
        }
    }

    @Test
    void aServerThatDoesNotOfferStarttlsGetsNothing() throws Exception {
        assertCertainlyNotSent(execute("{}", "mail.security", "starttls"));
        assertThat(server.getReceivedMessages()).isEmpty();
    }

    @Test
    void anAddressThatIsNotPublicIsNotConnectedTo() throws Exception {
        try (Attempts attempts = attempts("mail.host", "127.0.0.1", "private.addresses", "false")) {
            assertCertainlyNotSent(attempts.execute(Effects.of("r-1", 1, "r", 1)));
            assertThat(attempts.alerts()).containsExactly(Alert.ADDRESS_REFUSED);
        }
        assertThat(server.getReceivedMessages()).isEmpty();
    }

    @Test
    void nobodyListeningMeansCertainlyNotSent() throws Exception {
        server.stop();

        assertCertainlyNotSent(execute("{}"));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    ., break, at-most-once,  UNKNOWN,   true
                    ., break, at-least-once, RETRYABLE, true
                    ., hang,  at-most-once,  UNKNOWN,   true
                    ., 451 later, at-most-once, RETRYABLE, false
                    ., 554 spam,  at-most-once, FAILED,    false
                    RCPT, 550 no such,  at-most-once, FAILED,    false
                    RCPT, 451 greylist, at-most-once, RETRYABLE, false
                    RCPT, break, at-most-once, RETRYABLE, false
                    DATA, break, at-most-once, RETRYABLE, false
                    MAIL, 421 busy, at-most-once, RETRYABLE, false
                    QUIT, break, at-most-once, SUCCEEDED, false
                    """)
    void whatTheServerSaysOrDoesDecides(String at, String reply, String resend, Result result, boolean doubt)
            throws Exception {
        try (ScriptedSmtp scripted = new ScriptedSmtp(Map.of(at, reply))) {
            Verdict verdict = execute(
                    "{}", "mail.port", Integer.toString(scripted.port()), "resend", resend, "timeout.ms", "2000");

            assertThat(verdict.result())
                    .as(verdict.detail() + scripted.commands())
                    .isEqualTo(result);
            assertThat(verdict.inDoubt()).isEqualTo(doubt);
        }
    }

    /** A server whose answer is always about to end: only the time for the whole call stops it. */
    @ParameterizedTest
    @CsvSource({"RCPT, RETRYABLE, false", "., UNKNOWN, true"})
    void nothingLeavesAfterTheVerdictThatTimeWasUp(String at, Result result, boolean doubt) throws Exception {
        try (ScriptedSmtp scripted = new ScriptedSmtp(Map.of(at, ScriptedSmtp.DRIP));
                Attempts attempts = attempts("mail.port", Integer.toString(scripted.port()), "timeout.ms", "1000")) {
            Verdict verdict = attempts.execute(Effects.of("r-1", 1, "r", 1));
            List<String> before = List.copyOf(scripted.commands());
            scripted.endReplies();

            assertThat(scripted.awaitEndOfConversation()).isTrue();
            assertThat(scripted.commands()).isEqualTo(before).endsWith(at);
            assertThat(verdict.result()).as(verdict.detail()).isEqualTo(result);
            assertThat(verdict.inDoubt()).isEqualTo(doubt);
            assertThat(verdict.detail()).contains("1000 ms");
        }
    }

    private static void assertCertainlyNotSent(Verdict verdict) {
        assertThat(verdict.result()).as(verdict.detail()).isEqualTo(Result.RETRYABLE);
        assertThat(verdict.inDoubt()).isFalse();
    }

    private static String payload(String subject, String text) throws Exception {
        return JSON.writeValueAsString(Map.of("subject", subject, "text", text));
    }

    private Verdict execute(String payload, String... more) throws Exception {
        Effect first = Effects.of("r-1", 1, "r", 1);
        try (Attempts attempts = attempts(more)) {
            return attempts.execute(Effects.of(first.id(), "r", 1, payload));
        }
    }

    private Attempts attempts(String... more) {
        List<String> settings = new ArrayList<>(List.of(
                "class", "OPAQUE",
                "type", "mail",
                "mail.host", "localhost",
                "mail.port", Integer.toString(port),
                "mail.security", "none",
                "mail.from", "once@shop.example",
                "mail.to", "desk@shop.example"));
        Stream.of(more).forEach(settings::add);
        return new Attempts(Routes.of(settings.toArray(String[]::new)));
    }
}
