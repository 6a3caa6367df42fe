package dev.grapnel.server;

import static dev.grapnel.server.Replies.assertNegError;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.negentropy.NegentropyInitiator;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.nostr.negentropy.NegentropyLimits;
import dev.grapnel.nostr.negentropy.NegentropyStep;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.Urgency;
import dev.grapnel.sync.received.Unsigned;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sessions that compare sets (NIP-77, relay 5.6). The protocol itself, with sets of a hundred thousand and
/// every frame limit, is proved where it is written; here it matters what goes over the wire.
@TestInstance(Lifecycle.PER_CLASS)
final class NegentropyTest {
    private static final long TIME = 1_700_000_000;
    private static final String LIST_NOTHING = "6100000200";

    /// Relay 9.5: the first message about forty items that nobody here has.
    private static final String FORTY = """
            61876901df01e42a32b7f468d4ac56e98af76d1276a40201220137610be35b6874b75f7b1d830cce248e02013901f641a76940778c8f52ca5ab715d25179
            02000119e4bc237b0d25aef6249cb005d2c5220101c201ce34a727115ccaac1b796db0676a6c7b02018e0133c6d79b2a1c7919facc3ed9ca37dc5f020158
            01cbb63730901ff54135bd493398746feb020001d51010c944990eb2a9833aad5a07ab080101790195b24eec4984e8c6ca428080b0846b3d02000140c5e3
            a263505396ae1f180d69b426480101c101f95548ad6ffab3a4050d2619e82fbe53020001df389fbbceddd3f5d5c32702cc4f7c31010183013d22ac31aa33
            7a88133cf4c9f238b713020001c678dcfae8d108d18d8d4187a7c7cac50101b901d43621f525e45ad66542798a802ef6d3000001574631ff2845ec74d932
            fba62bb031a9
            """.replace("\n", "");

    /// The same bounds, each with an empty list.
    private static final String NONE_OF_FORTY =
            "61876901df020002012202000201390200020002000101c2020002018e020002015802000200"
                    + "02000101790200020002000101c10200020002000101830200020002000101b9020000000200";

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

    private static String by(int author, String more) {
        return "{\"authors\":[\"" + StoreSamples.author(author) + "\"]" + more + "}";
    }

    private static String opening(String id, String filter, String hex) {
        return "[\"NEG-OPEN\",\"" + id + "\"," + filter + ",\"" + hex + "\"]";
    }

    private static String saying(String id, String hex) {
        return "[\"NEG-MSG\",\"" + id + "\",\"" + hex + "\"]";
    }

    /// The answer to an empty list: all that is there, from the oldest on.
    private static String listOf(Event... events) {
        return "61000002%02x".formatted(events.length)
                + List.of(events).stream().map(event -> event.id().toString()).collect(Collectors.joining());
    }

    private List<Event> publish(int author, int count, int perSecond) throws IOException {
        var events = new ArrayList<Event>();
        for (int i = 0; i < count; i++) {
            events.add(client.publishOk(StoreSamples.event(author, 1, TIME + i / perSecond, List.of(), "number " + i)));
        }
        return events;
    }

    // ---- bytes

    @Test // rows 153, 154, 155
    void speaksTheBytesOfTheProtocol() throws Exception {
        assertEquals(saying("n", LIST_NOTHING), client.ask(opening("n", by(1, ""), LIST_NOTHING)));
        assertEquals(saying("n", "61"), client.ask(opening("n", by(1, ""), "62aabbccddeeff")));
        assertEquals(saying("n", "61"), client.ask(opening("n", by(1, ""), "61")));
        assertEquals(saying("n", NONE_OF_FORTY), client.ask(opening("n", by(1, ""), FORTY)));
        var event = publish(1, 1, 1).getFirst();
        assertEquals(saying("n", listOf(event)), client.ask(opening("n", by(1, ""), LIST_NOTHING)));
        assertEquals(saying("n", listOf(event)), client.ask(saying("n", LIST_NOTHING)));
        assertEquals(saying("n", "61"), client.ask(saying("n", "62")));
        assertEquals(saying("n", "61"), client.ask(saying("n", "6F")));
    }

