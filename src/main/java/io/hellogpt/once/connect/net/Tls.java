package io.hellogpt.once.connect.net;

import io.hellogpt.once.connect.config.Route;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.common.config.ConfigException;

/** TLS as a route is set up for it. */
public final class Tls {
    private Tls() {}

    /**
     * Reads the route's stores.
     *
     * @throws ConfigException naming the setting whose file cannot be used
     */
    public static SSLContext context(Route.Network network) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(identity(network.identity()), trusted(network.trusted()), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no usable TLS", e);
        }
    }

    /** Null lets the context choose, which is what its API asks for. */
    private static KeyManager[] identity(Optional<Route.Store> store) {
        if (store.isEmpty()) {
            return null;
        }
        try {
            String password = store.get().password();
            KeyStore keys = store.get().pem() ? pemIdentity(store.get()) : pkcs12(store.get());
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, password.toCharArray());
            return factory.getKeyManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw unusable(store.get(), e);
        }
    }

    private static TrustManager[] trusted(Optional<Route.Store> store) {
        if (store.isEmpty()) {
            return null;
        }
        try {
            KeyStore certificates = store.get().pem() ? pemTrusted(store.get()) : pkcs12(store.get());
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(certificates);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw unusable(store.get(), e);
        }
    }

    private static KeyStore pkcs12(Route.Store store) throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Path.of(store.path()))) {
            keys.load(in, store.password().toCharArray());
        }
        return keys;
    }

    private static KeyStore pemIdentity(Route.Store store) throws GeneralSecurityException, IOException {
        Pem pem = new Pem(Files.readString(Path.of(store.path())));
        List<Certificate> chain = pem.certificates();
        KeyStore keys = empty();
        keys.setKeyEntry(
                "client", pem.key(store.password()), store.password().toCharArray(), chain.toArray(Certificate[]::new));
        return keys;
    }

    private static KeyStore pemTrusted(Route.Store store) throws GeneralSecurityException, IOException {
        KeyStore certificates = empty();
        int number = 0;
        for (Certificate certificate : new Pem(Files.readString(Path.of(store.path()))).certificates()) {
            certificates.setCertificateEntry("trusted-" + number++, certificate);
        }
        return certificates;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static ConfigException unusable(Route.Store store, Exception cause) {
        ConfigException unusable = new ConfigException(store.key() + ": the file " + store.path()
                + " cannot be used on this worker (" + cause.getMessage() + ")");
        unusable.initCause(cause);
        return unusable;
    }
}
