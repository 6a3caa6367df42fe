package dev.grapnel.server;

import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertNotice;
import static dev.grapnel.server.Replies.assertRefused;
import static dev.grapnel.server.Replies.assertTaken;
import static dev.grapnel.server.Replies.publishing;
import static dev.grapnel.server.Replies.quoted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.engine.ManualTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which events a relay takes and how it refuses the others (relay 1), as a client sees it. The rows of BIP-340
/// (row 15) cannot be events; the signature code has them.
@TestInstance(Lifecycle.PER_CLASS)
final class EventValidityTest {
    private static final long TIME = 1_700_000_000;
    private static final String ORDER_N = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    private static final String PRIME_P = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f";

    /// Relay 9.3: signed with secret key 3 and no randomness, as are the samples of author 2.
    private static final String G1 = "{\"id\":\"543196f25ef9ed178a696cd3927d23245605680642cef2c2f9d57cd622c0ed7c\","
            + "\"pubkey\":\"f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9\",\"created_at\":0,"
            + "\"kind\":1,\"tags\":[],\"content\":\"\",\"sig\":\"255314eb13f098dc3d4bf72c0732a7fbd03eed596d249170b89"
            + "70adf91f1d6a7646e0e482fb1de2d425aa42176e76afc8f67eea974ea3646bad33af0e99fb6a6\"}";

    private static final String G2 = vector(
            "d47e1e69e0ce3460c37c392baf2c51c704d8d3a8715a5072b4e648c860afc98b",
            "[[\"t\",\"a\\tb\"]]",
            "\"line\\nquote\\\"back\\\\slash\\rtab\\tbs\\bff\\fend\"",
            "8c880b9802eb89f02112c6d809922ade4d13dc9e523702cd3fe40e565250fa448d608e5f0af41faa25e7b3ef2c1e86bc91cb94003"
                    + "715e7b89d9f404d2cae5d17");

    private static final String G3_ID = "7e271de5a3d14f470688abc68f77250c2ac86ffda31d70b7f79cd5caa04e232c";
    private static final String G3 = vector(
            G3_ID,
            "[]",
            "\"\\u0000\\u0001\\u000b\\u001f\u007f\"",
            "c79a8f83326a8d208598d3724976d73b36389626b3014439afbd614921f95eb5443d2e74b490ca2c33382c415497eeca13bb54e11"
                    + "a3f1014bc3fb037552c688e");

    private static final String G4 = vector(
            "24489fa442ddaf4809bbe565baa1bfd7074204ad822f9b266e639d0315ae311a",
            "[[\"t\",\"caf\u00e9\"]]",
            "\"\u00e9\uD83D\uDE80\u2028</script>&/\ufdd1\"",
            "356470c09c62b502d9389e0993cacdf60e38e386888dcc5cada916b89a600bddee322606b22f04be77fecd762586f5ed75357ec19"
                    + "f7bf77e665a7a191dfe3d2e");

    private RelayUnderTest relay;
    private RelayClient client;

    @BeforeAll
    void start() {
        relay = RelayUnderTest.start();
    }

    @AfterAll
    void stop() {
        relay.close();
    }

    @BeforeEach
    void connect() throws IOException {
        client = relay.connect();
    }

    @AfterEach
    void disconnect() throws IOException {
        client.close();
    }

    private static String vector(String id, String tags, String content, String signature) {
        return "{\"id\":\"" + id
                + "\",\"pubkey\":\"f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9\","
                + "\"created_at\":1700000000,\"kind\":1,\"tags\":" + tags + ",\"content\":" + content + ",\"sig\":\""
                + signature + "\"}";
    }

    /// A note whose fields can be changed.
    private static Event sample(String content) {
        return StoreSamples.event(7, 1, TIME, List.of(List.of("t", "x")), content);
    }

    /// The fields of an event as JSON, in their order.
    private static Map<String, String> fields(Event event) {
        var fields = new LinkedHashMap<String, String>();
        fields.put("id", quoted(event.id().toString()));
        fields.put("pubkey", quoted(event.author().toString()));
        fields.put("created_at", Long.toString(event.createdAt()));
        fields.put("kind", Integer.toString(event.kind()));
        fields.put("tags", "[[\"t\",\"x\"]]");
        fields.put("content", quoted(event.content()));
        fields.put("sig", quoted(event.signature().toString()));
        return fields;
    }