    @Test // relay 5.6
    void readsHexOfAnyCaseAndWritesSmallLetters() throws Exception {
        var event = publish(2, 1, 1).getFirst();
        var asked = "6100000201" + "AB".repeat(32);
        assertEquals(saying("n", listOf(event)), client.ask(opening("n", by(2, ""), asked)));
        assertEquals(listOf(event), listOf(event).toLowerCase(Locale.ROOT));
    }

    @ParameterizedTest // rows 154, 160, 161
    @ValueSource(
            strings = {
                "10", // no version
                "5f",
                "70",
                "6100000290808080808080" + "8000", // a list of 2^60
                "61808080808080808080" + "8001", // a number of 11 bytes
                "6182ffffffffffffffff7f0000", // beyond 64 bits
                "610021" + "00", // a prefix of 33 bytes
                "610201ff0001010100", // bounds go down
                "61000000000000", // something behind infinity
                "61000003", // an unknown mode
                "610000"
            })
    void endsASessionForBytesItCannotRead(String hex) throws Exception {
        assertNegError(client, opening("n", by(3, ""), hex), "n", "invalid: ");
        assertEquals("[\"NEG-ERR\",\"n\",\"closed: unknown session\"]", client.ask(saying("n", "61")));
        client.ask(opening("n", by(3, ""), LIST_NOTHING));
        assertNegError(client, saying("n", hex), "n", "invalid: ");
        assertEquals("[\"NEG-ERR\",\"n\",\"closed: unknown session\"]", client.ask(saying("n", "61")));
    }

    @Test // row 159
    void readsNoMessageThatIsCut() throws Exception {
        var whole = "61" + "02" + "01ff" + "01" + "ab".repeat(16) + "00000201" + "cd".repeat(32);
        for (int bytes = 0; bytes < whole.length() / 2; bytes++) {
            var hex = whole.substring(0, bytes * 2);
            if (bytes == 1 || bytes == 21) {
                assertTrue(client.ask(opening("n", by(3, ""), hex)).startsWith("[\"NEG-MSG\"")); // between ranges
            } else {
                assertNegError(client, opening("n", by(3, ""), hex), "n", "invalid: ");
            }
        }
        assertNegError(client, opening("n", by(3, ""), whole + "0"), "n", "invalid: ");
    }

    // ---- sets

    /// Compares a set with the relay's as a client does.
    private static NegentropyStep.Complete reconcile(RelayClient client, String filter, Collection<Event> own)
            throws IOException {
        var items = NegentropyItems.builder(own.size(), own.size());
        own.forEach(event -> items.add(event.createdAt(), event.id()));
        var initiator = new NegentropyInitiator(items.seal(), NegentropyLimits.DEFAULTS.withFrameBytes(4_096));
        Set<EventId> have = new HashSet<>();
        Set<EventId> need = new HashSet<>();
        client.send(opening("n", filter, initiator.first().toHex()));
        while (true) {
            Bytes answer = ((RelayMessage.NegMessage) client.message()).message();
            switch (initiator.next(answer)) {
                case NegentropyStep.Continue(var next, var more, var missing) -> {
                    have.addAll(more);
                    need.addAll(missing);
                    client.send(saying("n", next.toHex()));
                }
                case NegentropyStep.Complete(var more, var missing) -> {
                    have.addAll(more);
                    need.addAll(missing);
                    client.send("[\"NEG-CLOSE\",\"n\"]");
                    return new NegentropyStep.Complete(
                            have.stream().sorted().toList(),
                            need.stream().sorted().toList());
                }
                case NegentropyStep other -> throw new AssertionError(other);
            }
        }
    }

    private static List<EventId> ids(Collection<Event> events) {
        return events.stream().map(Event::id).sorted().toList();
    }

    @ParameterizedTest // rows 155, 156, 157, 158
    @ValueSource(ints = {1, 7, 1_000})
    void findsEveryDifference(int perSecond) throws Exception {
        int author = 1_000 + perSecond;
        var all = publish(author, 400, perSecond);
        var filter = by(author, "");
        assertEquals(new NegentropyStep.Complete(List.of(), ids(all)), reconcile(client, filter, List.of()));
        assertEquals(new NegentropyStep.Complete(List.of(), List.of()), reconcile(client, filter, all));
        assertEquals(new NegentropyStep.Complete(ids(all), List.of()), reconcile(client, by(999, ""), all));
        var random = new Random(perSecond);
        for (int round = 0; round < 5; round++) {
            var own = new ArrayList<>(all);
            own.removeIf(_ -> random.nextInt(20) == 0);
            var missing = new ArrayList<>(all);
            missing.removeAll(new HashSet<>(own));
            var extra = IntStream.range(0, random.nextInt(20))
                    .mapToObj(i -> StoreSamples.event(
                            author, 1, TIME + random.nextInt(1 + 400 / perSecond), List.of(), "extra " + i))
                    .toList();
            own.addAll(extra);
            assertEquals(new NegentropyStep.Complete(ids(extra), ids(missing)), reconcile(client, filter, own));
        }
    }

