package dev.grapnel.nostr.key;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Word256;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/// A secret key and the public key that belongs to it.
///
/// No record: a record hands its parts out and prints them. Here only [#reveal] gives the secret away; text,
/// reasons and exceptions never hold a digit of it.
public final class SecretKey {
    private static final String OUT_OF_RANGE = "not a secret key: zero, or not below the order of the curve";

    private final byte[] secret;
    private final PublicKey publicKey;

    private SecretKey(byte[] secret) {
        this.secret = secret;
        this.publicKey = Schnorr.publicKeyOf(secret);
    }

    /// Reads exactly 64 hex digits of any case.
    public static Parsed<SecretKey> parse(String hex) {
        return Hex.isHexOfAnyCase(hex, Word256.DIGITS)
                ? Bytes.parseHex(hex).then(bytes -> of(bytes.toArray()))
                : Parsed.invalid("not a secret key: not 64 hex digits");
    }

    /// From 32 bytes, which are copied.
    public static Parsed<SecretKey> of(byte[] bytes) {
        if (bytes.length != Word256.BYTES) {
            return Parsed.invalid("not a secret key: not 32 bytes");
        }
        return Schnorr.isSecret(bytes) ? Parsed.valid(new SecretKey(bytes.clone())) : Parsed.invalid(OUT_OF_RANGE);
    }

    /// A new key. Takes no weaker source of chance, because whoever can guess it owns the key.
    public static SecretKey generate(SecureRandom random) {
        var secret = new byte[Word256.BYTES];
        do {
            random.nextBytes(secret);
        } while (!Schnorr.isSecret(secret)); // about once in 2^128
        return new SecretKey(secret);
    }

    /// Who signs with this key.
    public PublicKey publicKey() {
        return publicKey;
    }

    /// Signs 32 bytes. Chance only hardens the signing against listeners on the machine (BIP-340), so any
    /// source is safe.
    public Signature sign(Word256 message, RandomGenerator random) {
        var auxiliary = new byte[Word256.BYTES];
        random.nextBytes(auxiliary);
        return Schnorr.sign(secret, message.toBytes(), auxiliary);
    }

    /// Signs 32 bytes with given auxiliary bytes: the same input always gives the same signature.
    ///
    /// @throws IllegalArgumentException if there are not 32 auxiliary bytes
    public Signature sign(Word256 message, Bytes auxiliary) {
        if (auxiliary.length() != Word256.BYTES) {
            throw new IllegalArgumentException("auxiliary bytes are 32, not " + auxiliary.length());
        }
        return Schnorr.sign(secret, message.toBytes(), auxiliary.toArray());
    }

    /// A copy of the 32 secret bytes, for handing the key to its owner and for nothing else.
    public byte[] reveal() {
        return secret.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SecretKey that && MessageDigest.isEqual(secret, that.secret);
    }

    /// Made of the public half, so that it tells nothing.
    @Override
    public int hashCode() {
        return publicKey.hashCode();
    }

    /// Names the public key only.
    @Override
    public String toString() {
        return "SecretKey(of " + publicKey + ")";
    }
}
