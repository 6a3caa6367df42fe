package dev.grapnel.nostr.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Word256;
import fr.acinq.secp256k1.Secp256k1;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SchnorrTest {
    private static final PublicKey KEY = keyOf("dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659");
    private static final Message MESSAGE =
            Message.of("243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89");
    private static final String R = "6896bd60eeae296db48a229ff71dfe071bde413e6d43f917dc8dcf8c78de3341";
    private static final String S = "8906d11ac976abccb20b091292bff4ea897efcb639ea871cfa95f6de339e4b0a";
    private static final String ZEROS = "0000000000000000000000000000000000000000000000000000000000000000";
    private static final String P = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f";
    private static final String N = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

    @ParameterizedTest
    @CsvFileSource(resources = "bip-340.csv", numLinesToSkip = 1)
    void officialVectorsHaveTheirOfficialOutcome(int row, String key, String message, String signature, boolean valid) {
        assertEquals(valid, Schnorr.verify(keyOf(key), Message.of(message), signatureOf(signature)), "row " + row);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "published-events.csv", numLinesToSkip = 1)
    void signaturesOfPublishedEventsAreGood(String key, String id, String signature) {
        assertTrue(Schnorr.verify(keyOf(key), Message.of(id), signatureOf(signature)));
    }

    @Test
    void signatureIsGoodForItsOwnKeyAndMessageOnly() {
        var signature = signatureOf(R + S);
        assertTrue(Schnorr.verify(KEY, MESSAGE, signature));
        assertFalse(Schnorr.verify(
                keyOf("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"), MESSAGE, signature));
        assertFalse(Schnorr.verify(KEY, Message.of(ZEROS), signature));
    }

    @ParameterizedTest
    @ValueSource(strings = {ZEROS + ZEROS, R + ZEROS, ZEROS + S, R + N, P + S, P + N})
    void signatureWithAPartOutOfRangeIsBad(String signature) {
        assertFalse(Schnorr.verify(KEY, MESSAGE, signatureOf(signature)));
    }

    @Test
    void signatureWithAnyOneBitChangedIsBad() {
        var good = signatureOf(R + S).bytes();
        for (int bit = 0; bit < 8 * Signature.BYTES; bit++) {
            var bytes = good.toArray();
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            var changed = new Signature(Bytes.wrap(bytes));
            assertFalse(Schnorr.verify(KEY, MESSAGE, changed), "bit " + bit);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {ZEROS, P, "eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34"})
    void keyThatIsNoPointHasSignedNothing(String key) {
        assertFalse(Schnorr.verify(keyOf(key), MESSAGE, signatureOf(R + S)));
    }

    @Test
    void libraryWorksOnThisMachine() {
        assertEquals(Optional.empty(), Schnorr.findProblem());
    }

    @Test
    void libraryThatCannotBeLinkedIsNamedWithPlatformAndRemedy() {
        var problem = problemOf(() -> {
            throw new UnsatisfiedLinkError("no secp256k1-jni in java.library.path");
        });
        assertTrue(problem.contains("Plan9 riscv64"), problem);
        assertTrue(problem.contains("no secp256k1-jni in java.library.path"), problem);
        assertTrue(problem.contains("x86-64 and arm64"), problem);
        assertTrue(problem.contains("-Dfr.acinq.secp256k1.tmpdir"), problem);
    }

    @Test
    void rootOfAFailedInitialiserIsNamed() {
        var problem = problemOf(() -> {
            throw new ExceptionInInitializerError(
                    new InvocationTargetException(new IllegalStateException("No native library found")));
        });
        assertTrue(problem.contains("No native library found"), problem);
    }

    @Test
    void libraryThatLoadsButCannotBeCalledDoesNotWork() {
        var problem = problemOf(() -> libraryWhoseAnswersAre(() -> {
            throw new UnsatisfiedLinkError("secp256k1_context_create");
        }));
        assertTrue(problem.contains("secp256k1_context_create"), problem);
    }

    @Test
    void libraryThatSignsWronglyDoesNotWork() {
        var problem = problemOf(() -> libraryWhoseAnswersAre(() -> new byte[Signature.BYTES]));
        assertTrue(problem.contains("wrong signatures"), problem);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void libraryThatFindsEverySignatureAlikeDoesNotWork(boolean verdict) {
        var problem = problemOf(() -> libraryThatVerifies(verdict));
        assertTrue(problem.contains("wrong signatures"), problem);
    }

    /// The real thing with the jar of the native library left out: no fake knows better what the binding does
    /// then.
    @Test
    void missingNativeJarIsASentenceAndLaterUseSaysItAgain() throws Exception {
        try (var classes = classesWithoutNativeJar()) {
            var schnorr = classes.loadClass(Schnorr.class.getName());
            var found = (Optional<?>) schnorr.getMethod("findProblem").invoke(null);
            var problem = (String) found.orElseThrow();
            assertTrue(problem.startsWith("libsecp256k1 does not work on " + System.getProperty("os.name")), problem);

            var use = schnorr.getDeclaredMethod("isSecret", byte[].class);
            use.setAccessible(true);
            var failure = assertThrows(
                    InvocationTargetException.class, () -> use.invoke(null, (Object) new byte[Word256.BYTES]));
            var cause = assertInstanceOf(IllegalStateException.class, failure.getCause());
            assertEquals(problem, cause.getMessage());
        }
    }

    private static URLClassLoader classesWithoutNativeJar() throws IOException, ClassNotFoundException {
        var urls = new URL[] {placeOf(Schnorr.class), placeOf(Secp256k1.class), placeOf(Class.forName("kotlin.Pair"))};
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    private static URL placeOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    private static String problemOf(Supplier<Secp256k1> loader) {
        return switch (Schnorr.load(loader, "Plan9 riscv64")) {
            case Parsed.Invalid<Secp256k1>(var reason) -> reason;
            case Parsed.Valid<Secp256k1> _ -> throw new AssertionError("it works");
        };
    }

    private static Secp256k1 libraryWhoseAnswersAre(Supplier<byte[]> answer) {
        return (Secp256k1) Proxy.newProxyInstance(
                Secp256k1.class.getClassLoader(), new Class<?>[] {Secp256k1.class}, (_, _, _) -> answer.get());
    }

    private static Secp256k1 libraryThatVerifies(boolean verdict) {
        var real = Secp256k1.get();
        return (Secp256k1) Proxy.newProxyInstance(
                Secp256k1.class.getClassLoader(),
                new Class<?>[] {Secp256k1.class},
                (_, method, arguments) ->
                        method.getName().equals("verifySchnorr") ? verdict : method.invoke(real, arguments));
    }

    private static PublicKey keyOf(String hex) {
        return PublicKey.parse(hex).require();
    }

    private static Signature signatureOf(String hex) {
        return Signature.parse(hex).require();
    }
}