    private static String json(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> quoted(field.getKey()) + ":" + field.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String with(Event event, String field, String value) {
        var fields = fields(event);
        fields.put(field, value);
        return json(fields);
    }

    private static String stored(Object id) {
        return "{\"ids\":[\"" + id + "\"]}";
    }

    private void assertNotStored(Object id) throws IOException {
        assertEquals(List.of(), client.query(stored(id)));
    }

    /// The text in which an event is delivered.
    private String delivered(Object id) throws IOException {
        var text = client.ask("[\"REQ\",\"d\"," + stored(id) + "]");
        assertEquals("[\"EOSE\",\"d\"]", client.receive());
        client.send("[\"CLOSE\",\"d\"]");
        var prefix = "[\"EVENT\",\"d\",";
        assertTrue(text.startsWith(prefix), text);
        return text.substring(prefix.length(), text.length() - 1);
    }

    private void assertTakenAndDelivered(String id, String event) throws IOException {
        assertEquals("[\"OK\",\"" + id + "\",true,\"\"]", client.ask(publishing(event)));
        assertEquals(event, delivered(id));
    }

    // ---- form

    @Test // row 1
    void takesTheSmallestEvent() throws Exception {
        assertTakenAndDelivered("543196f25ef9ed178a696cd3927d23245605680642cef2c2f9d57cd622c0ed7c", G1);
    }

    @ParameterizedTest // row 2
    @ValueSource(strings = {"id", "pubkey", "created_at", "kind", "tags", "content", "sig"})
    void refusesAnEventThatLacksAField(String field) throws Exception {
        var event = sample("lacks " + field);
        var fields = fields(event);
        fields.remove(field);
        if (field.equals("id")) {
            assertNotice(client, publishing(json(fields)), "invalid: ");
        } else {
            assertRefused(client, event.id(), json(fields), "invalid: ");
        }
        assertNotStored(event.id());
    }

    static Stream<Arguments> wrongTypes() {
        var values = List.of("null", "1", "\"x\"", "[]", "{}", "true", "[[\"t\",\"x\"]]");
        return Stream.of("id", "pubkey", "created_at", "kind", "tags", "content", "sig")
                .flatMap(field -> values.stream()
                        .filter(value -> !isRightType(field, value))
                        .map(value -> Arguments.of(field, value)));
    }

    private static boolean isRightType(String field, String value) {
        return switch (field) {
            case "created_at", "kind" -> value.equals("1");
            case "tags" -> value.startsWith("[");
            default -> value.startsWith("\"");
        };
    }

    @ParameterizedTest // row 3
    @MethodSource("wrongTypes")
    void refusesAFieldOfAnotherType(String field, String value) throws Exception {
        var event = sample(field + " " + value);
        if (field.equals("id")) {
            assertNotice(client, publishing(with(event, field, value)), "invalid: ");
        } else {
            assertRefused(client, event.id(), with(event, field, value), "invalid: ");
        }
        assertNotStored(event.id());
    }

    @ParameterizedTest // row 4
    @ValueSource(strings = {"id", "pubkey", "sig"})
    void refusesCapitalsAndEchoesTheIdAsSent(String field) throws Exception {
        var event = sample("capitals in " + field);
        var value = Objects.requireNonNull(fields(event).get(field)).toUpperCase(Locale.ROOT);
        var id = field.equals("id") ? event.id().toString().toUpperCase(Locale.ROOT) : event.id();
        assertRefused(client, id, with(event, field, value), "invalid: ");
        assertNotStored(event.id());
    }

    @ParameterizedTest // row 5
    @ValueSource(ints = {63, 65})
    void answersAnIdOfAnotherLengthByNotice(int length) throws Exception {
        var event = sample("id of " + length);
        var id = (event.id() + "0").substring(0, length);
        assertNotice(client, publishing(with(event, "id", quoted(id))), "invalid: ");
        client.expectNothing();
    }

    @Test // row 6
    void takesKindsUpTo65535() throws Exception {
        assertTaken(client, StoreSamples.event(7, 65_535, TIME, List.of(), ""));
        var event = sample("kind");
        assertRefused(client, event.id(), with(event, "kind", "65536"), "invalid: ");
        assertRefused(client, event.id(), with(event, "kind", "-1"), "invalid: ");
    }

    @ParameterizedTest // row 7
    @ValueSource(strings = {"1.0", "1e9", "\"1700000000\"", "-1", "-0"})
    void refusesDatesThatAreNotPlainNumbers(String date) throws Exception {
        var event = sample("date " + date);
        assertRefused(client, event.id(), with(event, "created_at", date), "invalid: ");
    }

    @Test // row 8
    void takesDatesUpTo53BitsWhenTheirTimeHasCome() throws Exception {
        long latest = (1L << 53) - 1;
        var event = StoreSamples.event(7, 1, latest, List.of(List.of("t", "x")), "late");
        assertRefused(client, event, "invalid: created_at is more than 900 seconds in the future");
        try (var future = RelayUnderTest.startAt(new ManualTime(latest - 500));
                var other = future.connect()) {
            assertTaken(other, event);
            assertEquals(List.of(event), other.events("{\"since\":" + latest + "}"));
            assertRefused(other, event.id(), with(event, "created_at", Long.toString(latest + 1)), "invalid: ");
        }
    }

    @Test // row 9
    void takesEventsDatedUpToFifteenMinutesAhead() throws Exception {
        try (var timed = RelayUnderTest.startAt(new ManualTime(TIME));
                var other = timed.connect()) {
            assertTaken(other, StoreSamples.event(7, 1, TIME + 900, List.of(), ""));
            assertRefused(other, StoreSamples.event(7, 1, TIME + 901, List.of(), ""), "invalid: ");
        }
    }

    @Test // row 10
    void takesEventsOfThePreviousCentury() throws Exception {
        assertTaken(client, StoreSamples.event(7, 1, 915_148_800, List.of(), "1999"));
    }

    @Test
    void refusesOldEventsIfToldTo() throws Exception {
        try (var timed = RelayUnderTest.startAt(new ManualTime(TIME), "CREATED_AT_LOWER_LIMIT", "60");
                var other = timed.connect()) {
            assertTaken(other, StoreSamples.event(7, 1, TIME - 60, List.of(), ""));
            assertRefused(other, StoreSamples.event(7, 1, TIME - 61, List.of(), ""), "invalid: ");
        }
    }

    // ---- id and signature

    @Test // row 11
    void refusesAnIdThatIsNotTheHash() throws Exception {
        var event = sample("signed");
        assertRefused(client, event.id(), with(event, "content", "\"changed\""), "invalid: ");
        assertNotStored(event.id());
    }

    @Test // row 12
    void refusesTheSignatureOfAnother() throws Exception {
        var event = sample("mine");
        var other = StoreSamples.secretKey(8).sign(event.id(), Bytes.wrap(new byte[32]));
        assertRefused(client, event.id(), with(event, "sig", quoted(other.toString())), "invalid: signature");
        assertNotStored(event.id());
    }

    @Test // row 13
    void refusesSignaturesOutOfRange() throws Exception {
        var event = sample("signature");
        var signature = event.signature().toString();
        for (var wrong :
                List.of("0".repeat(128), signature.substring(0, 64) + ORDER_N, PRIME_P + signature.substring(64))) {
            assertRefused(client, event.id(), with(event, "sig", quoted(wrong)), "invalid: signature");
        }
        assertNotStored(event.id());
    }

    @Test // row 14
    void refusesAKeyThatIsNoPoint() throws Exception {
        var nobody = PublicKey.parse("eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34")
                .require();
        var id = new EventDraft(TIME, 1, List.of(List.of("t", "x")), "").id(nobody);
        var fields = fields(sample(""));
        fields.put("id", quoted(id.toString()));
        fields.put("pubkey", quoted(nobody.toString()));
        assertRefused(client, id, json(fields), "invalid: signature does not verify, or pubkey is not on the curve");
    }

    // ---- text

    @Test // rows 16, 17, 18, 19
    void hashesEveryCharacterAsAllOthersDo() throws Exception {
        assertTakenAndDelivered("d47e1e69e0ce3460c37c392baf2c51c704d8d3a8715a5072b4e648c860afc98b", G2);
        assertTakenAndDelivered(G3_ID, G3);
        assertTakenAndDelivered("24489fa442ddaf4809bbe565baa1bfd7074204ad822f9b266e639d0315ae311a", G4);
    }

    @ParameterizedTest // rows 17, 18
    @ValueSource(
            strings = {
                "de71551cbadc3f9d3fbfb1cc1333283c1626021498fcc6350d7b26f40b186d46",
                "f9671434fa575b28fba7ed765ee39ef20fefa5ede979d3fbe6a4e180d4bb86d7"
            })
    void refusesIdsOfAnotherSerialisation(String wrong) throws Exception {
        assertRefused(client, wrong, G3.replace(G3_ID, wrong), "invalid: ");
    }

    @Test // row 20
    void readsEscapesAsWhatTheyMean() throws Exception {
        var event = StoreSamples.event(7, 1, TIME, List.of(List.of("t", "x")), "A/\uD83D\uDE80");
        var escaped = with(event, "content", "\"\\u0041\\/\\ud83d\\ude80\"");
        assertEquals("[\"OK\",\"" + event.id() + "\",true,\"\"]", client.ask(publishing(escaped)));
        assertEquals(event.toString(), delivered(event.id()));
    }

    @ParameterizedTest // row 21
    @ValueSource(strings = {"\\ud800", "\\udc00", "\\udc00\\ud800", "x\\ud83dx"})
    void refusesHalfASurrogatePair(String half) throws Exception {
        var event = sample("half");
        assertRefused(client, event.id(), with(event, "content", "\"" + half + "\""), "invalid: ");
        assertRefused(client, event.id(), with(event, "tags", "[[\"t\",\"" + half + "\"]]"), "invalid: ");
    }

    @Test // rows 22, 23
    void keepsNulApartFromNothing() throws Exception {
        var plain = StoreSamples.event(9, 1, TIME, List.of(List.of("t", "a")), "x");
        var nul = StoreSamples.event(9, 1, TIME, List.of(List.of("t", "a\0")), "x\0");
        assertTaken(client, plain);
        assertTaken(client, nul);
        assertEquals(List.of(nul), client.events("{\"#t\":[\"a\\u0000\"]}"));
        assertEquals(List.of(plain), client.events("{\"#t\":[\"a\"]}"));
        assertEquals(nul.toString(), delivered(nul.id()));
    }

    @Test // row 24
    void doesNotReadRawLineBreaksInStrings() throws Exception {
        var event = sample("a\nb");
        assertNotice(client, publishing(event.toString().replace("\\n", "\n")), "invalid: ");
        assertNotStored(event.id());
    }

    // ---- structure

    @Test // row 25
    void refusesAFieldGivenTwice() throws Exception {
        var event = sample("once");
        var twice = event.toString().replace(",\"sig\"", ",\"content\":\"once\",\"sig\"");
        assertRefused(client, event.id(), twice, "invalid: ");
        var named = event.toString().replace(",\"sig\"", ",\"id\":\"" + event.id() + "\",\"sig\"");
        assertNotice(client, publishing(named), "invalid: ");
    }

    @Test // row 26
    void leavesOutFieldsItDoesNotKnow() throws Exception {
        var event = sample("known");
        assertEquals(
                "[\"OK\",\"" + event.id() + "\",true,\"\"]",
                client.ask(publishing(with(event, "foo", "{\"bar\":[1,null]}"))));
        assertEquals(event.toString(), delivered(event.id()));
    }

    @Test // row 27
    void deliversOneFormHoweverItCame() throws Exception {
        var event = sample("any order");
        var names = new ArrayList<>(fields(event).keySet());
        Collections.reverse(names);
        var shuffled = names.stream()
                .map(name -> "\n\t" + quoted(name) + " : " + fields(event).get(name))
                .collect(Collectors.joining(" ,", "{", " }"));
        assertEquals(
                "[\"OK\",\"" + event.id() + "\",true,\"\"]",
                client.ask(" [ \"EVENT\" , " + shuffled + " , \"surplus\" ] \r\n"));
        assertEquals(event.toString(), delivered(event.id()));
    }

    @ParameterizedTest // row 28
    @ValueSource(strings = {"[[]]", "[[\"e\",1]]", "[[\"e\",null]]", "[\"e\"]", "[[\"e\",[]]]", "[{}]"})
    void refusesTagsThatAreNotListsOfStrings(String tags) throws Exception {
        var event = sample("tags");
        assertRefused(client, event.id(), with(event, "tags", tags), "invalid: ");
    }

    @Test // row 29
    void takes25000TagsAndNotOneMore() throws Exception {
        var full = StoreSamples.event(7, 1, TIME, Collections.nCopies(25_000, List.of("t", "many")), "");
        assertTaken(client, full);
        assertEquals(full.toString(), delivered(full.id()));
        assertRefused(
                client,
                StoreSamples.event(7, 1, TIME, Collections.nCopies(25_001, List.of("t", "many")), ""),
                "invalid: ");
    }

    @Test // rows 30, 31
    void takesEventsAndMessagesUpToTheirSize() throws Exception {
        try (var small = RelayUnderTest.start("MAX_EVENT_BYTES", "1000", "MAX_MESSAGE_LENGTH", "2000");
                var other = small.connect()) {
            int rest =
                    1_000 - StoreSamples.event(7, 1, TIME, List.of(), "").json().length();
            var fits = StoreSamples.event(7, 1, TIME, List.of(), "x".repeat(rest));
            assertEquals(1_000, fits.json().length());
            var message = publishing(fits);
            assertEquals(
                    "[\"OK\",\"" + fits.id() + "\",true,\"\"]",
                    other.ask(message + " ".repeat(2_000 - message.length())));
            assertRefused(other, StoreSamples.event(7, 1, TIME, List.of(), "x".repeat(rest + 1)), "invalid: ");
            other.expectNothing();
            other.send(message + " ".repeat(2_001 - message.length()));
            assertEquals(1009, other.wire().receiveClose().closeCode());
        }
    }

    @Test
    void countsContentInCharactersAndTagsInBytes() throws Exception {
        try (var small = RelayUnderTest.start("MAX_CONTENT_LENGTH", "3", "MAX_TAG_VALUE_BYTES", "4");
                var other = small.connect()) {
            assertTaken(other, StoreSamples.event(7, 1, TIME, List.of(List.of("t", "éé")), "\uD83D\uDE80é\n"));
            assertRefused(other, StoreSamples.event(7, 1, TIME, List.of(), "\uD83D\uDE80é\nx"), "invalid: ");
            assertRefused(other, StoreSamples.event(7, 1, TIME, List.of(List.of("t", "ééx")), ""), "invalid: ");
        }
    }

    @Test // row 32
    void doesNotFollowDeepNesting() throws Exception {
        var event = sample("deep");
        var deep = "[".repeat(100_000) + "]".repeat(100_000);
        assertNotice(client, publishing(with(event, "foo", deep)), "invalid: ");
        assertNotice(client, publishing(with(event, "tags", deep)), "invalid: ");
        client.expectNothing();
        assertNotStored(event.id());
    }

    // ---- what is never published, and what is known

    @ParameterizedTest // row 33
    @ValueSource(ints = {22_242, 27_235})
    void neverPublishesAuthentication(int kind) throws Exception {
        try (var listener = relay.connect()) {
            listener.subscribe("all", "{\"limit\":0}");
            long now = System.currentTimeMillis() / 1000;
            assertRefused(client, StoreSamples.event(10, kind, now, List.of(), ""), "invalid: ");
            var after = StoreSamples.event(10, 1, now, List.of(), "after " + kind);
            assertTaken(client, after);
            assertEquals(after, listener.live("all"));
        }
    }

    @Test // row 34
    void answersAKnownEventWithoutLookingAtItsSignature() throws Exception {
        var event = sample("known and forged");
        assertTaken(client, event);
        var forged = with(event, "sig", quoted("0".repeat(128)));
        assertEquals(
                "[\"OK\",\"" + event.id() + "\",true,\"duplicate: already have this event\"]",
                client.ask(publishing(forged)));
        assertEquals(event.toString(), delivered(event.id()));
    }

    @Test // row 35
    void doesNotTakeAForgedBodyForKnown() throws Exception {
        var event = sample("known and altered");
        assertTaken(client, event);
        assertRefused(client, event.id(), with(event, "content", "\"altered\""), "invalid: ");
        assertAnswer(client, event, true, "duplicate: already have this event");
    }

    @Test // row 36
    void takesOneOfTwoInABurst() throws Exception {
        for (int i = 0; i < 20; i++) {
            var event = sample("burst " + i);
            var frame = WireClient.frame(
                    true, 0, WireClient.TEXT, true, publishing(event).getBytes(StandardCharsets.UTF_8));
            var burst = Arrays.copyOf(frame, frame.length * 2);
            System.arraycopy(frame, 0, burst, frame.length, frame.length);
            client.wire().write(burst);
            var ok = "[\"OK\",\"" + event.id() + "\",true,\"";
            var first = client.receive();
            var second = client.receive();
            assertEquals(Set.of(ok + "\"]", ok + "duplicate: already have this event\"]"), Set.of(first, second));
        }
    }
}