    @Test // row 167
    void takesAFilterWithBothEndsAndALimit() throws Exception {
        var events = publish(4, 6, 1);
        var times = ",\"since\":" + (TIME + 1) + ",\"until\":" + (TIME + 3);
        assertEquals(
                saying("n", listOf(events.get(1), events.get(2), events.get(3))),
                client.ask(opening("n", by(4, times), LIST_NOTHING)));
        assertEquals(
                saying("n", listOf(events.get(4), events.get(5))),
                client.ask(opening("n", by(4, ",\"limit\":2"), LIST_NOTHING)));
        assertEquals(saying("n", LIST_NOTHING), client.ask(opening("n", by(4, ",\"limit\":0"), LIST_NOTHING)));
        assertEquals(saying("n", LIST_NOTHING), client.ask(opening("n", by(4, ",\"kinds\":[]"), LIST_NOTHING)));
    }

    @Test // row 165
    void freezesItsSet() throws Exception {
        var event = publish(5, 1, 1).getFirst();
        client.ask(opening("n", by(5, ""), LIST_NOTHING));
        var later = StoreSamples.event(5, 1, TIME + 1, List.of(), "later");
        assertTaken(client, later);
        assertTaken(
                client,
                StoreSamples.event(
                        5, 5, TIME + 1, List.of(List.of("e", event.id().toString())), ""));
        assertEquals(saying("n", listOf(event)), client.ask(saying("n", LIST_NOTHING)));
        client.send("[\"NEG-CLOSE\",\"n\"]");
        assertTrue(
                client.ask(opening("n", by(5, ",\"kinds\":[1]"), LIST_NOTHING)).endsWith(listOf(later) + "\"]"));
    }

    // ---- life

    @Test // row 163
    void knowsNothingOfASessionThatWasClosed() throws Exception {
        client.ask(opening("n", by(6, ""), LIST_NOTHING));
        client.send("[\"NEG-CLOSE\",\"n\"]");
        assertEquals("[\"NEG-ERR\",\"n\",\"closed: unknown session\"]", client.ask(saying("n", "61")));
        assertEquals("[\"NEG-ERR\",\"other\",\"closed: unknown session\"]", client.ask(saying("other", "61")));
        client.expectNothing();
    }

    @Test // row 164
    void beginsAnewOnAnOpenId() throws Exception {
        var one = publish(7, 1, 1).getFirst();
        var two = publish(8, 1, 1).getFirst();
        assertEquals(saying("n", listOf(one)), client.ask(opening("n", by(7, ""), LIST_NOTHING)));
        assertEquals(saying("n", listOf(two)), client.ask(opening("n", by(8, ""), LIST_NOTHING)));
        assertEquals(saying("n", listOf(two)), client.ask(saying("n", LIST_NOTHING)));
        assertNegError(client, opening("n", "{\"foo\":1}", LIST_NOTHING), "n", "unsupported: ");
        assertEquals("[\"NEG-ERR\",\"n\",\"closed: unknown session\"]", client.ask(saying("n", LIST_NOTHING)));
    }

