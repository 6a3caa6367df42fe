package dev.grapnel.nostr.nip19;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.key.SecretKey;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class Nip19Test {
    private static final String KEY_HEX = "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d";
    private static final PublicKey KEY = PublicKey.parse(KEY_HEX).require();
    private static final EventId ID = EventId.parse("543196f25ef9ed178a696cd3927d23245605680642cef2c2f9d57cd622c0ed7c")
            .require();
    private static final String NPUB = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6";
    private static final String SECRET_HEX = "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa";
    private static final String NSEC = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5";

    // Parts of TLV, in hex.
    private static final String SPECIAL_KEY = "0020" + KEY_HEX;
    private static final String AUTHOR = "0220" + KEY_HEX;
    private static final String IDENTIFIER = "00056772617370"; // grasp
    private static final String KIND = "030400007799"; // 30617

    @ParameterizedTest
    @CsvSource({
        KEY_HEX + "," + NPUB,
        "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e,"
                + "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg",
        "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9,"
                + "npub1lycg5qvjtrp3qjf5f7zl382j9x6nrjz9sdhenvyxq8c3808qxmus6gq266"
    })
    void npubIsThePublicKeyBothWays(String hex, String text) {
        var npub = new Npub(PublicKey.parse(hex).require());
        assertEquals(Parsed.<Nip19>valid(npub), Nip19.parse(text));
        assertEquals(Parsed.valid(npub), Npub.parse(text));
        assertEquals(text, npub.text());
        assertEquals(text, npub.toString());
    }

    @Test
    void nsecIsTheSecretKeyBothWays() {
        var nsec = new Nsec(SecretKey.parse(SECRET_HEX).require());
        assertEquals(Parsed.<Nip19>valid(nsec), Nip19.parse(NSEC));
        assertEquals(Parsed.valid(nsec), Nsec.parse(NSEC));
        assertEquals(NSEC, nsec.revealed());
    }

    @Test
    void noteIsTheEventIdBothWays() {
        var text = "note12sceduj7l8k30znfdnfeylfry3tq26qxgt809she647dvgkqa47qq0xsy3";
        assertEquals(Parsed.<Nip19>valid(new Note(ID)), Nip19.parse(text));
        assertEquals(text, new Note(ID).text());
        assertEquals(text, new Note(ID).toString());
    }

    @Test
    void nprofileIsKeyAndRelaysBothWays() {
        var text = "nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhx"
                + "ue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p";
        var nprofile = new Nprofile(KEY, List.of("wss://r.x.com", "wss://djbas.sadkb.com"));
        assertEquals(Parsed.<Nip19>valid(nprofile), Nip19.parse(text));
        assertEquals(Parsed.valid(text), nprofile.write());
    }

    /// A client wrote this one in the opposite order of parts; both orders say the same.
    @Test
    void naddrIsReadInAnyOrderAndWrittenInTheCommonOne() {
        var naddr = new Naddr(
                "grasp",
                PublicKey.parse("a008def15796fba9a0d6fab04e8fd57089285d9fd505da5a83fe8aad57a3564d")
                        .require(),
                30617,
                List.of("wss://relay.ngit.dev"));
        var theirs = "naddr1qvzqqqrhnypzpgqgmmc409hm4xsdd74sf68a2uyf9pwel4g9mfdg8l5244t6x4jdqy28wumn8ghj7un9d3shjtnwva5"
                + "hgtnyv4mqqpt8wfshxuqlnvh8x";
        var ours = "naddr1qqzkwunpwdcqz9rhwden5te0wfjkccte9ehxw6t59ejx2aszyzsq3hh327t0h2dq6matqn5064cgj2zanl2stkj6s0lg4"
                + "t2h5dty6qcyqqq80xgnws2cu";
        assertEquals(Parsed.<Nip19>valid(naddr), Nip19.parse(theirs));
        assertEquals(Parsed.<Nip19>valid(naddr), Nip19.parse(ours));
        assertEquals(Parsed.valid(ours), naddr.write());
    }

    @Test
    void neventIsIdRelaysAuthorAndKindBothWays() {
        var text =
                "nevent1qqs9gvvk7f00nmgh3f5ke5uj053jg4s9dqry9nhjctua2lxkytqw6lqpz4mhxue69uhkw6t59ejhsctdwpkx2tnrdaksy"
                        + "g8exz9qryjccvgyjdz0shuf653fk5cus3vrd7vmppsp7yfmecpklypsgqqqw7vs4qydx2";
        var nevent = Nevent.of(ID)
                .withRelays(List.of("wss://git.example.com"))
                .withAuthor(PublicKey.parse("f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9")
                        .require())
                .withKind(30617);
        assertEquals(Parsed.<Nip19>valid(nevent), Nip19.parse(text));
        assertEquals(Parsed.valid(text), nevent.write());
    }

    @Test
    void neventMayBeAnIdAlone() {
        var text = "nevent1qqs9gvvk7f00nmgh3f5ke5uj053jg4s9dqry9nhjctua2lxkytqw6lq62yfys";
        assertEquals(Parsed.<Nip19>valid(Nevent.of(ID)), Nip19.parse(text));
        assertEquals(Parsed.valid(text), Nevent.of(ID).write());
    }

    @Test
    void nrelayIsTheAddressBothWays() {
        var text = "nrelay1qq28wumn8ghj7un9d3shjtnwva5hgtnyv4mqlf87ct";
        assertEquals(Parsed.<Nip19>valid(new Nrelay("wss://relay.ngit.dev")), Nip19.parse(text));
        assertEquals(Parsed.valid(text), new Nrelay("wss://relay.ngit.dev").write());
    }

    @Test
    void upperCaseIsReadButIsNoPath() {
        var upper = NPUB.toUpperCase(Locale.ROOT);
        assertEquals(Parsed.<Nip19>valid(new Npub(KEY)), Nip19.parse(upper));
        assertEquals(Parsed.<Npub>invalid("not in lower case"), Npub.parse(upper));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "npub",
                "npub1",
                "npub1test",
                KEY_HEX,
                NSEC,
                " " + NPUB,
                NPUB + " ",
                NPUB + ".git",
                "nostr:" + NPUB,
                // a prefix that only ends like ours, and an unknown one, both with good checksums
                "n1pub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsu724dy",
                "nfoo180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkws7q0hpd",
                // bech32m, padding bit set, a letter too many, 31 bytes, 33 bytes, none
                "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkws3w8ktc",
                "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkw3eyr0ng",
                "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6g5qetka9w",
                "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6g5f6fxy8",
                "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsqaacg5m",
                "npub106246s"
            })
    void onlyAnNpubIsAnNpub(String text) {
        assertEquals(Optional.empty(), Npub.parse(text).find());
    }

    @Test
    void prefixThatNip19DoesNotKnowIsRefused() {
        assertEquals(
                Parsed.<Nip19>invalid("a prefix that NIP-19 does not know"),
                Nip19.parse("nfoo180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkws7q0hpd"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"npub", "nsec", "note"})
    void plainKindsHaveExactly32Bytes(String prefix) {
        for (int length : new int[] {0, 1, 31, 33, 64}) {
            var hex = "01".repeat(length);
            assertEquals(Optional.empty(), Nip19.parse(textOf(prefix, hex)).find(), length + " bytes");
        }
        assertTrue(Nip19.parse(textOf(prefix, "01".repeat(32))).find().isPresent());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nsec1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqwkhnav", // zero
                "nsec1lllllllllllllllllllllllll6a2ah8x4ay2qwal6f0ge5pkg9qstu3zum" // the order of the curve
            })
    void nsecOutOfRangeIsRefused(String text) {
        assertEquals(Optional.empty(), Nsec.parse(text).find());
    }

    @Test
    void nsecShowsNothingOfTheSecretUnlessAsked() {
        var nsec = Nsec.parse(NSEC).require();
        for (var text : List.of(nsec.toString(), Nip19.parse(NSEC).toString())) {
            assertTellsNothing(text, NSEC);
            assertTellsNothing(text, SECRET_HEX);
        }
    }

    @Test
    void reasonsTellNothingOfASpoiltSecret() {
        var spoilt = List.of(
                NSEC + "q",
                NSEC.substring(0, 40),
                NSEC.replace('v', 'b'),
                NSEC.replace('v', 'V'),
                NSEC.replace("nsec", "npub"),
                NSEC + " ",
                "é" + NSEC,
                SECRET_HEX,
                textOf("nsec", SECRET_HEX + "00"),
                textOf("nprofile", "0020" + SECRET_HEX + "01"));
        for (var text : spoilt) {
            var reasons = List.of(reasonOf(Nip19.parse(text)), reasonOf(Nsec.parse(text)), reasonOf(Npub.parse(text)));
            for (var reason : reasons) {
                assertTellsNothing(reason, NSEC);
                assertTellsNothing(reason, SECRET_HEX);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "nprofile, ''",
        "nprofile, 0105" + "7773733a2f",
        "nprofile, 001f" + "01010101010101010101010101010101010101010101010101010101010101",
        "nprofile, 0021" + KEY_HEX + "00",
        "nprofile, 0000",
        "nprofile, " + SPECIAL_KEY + "0102c328", // a relay that is not UTF-8
        "nevent, " + AUTHOR + KIND,
        "nevent, " + SPECIAL_KEY + "0200",
        "nevent, " + SPECIAL_KEY + "0221" + KEY_HEX + "00",
        "nevent, " + SPECIAL_KEY + "0300",
        "nevent, " + SPECIAL_KEY + "0303007799",
        "nevent, " + SPECIAL_KEY + "03050000007799",
        "nevent, " + SPECIAL_KEY + "030400010000", // 65536
        "nevent, " + SPECIAL_KEY + "0304ffffffff",
        "naddr, " + AUTHOR + KIND,
        "naddr, " + IDENTIFIER + KIND,
        "naddr, " + IDENTIFIER + AUTHOR,
        "naddr, " + "0001ff" + AUTHOR + KIND, // an identifier that is not UTF-8
        "naddr, " + "0003eda080" + AUTHOR + KIND, // half of a surrogate pair
        "nrelay, ''",
        "nrelay, 0103777373",
        "nrelay, 0001ff"
    })
    void textWithAMissingOrMisshapenPartIsRefused(String prefix, String hex) {
        assertEquals(Optional.empty(), Nip19.parse(textOf(prefix, hex)).find());
    }

    @Test
    void dataThatEndInsideAPartAreRefused() {
        var parts = List.of(IDENTIFIER, "0103777373", AUTHOR, KIND);
        var whole = String.join("", parts);
        var reason = Parsed.<Nip19>invalid("ends inside a part");
        int boundary = 0;
        for (var part : parts) {
            for (int end = boundary + 2; end < boundary + part.length(); end += 2) {
                assertEquals(reason, Nip19.parse(textOf("naddr", whole.substring(0, end))), end / 2 + " bytes");
            }
            boundary += part.length();
        }
        assertTrue(Nip19.parse(textOf("naddr", whole)).find().isPresent());
    }

    @Test
    void partsOfUnknownTypeAreSkipped() {
        var withUnknown = "0400" + "ff03616263" + SPECIAL_KEY + "0501ff" + "0103777373" + "8000";
        assertEquals(
                Parsed.<Nip19>valid(new Nprofile(KEY, List.of("wss"))), Nip19.parse(textOf("nprofile", withUnknown)));
    }

    /// What means something elsewhere means nothing here, whatever its shape.
    @Test
    void authorAndKindOfAProfileAreSkipped() {
        assertEquals(
                Parsed.<Nip19>valid(new Nprofile(KEY, List.of())),
                Nip19.parse(textOf("nprofile", SPECIAL_KEY + "0200" + "0301ff")));
    }

    @Test
    void firstOfARepeatedPartCounts() {
        var other = "0020" + "11".repeat(32);
        assertEquals(
                Parsed.<Nip19>valid(new Nprofile(KEY, List.of())),
                Nip19.parse(textOf("nprofile", SPECIAL_KEY + other + "0000")));
        assertEquals(
                Parsed.<Nip19>valid(new Naddr("grasp", KEY, 30617, List.of())),
                Nip19.parse(textOf(
                        "naddr", IDENTIFIER + "000161" + AUTHOR + "0220" + "11".repeat(32) + KIND + "030400000001")));
    }

    @Test
    void identifierMayBeEmpty() {
        var naddr = new Naddr("", KEY, 10317, List.of());
        assertEquals(Parsed.<Nip19>valid(naddr), naddr.write().then(Nip19::parse));
    }

    @Test
    void partOfMoreThan255BytesCannotBeWritten() {
        var fits = new Naddr("é".repeat(127) + "a", KEY, 30617, List.of());
        assertEquals(Parsed.<Nip19>valid(fits), fits.write().then(Nip19::parse));
        assertEquals(
                Parsed.<String>invalid("the main value is longer than 255 bytes"),
                new Naddr("é".repeat(128), KEY, 30617, List.of()).write());
        assertEquals(
                Parsed.<String>invalid("the relay is longer than 255 bytes"),
                Nevent.of(ID).withRelays(List.of("wss://a", "a".repeat(256))).write());
        assertEquals(
                Parsed.<String>invalid("the main value is longer than 255 bytes"), new Nrelay("a".repeat(256)).write());
    }

    @Test
    void halfASurrogatePairCannotBeWritten() {
        assertEquals(
                Parsed.<String>invalid("the main value is not Unicode text"),
                new Naddr("a\ud83d", KEY, 30617, List.of()).write());
    }

    @Test
    void textOfMoreThan5000CharactersCannotBeWritten() {
        var relays = IntStream.range(0, 100)
                .mapToObj(i -> "wss://relay-number-" + i + ".example.com")
                .toList();
        assertEquals(Parsed.<String>invalid("longer than 5000 characters"), new Nprofile(KEY, relays).write());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536})
    void kindOutOfRangeIsTheCallersMistake(int kind) {
        assertThrows(IllegalArgumentException.class, () -> new Naddr("a", KEY, kind, List.of()));
        assertThrows(IllegalArgumentException.class, () -> Nevent.of(ID).withKind(kind));
    }

    @Test
    void whateverIsWrittenIsReadAsTheSame() {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            var message = "seed " + seed + ", round " + round;
            var key = PublicKey.of(bytes(random), 0);
            var id = EventId.of(bytes(random), 0);
            var relays = IntStream.range(0, random.nextInt(4))
                    .mapToObj(_ -> text(random))
                    .toList();
            int kind = random.nextInt(65_536);
            var nevent = Nevent.of(id).withRelays(relays);
            nevent = random.nextBoolean() ? nevent.withAuthor(key) : nevent;
            nevent = random.nextBoolean() ? nevent.withKind(kind) : nevent;
            var nprofile = new Nprofile(key, relays);
            var naddr = new Naddr(text(random), key, kind, relays);
            var nrelay = new Nrelay(text(random));
            var secret = SecretKey.of(bytes(random)).map(Nsec::new).require();

            assertEquals(Parsed.valid(new Npub(key)), Npub.parse(new Npub(key).text()), message);
            assertEquals(Parsed.valid(secret), Nsec.parse(secret.revealed()), message);
            assertEquals(Parsed.<Nip19>valid(new Note(id)), Nip19.parse(new Note(id).text()), message);
            assertEquals(Parsed.<Nip19>valid(nevent), nevent.write().then(Nip19::parse), message);
            assertEquals(Parsed.<Nip19>valid(nprofile), nprofile.write().then(Nip19::parse), message);
            assertEquals(Parsed.<Nip19>valid(naddr), naddr.write().then(Nip19::parse), message);
            assertEquals(Parsed.<Nip19>valid(nrelay), nrelay.write().then(Nip19::parse), message);
        }
    }

    @Test
    void noBytesOfAStrangerAreReadWithAnException() {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        var prefixes = List.of("npub", "nsec", "note", "nprofile", "nevent", "naddr", "nrelay");
        int read = 0;
        for (int round = 0; round < 20_000; round++) {
            var data = new byte[random.nextInt(80)];
            for (int i = 0; i < data.length; i++) {
                data[i] = (byte) (random.nextBoolean() ? random.nextInt(5) : random.nextInt(256));
            }
            var text =
                    Bech32.encode(prefixes.get(round % prefixes.size()), data).require();
            try {
                read += Nip19.parse(text).find().isPresent() ? 1 : 0;
            } catch (RuntimeException failure) {
                throw new AssertionError("seed " + seed + ", round " + round + ": " + text, failure);
            }
        }
        assertNotEquals(0, read, "seed " + seed);
    }

    private static byte[] bytes(Random random) {
        var bytes = new byte[32];
        random.nextBytes(bytes);
        bytes[0] = 1; // so that it may be a secret key
        return bytes;
    }

    /// At most 60 code points of up to four bytes.
    private static String text(Random random) {
        return random.ints(random.nextInt(60), 0, 0x110000)
                .filter(c -> c < 0xd800 || c > 0xdfff)
                .map(c -> random.nextBoolean() ? 'a' + c % 26 : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static String textOf(String prefix, String hex) {
        return Bech32.encode(prefix, Bytes.parseHex(hex).require().toArray()).require();
    }

    private static String reasonOf(Parsed<?> parsed) {
        return switch (parsed) {
            case Parsed.Invalid<?>(var reason) -> reason;
            case Parsed.Valid<?> _ -> throw new AssertionError("it is good");
        };
    }

    /// No four neighbouring characters after the prefix may turn up, in any case.
    private static void assertTellsNothing(String text, String secret) {
        for (int i = secret.startsWith("nsec1") ? 5 : 0; i + 4 <= secret.length(); i++) {
            var piece = secret.substring(i, i + 4);
            assertFalse(text.toLowerCase(Locale.ROOT).contains(piece), () -> text + " contains " + piece);
        }
    }
}
