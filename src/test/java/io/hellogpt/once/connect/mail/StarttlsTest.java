package io.hellogpt.once.connect.mail;

import static org.assertj.core.api.Assertions.assertThat;

import io.hellogpt.once.connect.Attempts;
import io.hellogpt.once.connect.Certificates;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.Routes;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mail server that offers STARTTLS: what it is told before, and what after. */
class StarttlsTest {
    @TempDir
    Path dir;

    private Certificates certificate;

    @BeforeEach
    void certify() throws Exception {
        certificate = new Certificates(dir, "mailserver", "RSA");
    }

    @Test
    void sendersRecipientsPasswordAndTextGoOverTls() throws Exception {
        try (ScriptedSmtp server = ScriptedSmtp.withStarttls(certificate.serverContext())) {
            Verdict verdict = execute(server, certificate.certificatePem());

            assertThat(verdict.result()).as(verdict.detail()).isEqualTo(Result.SUCCEEDED);
            assertThat(server.commands())
                    .startsWith(
                            "EHLO", "STARTTLS", "tls EHLO", "tls AUTH", "tls MAIL", "tls RCPT", "tls DATA", "tls .");
        }
    }

    @Test
    void aServerThatIsNotTrustedIsToldNothing() throws Exception {
        Path others = new Certificates(dir, "another", "RSA").certificatePem();
        try (ScriptedSmtp server = ScriptedSmtp.withStarttls(certificate.serverContext())) {
            assertNothingWasSaid(execute(server, others), server);
        }
    }

    @Test
    void aCertificateOfAnotherNameIsNotTrusted() throws Exception {
        Certificates another = new Certificates(dir, "elsewhere", "RSA", "dns:mail.elsewhere.example");
        try (ScriptedSmtp server = ScriptedSmtp.withStarttls(another.serverContext())) {
            assertNothingWasSaid(execute(server, another.certificatePem()), server);
        }
    }

    private static void assertNothingWasSaid(Verdict verdict, ScriptedSmtp server) {
        assertThat(verdict.result()).as(verdict.detail()).isEqualTo(Result.RETRYABLE);
        assertThat(verdict.inDoubt()).isFalse();
        assertThat(server.commands()).containsExactly("EHLO", "STARTTLS");
    }

    private static Verdict execute(ScriptedSmtp server, Path trusted) throws InterruptedException {
        String[] route = {
            "class", "OPAQUE",
            "type", "mail",
            "mail.host", "localhost",
            "mail.port", Integer.toString(server.port()),
            "mail.from", "once@shop.example",
            "mail.to", "desk@shop.example",
            "auth.type", "basic",
            "auth.user", "once",
            "auth.password", "s3cret",
            "tls.truststore.path", trusted.toString()
        };
        try (Attempts attempts = new Attempts(Routes.of(route))) {
            return attempts.execute(Effects.of("r-1", 1, "r", 1));
        }
    }
}
