package dev.grapnel.nostr.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Word256;
import java.io.Serializable;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretKeyTest {
    private static final String THREE = "0".repeat(63) + "3";
    private static final String ROW_1 = "b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfef";
    private static final String N = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    private static final String N_LESS_1 = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140";
    private static final Bytes ZEROS = Bytes.wrap(new byte[Word256.BYTES]);
    private static final Message MESSAGE =
            Message.of("243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89");

    @Test
    void rowsZeroAndOneOfTheOfficialVectorsAreSignedToTheByte() {
        var three = keyOf(THREE);
        assertEquals(
                "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
                three.publicKey().toHex());
        assertEquals(
                "e907831f80848d1069a5371b402410364bdf1c5f8307b0084c55f1ce2dca8215"
                        + "25f66a4a85ea8b71e482a74f382d2ce5ebeee8fdb2172f477df4900d310536c0",
                three.sign(Message.of("0".repeat(64)), ZEROS).toString());

        var key = keyOf(ROW_1);
        assertEquals(
                "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659",
                key.publicKey().toHex());
        assertEquals(
                "6896bd60eeae296db48a229ff71dfe071bde413e6d43f917dc8dcf8c78de3341"
                        + "8906d11ac976abccb20b091292bff4ea897efcb639ea871cfa95f6de339e4b0a",
                key.sign(MESSAGE, Bytes.parseHex("0".repeat(63) + "1").require())
                        .toString());
    }

    @ParameterizedTest
    @CsvFileSource(resources = "generated-events.csv", numLinesToSkip = 1)
    void eventsGeneratedForTheSpecificationAreSignedToTheByte(String name, String id, String signature) {
        assertEquals(signature, keyOf(THREE).sign(Message.of(id), ZEROS).toString(), name);
    }

    @Test
    void chanceGoesIntoTheSignatureAndLeavesItGood() {
        var key = keyOf(ROW_1);
        var random = new SecureRandom();
        var first = key.sign(MESSAGE, random);
        var second = key.sign(MESSAGE, random);
        assertNotEquals(first, second);
        assertTrue(Schnorr.verify(key.publicKey(), MESSAGE, first));
        assertTrue(Schnorr.verify(key.publicKey(), MESSAGE, second));
    }

    @Test
    void equalChanceGivesEqualSignatures() {
        var key = keyOf(ROW_1);
        var auxiliary = Bytes.parseHex("5a".repeat(Word256.BYTES)).require();
        var random = new ScriptedRandom(List.of(auxiliary));
        assertEquals(key.sign(MESSAGE, auxiliary), key.sign(MESSAGE, random));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 31, 33})
    void auxiliaryBytesOfAnotherNumberAreRefused(int length) {
        var auxiliary = Bytes.wrap(new byte[length]);
        assertThrows(IllegalArgumentException.class, () -> keyOf(ROW_1).sign(MESSAGE, auxiliary));
    }

    @Test
    void smallestAndLargestSecretAreTaken() {
        assertTrue(SecretKey.parse("0".repeat(63) + "1").find().isPresent());
        assertTrue(SecretKey.parse(N_LESS_1).find().isPresent());
    }

    @Test
    void secretThatIsZeroOrNotBelowTheOrderIsRefused() {
        for (var hex : List.of("0".repeat(64), N, "f".repeat(64))) {
            assertEquals(
                    Parsed.<SecretKey>invalid("not a secret key: zero, or not below the order of the curve"),
                    SecretKey.parse(hex));
        }
    }

    @Test
    void upperCaseHexIsTheSameKey() {
        assertEquals(keyOf(ROW_1), keyOf(ROW_1.toUpperCase(Locale.ROOT)));
    }

    @Test
    void anyOtherNumberOfDigitsOrBytesIsRefused() {
        for (var hex : List.of("", ROW_1.substring(1), ROW_1 + "0", ROW_1.substring(2), " " + ROW_1.substring(1))) {
            assertEquals(Optional.empty(), SecretKey.parse(hex).find());
        }
        for (int length : new int[] {0, 31, 33, 64}) {
            var bytes = new byte[length];
            Arrays.fill(bytes, (byte) 1);
            assertEquals(Optional.empty(), SecretKey.of(bytes).find(), length + " bytes");
        }
    }

    @Test
    void laterChangesToTheCallersBytesChangeNothing() {
        var given = Bytes.parseHex(ROW_1).require().toArray();
        var key = SecretKey.of(given).require();
        Arrays.fill(given, (byte) 0);
        Arrays.fill(key.reveal(), (byte) 0);
        assertArrayEquals(Bytes.parseHex(ROW_1).require().toArray(), key.reveal());
    }

    @Test
    void generatingGoesOnUntilTheNumberIsASecret() {
        var random = new ScriptedRandom(List.of(
                ZEROS,
                Bytes.parseHex(N).require(),
                Bytes.parseHex("f".repeat(64)).require(),
                Bytes.parseHex(ROW_1).require()));
        assertEquals(keyOf(ROW_1), SecretKey.generate(random));
    }

    @Test
    void generatedKeysDifferAndCanSign() {
        var random = new SecureRandom();
        var key = SecretKey.generate(random);
        assertNotEquals(key, SecretKey.generate(random));
        assertTrue(Schnorr.verify(key.publicKey(), MESSAGE, key.sign(MESSAGE, ZEROS)));
    }

    @Test
    void keysAreEqualBySecret() {
        assertEquals(keyOf(THREE), keyOf(THREE));
        assertEquals(keyOf(THREE).hashCode(), keyOf(THREE).hashCode());
        assertNotEquals(keyOf(THREE), keyOf(ROW_1));
    }

    /// The negated secret has the same public key and is another secret all the same.
    @Test
    void keysWithOnePublicHalfMayDiffer() {
        var one = keyOf("0".repeat(63) + "1");
        var minusOne = keyOf(N_LESS_1);
        assertEquals(one.publicKey(), minusOne.publicKey());
        assertNotEquals(one, minusOne);
    }

    @Test
    void textNamesThePublicKeyAndNothingOfTheSecret() {
        var key = keyOf(ROW_1);
        assertEquals("SecretKey(of dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659)", key.toString());
        assertTellsNothing(ROW_1, key.toString());
        assertTellsNothing(ROW_1, Parsed.valid(key).toString());
    }

    @Test
    void reasonsHoldNothingOfTheSecret() {
        var spoilt = List.of(
                ROW_1 + "0", ROW_1.substring(1), ROW_1.replace('b', 'x'), "nsec1" + ROW_1, N, " " + ROW_1 + " ");
        for (var text : spoilt) {
            var failure = assertThrows(
                    IllegalArgumentException.class, () -> SecretKey.parse(text).require());
            assertTellsNothing(text, failure.toString());
        }
        var failure = assertThrows(
                IllegalArgumentException.class,
                () -> SecretKey.of(Arrays.copyOf(Bytes.parseHex(ROW_1).require().toArray(), 31))
                        .require());
        assertTellsNothing(ROW_1, failure.toString());
    }

    @Test
    void secretCannotBeSerialised() {
        assertFalse(Serializable.class.isAssignableFrom(SecretKey.class));
    }

    /// No four neighbouring characters of the secret may turn up, in any case.
    private static void assertTellsNothing(String secret, String text) {
        for (int i = 0; i + 4 <= secret.length(); i++) {
            var piece = secret.substring(i, i + 4);
            assertFalse(text.toLowerCase(Locale.ROOT).contains(piece), () -> text + " contains " + piece);
        }
    }

    private static SecretKey keyOf(String hex) {
        return SecretKey.parse(hex).require();
    }

    /// Gives what it was told to give.
    private static final class ScriptedRandom extends SecureRandom {
        private static final long serialVersionUID = 1;

        private final transient ArrayDeque<Bytes> script;

        ScriptedRandom(List<Bytes> script) {
            this.script = new ArrayDeque<>(script);
        }

        @Override
        public void nextBytes(byte[] bytes) {
            script.remove().copyTo(bytes, 0);
        }
    }
}
