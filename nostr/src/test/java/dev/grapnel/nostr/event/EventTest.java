package dev.grapnel.nostr.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.Samples;
import dev.grapnel.nostr.key.PublicKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class EventTest {
    private static final JsonMapper JACKSON = JsonMapper.builder().build();

    @Test
    void partsAreThoseThatWereSigned() {
        var tags =
                List.of(List.of("d", "x"), List.of("clone"), List.of("t", "a\n\"b\"", "c\\"), List.of("", "é🚀\u0000"));
        var event = Samples.event(1_700_000_123, 30617, tags, "line\nend \u0001 🚀");

        assertEquals(Samples.KEY.publicKey(), event.author());
        assertEquals(1_700_000_123, event.createdAt());
        assertEquals(30617, event.kind());
        assertEquals(tags, event.tags().stream().map(Tag::elements).toList());
        assertEquals("line\nend \u0001 🚀", event.content());
    }

    @Test
    void tagsAreFoundByName() {
        var event = Samples.note(
                "",
                List.of(
                        List.of("e", "1"),
                        List.of("clone", "u", "v"),
                        List.of("e", "2"),
                        List.of("é", "3"),
                        List.of("p")));
        var tags = event.tags();

        assertEquals(List.of("1", "2"), tags.values("e"));
        assertEquals(Optional.of("u"), tags.findValue("clone"));
        assertEquals(List.of("u", "v"), tags.findFirst("clone").orElseThrow().values());
        assertEquals(Optional.of("3"), tags.findValue("é"));
        assertEquals(Optional.empty(), tags.findValue("p"));
        assertTrue(tags.has("p"));
        assertFalse(tags.has("cl"));
        assertFalse(tags.has("clones"));
        assertTrue(tags.hasLetter('e'));
        assertFalse(tags.hasLetter('p'), "p has no value");
        assertFalse(tags.hasLetter('E'));
        assertThrows(IndexOutOfBoundsException.class, () -> tags.get(5));
        assertThrows(IndexOutOfBoundsException.class, () -> tags.get(4).element(1));
    }

    @Test
    void replaceableAndAddressableEventsHaveAnAddress() {
        assertEquals("10002:" + Samples.KEY.publicKey() + ":", address(10002, List.of(List.of("d", "x"))));
        assertEquals(
                "30617:" + Samples.KEY.publicKey() + ":x:y",
                address(30617, List.of(List.of("d", "x:y"), List.of("d", "z"))));
        assertEquals("30617:" + Samples.KEY.publicKey() + ":", address(30617, List.of()));
        assertEquals(
                "30617:" + Samples.KEY.publicKey() + ":", address(30617, List.of(List.of("d"), List.of("d", "z"))));
        assertEquals(
                Optional.empty(),
                Samples.event(1, 1, List.of(List.of("d", "x")), "").findAddress());
        assertEquals(
                Optional.empty(),
                Samples.event(1, 20001, List.of(List.of("d", "x")), "").findAddress());
    }

    private static String address(int kind, List<List<String>> tags) {
        var address = Samples.event(1, kind, tags, "").findAddress().orElseThrow();
        assertEquals(address, Address.parse(address.toString()).require());
        return address.toString();
    }

    @Test
    void malformedAddressesAreRefused() {
        var key = Samples.KEY.publicKey().toString();
        for (var text : List.of(
                "",
                "30617",
                "30617:" + key,
                "x:" + key + ":d",
                "65536:" + key + ":d",
                "-1:" + key + ":d",
                "030617:" + key + ":d",
                "30617:" + key.toUpperCase(Locale.ROOT) + ":d",
                "30617::d",
                "99999999999:" + key + ":d",
                "+1:" + key + ":d",
                "٣:" + key + ":d")) {
            assertTrue(Address.parse(text).find().isEmpty(), text);
        }
    }

    @Test
    void kindClassesAreThoseOfNip01() {
        for (int kind : new int[] {1, 2, 4, 41, 44, 45, 999, 1000, 9999, 40000, 65535}) {
            assertEquals(KindClass.REGULAR, KindClass.of(kind), "kind " + kind);
        }
        for (int kind : new int[] {0, 3, 10000, 19999}) {
            assertEquals(KindClass.REPLACEABLE, KindClass.of(kind), "kind " + kind);
        }
        assertEquals(KindClass.EPHEMERAL, KindClass.of(20000));
        assertEquals(KindClass.EPHEMERAL, KindClass.of(29999));
        assertEquals(KindClass.ADDRESSABLE, KindClass.of(30000));
        assertEquals(KindClass.ADDRESSABLE, KindClass.of(39999));
    }

    @Test
    void theUnsignedExampleOfNip59HasItsPublishedId() {
        var author = PublicKey.parse("611df01bfcf85c26ae65453b772d8f1dfd25c264621c0277e1fc1518686faef9")
                .require();
        var draft = new EventDraft(1_691_518_405, 1, List.of(), "Are you going to the party tonight?");

        assertEquals(
                "9dd003c6d3b73b74a85a9ab099469ce251653a7af76f523671ab828acd2a0ef9",
                draft.id(author).toString());
    }

    @Test
    void serialisationsHaveTheLengthsOfTheVectors() {
        var author = Samples.KEY.publicKey();

        assertEquals(80, new EventDraft(0, 1, List.of(), "").canonical(author).length());
        assertEquals(
                143,
                new EventDraft(
                                1_700_000_000,
                                1,
                                List.of(List.of("t", "a\tb")),
                                "line\nquote\"back\\slash\rtab\tbs\bff\fend")
                        .canonical(author)
                        .length());
        assertEquals(
                114,
                new EventDraft(1_700_000_000, 1, List.of(), "\u0000\u0001\u000b\u001f\u007f")
                        .canonical(author)
                        .length());
        assertEquals(
                125,
                new EventDraft(1_700_000_000, 1, List.of(List.of("t", "café")), "é🚀\u2028</script>&/\ufdd1")
                        .canonical(author)
                        .length());
    }

    @Test
    void draftsThatCanNeverBeEventsAreRefusedAtOnce() {
        assertThrows(IllegalArgumentException.class, () -> new EventDraft(-1, 1, List.of(), ""));
        assertThrows(IllegalArgumentException.class, () -> new EventDraft(1L << 53, 1, List.of(), ""));
        assertThrows(IllegalArgumentException.class, () -> new EventDraft(1, 65536, List.of(), ""));
        assertThrows(IllegalArgumentException.class, () -> new EventDraft(1, 1, List.of(List.of()), ""));
        assertThrows(IllegalArgumentException.class, () -> new EventDraft(1, 1, List.of(), "\ud800"));
        assertThrows(IllegalArgumentException.class, () -> new EventDraft(1, 1, List.of(List.of("t", "a\udc00b")), ""));
        assertEquals("\ud83d\ude80", new EventDraft(1, 1, List.of(), "\ud83d\ude80").content());
    }

    @Test
    void newerIsATotalOrder() {
        long seed = 20_261_115;
        var random = new Random(seed);
        var versions = new ArrayList<Version>();
        for (int i = 0; i < 60; i++) {
            versions.add(new Version(
                    random.nextInt(4), new EventId(random.nextInt(2) - 1L, random.nextInt(2), 0, random.nextInt(3))));
        }
        for (var a : versions) {
            for (var b : versions) {
                boolean same = a.equals(b);
                assertEquals(same, !a.isNewerThan(b) && !b.isNewerThan(a), "seed " + seed);
                assertFalse(a.isNewerThan(b) && b.isNewerThan(a), "seed " + seed);
                for (var c : versions) {
                    assertTrue(!a.isNewerThan(b) || !b.isNewerThan(c) || a.isNewerThan(c), "seed " + seed);
                }
            }
        }
        var sorted = new ArrayList<>(versions);
        Collections.sort(sorted);
        assertEquals(Collections.max(versions), sorted.getLast());
    }

    @Test
    void onATieTheLowerIdIsNewerAlsoAboveTheSignBit() {
        var low = new Version(10, EventId.parse("0" + "f".repeat(63)).require());
        var high = new Version(10, EventId.parse("8" + "0".repeat(63)).require());

        assertTrue(low.isNewerThan(high));
        assertTrue(new Version(11, high.id()).isNewerThan(low));
    }

    /// However an event is written, what is read is what was signed, and the normalised form is what Jackson
    /// and a hand-made hash say it is.
    @Test
    void anyWayOfWritingAnEventGivesTheSameNormalisedForm() throws Exception {
        long seed = 20_261_116;
        var random = new Random(seed);
        var reader = new EventReader(EventLimits.DEFAULTS);
        for (int round = 0; round < 2_000; round++) {
            var event = Samples.event(
                    random.nextLong(1L << 40),
                    random.nextInt(65536),
                    Samples.tags(random, 6),
                    Samples.text(random, 40));
            var written = scramble(event, random);
            var context = "seed " + seed + " round " + round + ": " + written;

            assertEquals(new ParsedEvent.Valid(event), reader.read(Samples.utf8(written)), context);
            assertEquals(new ParsedEvent.Valid(event), reader.read(event.json().toArray()), context);
            assertSameAsJackson(event, JACKSON.readTree(written), context);
        }
    }

    private static void assertSameAsJackson(Event event, JsonNode node, String context) throws Exception {
        assertEquals(node.get("id").asString(), event.id().toString(), context);
        assertEquals(node.get("pubkey").asString(), event.author().toString(), context);
        assertEquals(node.get("created_at").asLong(), event.createdAt(), context);
        assertEquals(node.get("kind").asInt(), event.kind(), context);
        assertEquals(node.get("content").asString(), event.content(), context);
        assertEquals(node.get("sig").asString(), event.signature().toString(), context);
        var tags = new ArrayList<List<String>>();
        node.get("tags").forEach(tag -> {
            var elements = new ArrayList<String>();
            tag.forEach(element -> elements.add(element.asString()));
            tags.add(elements);
        });
        assertEquals(tags, event.tags().stream().map(Tag::elements).toList(), context);
        var digest = MessageDigest.getInstance("SHA-256");
        var canonical =
                new EventDraft(event.createdAt(), event.kind(), tags, event.content()).canonical(event.author());
        assertEquals(event.id().toString(), Hex.format(digest.digest(canonical.toArray())), context);
    }

    /// The same event with other spacing, order of fields and spelling of characters.
    private static String scramble(Event event, RandomGenerator random) {
        var fields = new ArrayList<>(List.of(
                "\"id\":\"" + event.id() + "\"",
                "\"pubkey\":\"" + event.author() + "\"",
                "\"created_at\":" + event.createdAt(),
                "\"kind\":" + event.kind(),
                "\"tags\":" + tags(event, random),
                "\"content\":" + string(event.content(), random),
                "\"sig\":\"" + event.signature() + "\"",
                "\"x" + random.nextInt() + "\":[" + string(Samples.text(random, 5), random) + "]"));
        Collections.shuffle(fields, Random.from(random));
        return space(random) + "{" + String.join(space(random) + "," + space(random), fields) + space(random) + "}";
    }

    private static String tags(Event event, RandomGenerator random) {
        var tags = event.tags().stream()
                .map(tag -> "["
                        + String.join(
                                space(random) + ",",
                                tag.elements().stream()
                                        .map(element -> string(element, random))
                                        .toList())
                        + "]")
                .toList();
        return "[" + space(random) + String.join("," + space(random), tags) + "]";
    }

    private static String space(RandomGenerator random) {
        return random.nextInt(3) > 0 ? "" : " \n\t\r".substring(random.nextInt(4));
    }

    private static String string(String text, RandomGenerator random) {
        boolean plain = random.nextBoolean();
        var out = new StringBuilder("\"");
        text.chars().forEach(c -> {
            boolean must = c < 0x20 || c == '"' || c == '\\';
            if (must || (!plain && !Character.isSurrogate((char) c) && random.nextInt(4) == 0)) {
                out.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", c));
            } else {
                out.append((char) c);
            }
        });
        return out.append('"').toString();
    }

    @Test
    void equalEventsAreEqualToTheLastBit() {
        var event = Samples.note("x", List.of());
        var other = new EventDraft(event.createdAt(), event.kind(), List.of(), "x")
                .sign(Samples.KEY, Bytes.wrap(Hex.format(new byte[16]).getBytes(StandardCharsets.US_ASCII)));

        assertEquals(event.id(), other.id());
        assertNotEquals(event, other, "another signature of the same event");
        assertEquals(event, Samples.read(event.toString()));
        assertEquals(event.tags(), other.tags());
    }
}
