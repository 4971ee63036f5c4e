package io.hellogpt.once.connect.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.hellogpt.once.connect.Attempts;
import io.hellogpt.once.connect.Certificates;
import io.hellogpt.once.connect.Effects;
import io.hellogpt.once.connect.Routes;
import io.hellogpt.once.connect.ledger.Verdict;
import io.hellogpt.once.core.EffectOutcome.Result;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server that wants a certificate, with certificates made for the test. */
class MutualTlsTest {
    @TempDir
    static Path dir;

    private static Certificates client;
    private static Certificates serverCertificate;
    private static HttpsServer server;
    private static final List<String> CALLERS = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void open() throws Exception {
        client = new Certificates(dir, "client", "EC");
        serverCertificate = new Certificates(dir, "server", "RSA");
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        SSLContext context = serverContext();
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters ssl = context.getDefaultSSLParameters();
                ssl.setNeedClientAuth(true);
                parameters.setSSLParameters(ssl);
            }
        });
        server.createContext("/", exchange -> {
            CALLERS.add(((com.sun.net.httpserver.HttpsExchange) exchange)
                    .getSSLSession()
                    .getPeerPrincipal()
                    .getName());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    private static SSLContext serverContext() throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(serverCertificate.keyStore(), Certificates.PASSWORD.toCharArray());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("client", client.keyStore().getCertificate("client"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    @AfterAll
    static void close() {
        server.stop(0);
    }

    @BeforeEach
    void forget() {
        CALLERS.clear();
    }

    @Test
    void aClientShowsACertificateFromPkcs12() throws Exception {
        Verdict verdict = execute(
                "tls.keystore.type",
                "PKCS12",
                "tls.keystore.path",
                client.pkcs12().toString(),
                "tls.keystore.password",
                Certificates.PASSWORD,
                "tls.truststore.path",
                serverCertificate.certificatePem().toString());

        assertThat(verdict.result()).isEqualTo(Result.SUCCEEDED);
        assertThat(CALLERS).containsExactly("CN=client");
    }

    @Test
    void aClientShowsACertificateFromPem() throws Exception {
        Verdict verdict = execute(
                "tls.keystore.path", client.identityPem().toString(),
                "tls.truststore.path", serverCertificate.certificatePem().toString());

        assertThat(verdict.result()).isEqualTo(Result.SUCCEEDED);
        assertThat(CALLERS).containsExactly("CN=client");
    }

    @Test
    void theKeyInThePemMayBeEncrypted() throws Exception {
        Verdict verdict = execute(
                "tls.keystore.path", client.encryptedIdentityPem().toString(),
                "tls.keystore.password", Certificates.PASSWORD,
                "tls.truststore.path", serverCertificate.certificatePem().toString());

        assertThat(verdict.result()).isEqualTo(Result.SUCCEEDED);
    }

    /** In TLS 1.3 the refusal comes after the client's first bytes; read in time it is certain, after a reset it is a doubt. */
    @Test
    void withoutACertificateTheReceiverCarriesNothingOut() throws Exception {
        Verdict verdict = execute(
                "tls.truststore.path", serverCertificate.certificatePem().toString());

        assertThat(verdict.result()).isIn(Result.RETRYABLE, Result.UNKNOWN);
        assertThat(CALLERS).isEmpty();
    }

    @Test
    void aServerThatIsNotTrustedGetsNothing() throws Exception {
        Verdict verdict = execute("tls.keystore.path", client.identityPem().toString());

        assertThat(verdict.result()).isEqualTo(Result.RETRYABLE);
        assertThat(verdict.inDoubt()).isFalse();
        assertThat(CALLERS).isEmpty();
    }

    @Test
    void aStoreThatCannotBeUsedStopsTheStartByName() throws Exception {
        Path empty = Files.writeString(dir.resolve("empty.pem"), "nothing");

        assertThatThrownBy(() -> execute("tls.keystore.path", empty.toString()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("once.route.r.tls.keystore.path")
                .hasMessageContaining("no certificate");
        assertThatThrownBy(() -> execute(
                        "tls.keystore.path",
                        client.encryptedIdentityPem().toString(),
                        "tls.keystore.password",
                        "wrong"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("once.route.r.tls.keystore.path");
    }

    private static Verdict execute(String... more) throws InterruptedException {
        List<String> settings = new ArrayList<>(List.of(
                "class",
                "OPAQUE",
                "url",
                "https://localhost:" + server.getAddress().getPort() + "/"));
        Stream.of(more).forEach(settings::add);
        try (Attempts attempts = new Attempts(Routes.of(settings.toArray(String[]::new)))) {
            return attempts.execute(Effects.of("r-1", 1, "r", 1));
        }
    }
}
