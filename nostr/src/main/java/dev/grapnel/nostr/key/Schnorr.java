package dev.grapnel.nostr.key;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Parsed.Invalid;
import dev.grapnel.nostr.Parsed.Valid;
import dev.grapnel.nostr.Word256;
import fr.acinq.secp256k1.Secp256k1;
import fr.acinq.secp256k1.Secp256k1Exception;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

/// BIP-340 through libsecp256k1, and the only class that knows it is native code.
///
/// The library is loaded once, when this class is first used. Ask [#findProblem] at the start of a program: a
/// library that does not work is then a sentence for the operator. Without asking, the first use ends in an
/// `IllegalStateException` with the same sentence.
public final class Schnorr {
    private static final Parsed<Secp256k1> LIBRARY = load(Secp256k1::get, platform());

    private Schnorr() {}

    /// Why signatures can be neither made nor checked here, if that is so: names the platform and what to do.
    public static Optional<String> findProblem() {
        return switch (LIBRARY) {
            case Valid<Secp256k1> _ -> Optional.empty();
            case Invalid<Secp256k1>(var reason) -> Optional.of(reason);
        };
    }

    /// Whether the signature over the 32 bytes of the message was made with the secret half of the key. A key
    /// that is not on the curve has signed nothing.
    public static boolean verify(PublicKey key, Word256 message, Signature signature) {
        try {
            return library().verifySchnorr(signature.bytes().toArray(), message.toBytes(), key.toBytes());
        } catch (Secp256k1Exception _) {
            return false; // all lengths are right by type, so what it could not read is the key
        }
    }

    /// The caller has checked that all are 32 bytes and that the secret is one.
    static Signature sign(byte[] secret, byte[] message, byte[] auxiliary) {
        return new Signature(Bytes.wrap(library().signSchnorr(message, secret, auxiliary)));
    }

    /// Whether these bytes, as a number, are between zero and the order of the curve, both excluded.
    static boolean isSecret(byte[] bytes) {
        return library().secKeyVerify(bytes);
    }

    static PublicKey publicKeyOf(byte[] secret) {
        return PublicKey.of(library().pubkeyCreate(secret), 1); // 04, x, y
    }

    /// Loads the library and lets it sign and check something whose outcome is known. Loading alone shows
    /// little: where the extracted file cannot be executed, the binding prints that, returns normally and
    /// fails at the first call.
    static Parsed<Secp256k1> load(Supplier<Secp256k1> loader, String platform) {
        try {
            var library = loader.get();
            return KnownAnswer.isGivenBy(library)
                    ? Parsed.valid(library)
                    : Parsed.invalid(problem(platform, "it computes wrong signatures"));
        } catch (Exception | LinkageError failure) {
            return Parsed.invalid(problem(platform, rootOf(failure).toString()));
        }
    }

    private static Secp256k1 library() {
        return switch (LIBRARY) {
            case Valid<Secp256k1>(var library) -> library;
            case Invalid<Secp256k1>(var reason) -> throw new IllegalStateException(reason);
        };
    }

    private static String problem(String platform, String cause) {
        return ("libsecp256k1 does not work on %s (%s). It is built for Linux with glibc and for macOS on x86-64 and"
                        + " arm64, and for Windows on x86-64. If this is such a machine, the directory for temporary"
                        + " files must be writable and not mounted noexec: name another one with"
                        + " -Dfr.acinq.secp256k1.tmpdir=<directory>. Elsewhere build the library and name its"
                        + " directory with -Dfr.acinq.secp256k1.lib.path=<directory>")
                .formatted(platform, cause);
    }

    private static String platform() {
        return System.getProperty("os.name") + " " + System.getProperty("os.arch");
    }

    /// The binding loads itself by reflection in a static initialiser: what happened is several causes deep.
    private static Throwable rootOf(Throwable failure) {
        var cause = failure.getCause();
        return cause == null ? failure : rootOf(cause);
    }

    /// Row 0 of the BIP-340 test vectors: secret key 3 signs 32 zero bytes with zero auxiliary bytes.
    private static final class KnownAnswer {
        private static final String KEY = "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9";
        private static final String SIGNATURE = "e907831f80848d1069a5371b402410364bdf1c5f8307b0084c55f1ce2dca8215"
                + "25f66a4a85ea8b71e482a74f382d2ce5ebeee8fdb2172f477df4900d310536c0";

        private KnownAnswer() {}

        static boolean isGivenBy(Secp256k1 library) {
            var signature = Signature.parse(SIGNATURE).require().bytes().toArray();
            var key = PublicKey.parse(KEY).require().toBytes();
            var zeros = new byte[Word256.BYTES];
            var three = new byte[Word256.BYTES];
            three[three.length - 1] = 3;
            var otherMessage = key;
            return Arrays.equals(signature, library.signSchnorr(zeros, three, zeros))
                    && library.verifySchnorr(signature, zeros, key)
                    && !library.verifySchnorr(signature, otherMessage, key);
        }
    }
}