    @Test // relay 5.6
    void keepsTwentySessions() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertEquals(saying("n" + i, LIST_NOTHING), client.ask(opening("n" + i, by(9, ""), LIST_NOTHING)));
        }
        assertEquals(
                "[\"NEG-ERR\",\"more\",\"rate-limited: too many negentropy sessions\"]",
                client.ask(opening("more", by(9, ""), LIST_NOTHING)));
        assertEquals(saying("n3", LIST_NOTHING), client.ask(opening("n3", by(9, ""), LIST_NOTHING)));
        assertEquals(saying("n19", LIST_NOTHING), client.ask(saying("n19", LIST_NOTHING)));
        client.send("[\"NEG-CLOSE\",\"n3\"]");
        assertEquals(saying("more", LIST_NOTHING), client.ask(opening("more", by(9, ""), LIST_NOTHING)));
    }

    @Test // row 162
    void refusesASetThatIsTooBig() throws Exception {
        try (var small = RelayUnderTest.start("NEG_MAX_ITEMS", "2");
                var other = small.connect()) {
            var events = IntStream.range(0, 3)
                    .mapToObj(i -> StoreSamples.event(1, 1, TIME + i, List.of(), ""))
                    .toList();
            assertTaken(other, events.get(0));
            assertTaken(other, events.get(1));
            assertEquals(
                    saying("n", listOf(events.get(0), events.get(1))), other.ask(opening("n", "{}", LIST_NOTHING)));
            assertTaken(other, events.get(2));
            assertEquals(
                    "[\"NEG-ERR\",\"n\",\"blocked: this query is too big\",2]",
                    other.ask(opening("n", "{}", LIST_NOTHING)));
            assertEquals("[\"NEG-ERR\",\"n\",\"closed: unknown session\"]", other.ask(saying("n", "61")));
            assertEquals(
                    saying("n", listOf(events.get(1), events.get(2))),
                    other.ask(opening("n", "{\"limit\":2}", LIST_NOTHING)));
        }
    }

    /// Sync row 113.
    @Test
    void isBusyWhenSessionsFillTheMemory() throws Exception {
        long room = Runtime.getRuntime().maxMemory() / 8;
        int each = 10_000;
        try (var full = RelayUnderTest.start()) {
            fill(full, each);
            var clients = new ArrayDeque<RelayClient>();
            var none = saying("n", "61");
            var answer = none;
            long begun = 0;
            while (answer.equals(none)) {
                assertTrue(begun * each * 32 < room, "more ids than an eighth of the memory holds");
                if (begun % 20 == 0) {
                    clients.add(full.connect());
                }
                var id = "n" + begun++;
                none = saying(id, "61");
                answer = clients.getLast().ask(opening(id, "{}", "61"));
            }
            assertEquals("[\"NEG-ERR\",\"n" + (begun - 1) + "\",\"error: busy\"]", answer);
            assertTrue(full.metric("grapnel_negentropy_bytes") <= room);
            var last = clients.getLast();
            assertEquals(
                    "[\"NEG-ERR\",\"again\",\"error: busy\"]", last.ask(opening("again", "{}", "61")), "as before");
            assertEquals(
                    saying("none", "61"), last.ask(opening("none", "{\"kinds\":[9]}", "61")), "nothing takes none");
            var first = clients.getFirst();
            first.send("[\"NEG-CLOSE\",\"n0\"]");
            assertEquals(saying("n0", "61"), first.ask(opening("n0", "{}", "61")), "what is given back is free");
            for (var one : clients) {
                one.close();
            }
            Gauges.awaitNothing(full);
        }
    }

    /// With events that nobody signed: signing takes longer than all else.
    private static void fill(RelayUnderTest relay, int count) {
        relay.service()
                .store()
                .write(Urgency.WAITING, 0, transaction -> {
                    IntStream.range(0, count).forEach(number -> transaction.save(Unsigned.event(number, 1, "[]")));
                    return true;
                })
                .join();
    }

    @Test // row 166
    void endsASessionNobodyUses() throws Exception {
        var nanos = new AtomicLong();
        try (var timed = RelayUnderTest.startTimedBy(nanos::get);
                var other = timed.connect()) {
            other.ask(opening("used", "{}", LIST_NOTHING));
            other.ask(opening("idle", "{}", LIST_NOTHING));
            nanos.addAndGet(Duration.ofSeconds(119).toNanos());
            assertEquals(saying("used", LIST_NOTHING), other.ask(saying("used", LIST_NOTHING)));
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            assertEquals("[\"NEG-ERR\",\"idle\",\"closed: idle\"]", other.receive());
            assertEquals(saying("used", LIST_NOTHING), other.ask(saying("used", LIST_NOTHING)));
            assertEquals("[\"NEG-ERR\",\"idle\",\"closed: unknown session\"]", other.ask(saying("idle", "61")));
        }
    }
}
