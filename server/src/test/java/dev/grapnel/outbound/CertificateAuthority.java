package dev.grapnel.outbound;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Signs certificates for tests. Java reads them but does not write them, so the few fields there must be are
/// put together here (X.509, DER).
public final class CertificateAuthority {
    private static final byte[] ECDSA_WITH_SHA256 = sequence(hex("06082a8648ce3d040302"));
    private static final byte[] COMMON_NAME = hex("0603550403");
    private static final byte[] BASIC_CONSTRAINTS_CA =
            sequence(hex("0603551d13"), hex("0101ff"), octets(sequence(hex("0101ff"))));
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final char[] PASSWORD = "test".toCharArray();

    private final AtomicLong serial = new AtomicLong(1);
    private final KeyPair keys = newKeys();
    private final Instant now = Instant.now();
    private final Certificate own = sign(
            keys, "Test authority", BASIC_CONSTRAINTS_CA, now.minus(Duration.ofDays(9)), now.plus(Duration.ofDays(9)));

    /// What trusts this authority and no other.
    public SSLContext trusting() {
        try {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, PASSWORD);
            store.setCertificateEntry("authority", own);
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[0], trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /// A server with a good certificate for a name.
    public SSLContext serving(String name) {
        return serving(name, now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(1)));
    }

    /// A server whose certificate's time is over.
    public SSLContext servingExpired(String name) {
        return serving(name, now.minus(Duration.ofDays(3)), now.minus(Duration.ofDays(1)));
    }

    private SSLContext serving(String name, Instant from, Instant until) {
        try {
            var serverKeys = newKeys();
            var names = octets(sequence(value(0x82, name.getBytes(StandardCharsets.US_ASCII))));
            var certificate = sign(serverKeys, name, sequence(hex("0603551d11"), names), from, until);
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, PASSWORD);
            store.setKeyEntry("server", serverKeys.getPrivate(), PASSWORD, new Certificate[] {certificate});
            var keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keyManagers.init(store, PASSWORD);
            var context = SSLContext.getInstance("TLS");
            context.init(keyManagers.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPair newKeys() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private Certificate sign(KeyPair subject, String name, byte[] extension, Instant from, Instant until) {
        var body = sequence(
                value(0xa0, hex("020102")),
                value(0x02, BigInteger.valueOf(serial.getAndIncrement()).toByteArray()),
                ECDSA_WITH_SHA256,
                nameOf("Test authority"),
                sequence(time(from), time(until)),
                nameOf(name),
                subject.getPublic().getEncoded(),
                value(0xa3, sequence(extension)));
        try {
            var signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(body);
            var whole = sequence(body, ECDSA_WITH_SHA256, value(0x03, join(new byte[] {0}, signature.sign())));
            return CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] nameOf(String text) {
        var utf8 = value(0x0c, text.getBytes(StandardCharsets.UTF_8));
        return sequence(value(0x31, sequence(COMMON_NAME, utf8)));
    }

    private static byte[] time(Instant instant) {
        return value(0x18, TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] sequence(byte[]... parts) {
        return value(0x30, join(parts));
    }

    private static byte[] octets(byte[] content) {
        return value(0x04, content);
    }

    private static byte[] value(int tag, byte[] content) {
        var length = BigInteger.valueOf(content.length).toByteArray();
        var digits = length[0] == 0 && length.length > 1 ? Arrays.copyOfRange(length, 1, length.length) : length;
        var head = new byte[] {(byte) tag};
        return content.length < 128
                ? join(head, digits, content)
                : join(head, new byte[] {(byte) (0x80 | digits.length)}, digits, content);
    }

    private static byte[] join(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (var part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }
}
