package io.hellogpt.once.connect.net;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Certificates and keys in the textual form of RFC 7468. */
final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private final String text;

    Pem(String text) {
        this.text = text;
    }

    /** In the order of the file; for a chain, the client's own is first. */
    List<Certificate> certificates() throws GeneralSecurityException {
        CertificateFactory x509 = CertificateFactory.getInstance("X.509");
        List<Certificate> certificates = new ArrayList<>();
        for (byte[] block : blocks("CERTIFICATE")) {
            certificates.add(x509.generateCertificate(new ByteArrayInputStream(block)));
        }
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException("it holds no certificate");
        }
        return certificates;
    }

    /** @param password of an encrypted key; empty otherwise */
    PrivateKey key(String password) throws GeneralSecurityException {
        List<byte[]> open = blocks("PRIVATE KEY");
        if (!open.isEmpty()) {
            return key(new PKCS8EncodedKeySpec(open.getFirst()));
        }
        List<byte[]> encrypted = blocks("ENCRYPTED PRIVATE KEY");
        if (encrypted.isEmpty()) {
            throw new GeneralSecurityException(
                    "it holds no PKCS#8 private key; openssl pkcs8 -topk8 makes one of other forms");
        }
        return key(decrypted(encrypted.getFirst(), password));
    }

    private static PKCS8EncodedKeySpec decrypted(byte[] block, String password) throws GeneralSecurityException {
        try {
            EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(block);
            // PBES2 tells its algorithm in the parameters only.
            String algorithm = info.getAlgParameters() == null
                    ? info.getAlgName()
                    : info.getAlgParameters().toString();
            Cipher cipher = Cipher.getInstance(algorithm);
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password.toCharArray())),
                    info.getAlgParameters());
            return info.getKeySpec(cipher);
        } catch (IOException e) {
            throw new GeneralSecurityException("its encrypted key cannot be read", e);
        }
    }

    private static PrivateKey key(PKCS8EncodedKeySpec spec) throws GeneralSecurityException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException notThatOne) {
                // The next algorithm; PKCS#8 names it inside, where the JDK does not show it.
            }
        }
        throw new InvalidKeyException("its private key is none of " + ALGORITHMS);
    }

    private List<byte[]> blocks(String label) {
        List<byte[]> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            if (matcher.group(1).equals(label)) {
                blocks.add(Base64.getMimeDecoder().decode(matcher.group(2).getBytes(StandardCharsets.US_ASCII)));
            }
        }
        return blocks;
    }
}
