package io.hellogpt.once.connect;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A key pair with a certificate for localhost, made by the JDK's keytool, in the forms in which people keep them. */
public final class Certificates {
    public static final String PASSWORD = "changeit";
    private static final String PBE = "PBEWithHmacSHA256AndAES_256";

    private final Path dir;
    private final String name;

    /** @param algorithm RSA or EC */
    public Certificates(Path dir, String name, String algorithm) throws Exception {
        this(dir, name, algorithm, "dns:localhost,ip:127.0.0.1");
    }

    /** @param names what it is for, as keytool writes them */
    public Certificates(Path dir, String name, String algorithm, String names) throws Exception {
        this.dir = dir;
        this.name = name;
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        algorithm,
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=" + names,
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        pkcs12().toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes());
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException(said);
        }
    }

    public Path pkcs12() {
        return dir.resolve(name + ".p12");
    }

    public KeyStore keyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(pkcs12())) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    /** For a server that proves itself with it. */
    public SSLContext serverContext() throws GeneralSecurityException, IOException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(keyStore(), PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private Certificate certificate() throws GeneralSecurityException, IOException {
        return keyStore().getCertificate(name);
    }

    public Path certificatePem() throws GeneralSecurityException, IOException {
        return Files.writeString(
                dir.resolve(name + "-cert.pem"),
                pem("CERTIFICATE", certificate().getEncoded()));
    }

    public Path identityPem() throws GeneralSecurityException, IOException {
        return Files.writeString(
                dir.resolve(name + ".pem"),
                pem("PRIVATE KEY", key().getEncoded())
                        + pem("CERTIFICATE", certificate().getEncoded()));
    }

    public Path encryptedIdentityPem() throws GeneralSecurityException, IOException {
        Cipher cipher = Cipher.getInstance(PBE);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                SecretKeyFactory.getInstance(PBE).generateSecret(new PBEKeySpec(PASSWORD.toCharArray())));
        // The constructor below knows the standard's name of the scheme only.
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2");
        parameters.init(cipher.getParameters().getEncoded());
        byte[] encrypted = new EncryptedPrivateKeyInfo(parameters, cipher.doFinal(key().getEncoded())).getEncoded();
        return Files.writeString(
                dir.resolve(name + "-encrypted.pem"),
                pem("CERTIFICATE", certificate().getEncoded()) + pem("ENCRYPTED PRIVATE KEY", encrypted));
    }

    private Key key() throws GeneralSecurityException, IOException {
        return keyStore().getKey(name, PASSWORD.toCharArray());
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END " + label
                + "-----\n";
    }
}
