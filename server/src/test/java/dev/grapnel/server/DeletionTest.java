package dev.grapnel.server;

import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/// Deletion requests (NIP-09, relay 4.5, service 4.9), as far as clients see them. When they are forgotten is
/// seen in the store.
@TestInstance(Lifecycle.PER_CLASS)
final class DeletionTest {
    private static final long TIME = 1_700_000_000;
    private static final String DELETED = "blocked: deletion of this event was requested by its author";

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

    private static Event note(int author, long createdAt, String content) {
        return StoreSamples.event(author, 1, createdAt, List.of(), content);
    }

    private static Event list(int author, long createdAt, String identifier) {
        return StoreSamples.event(author, 30_000, createdAt, List.of(List.of("d", identifier)), "list");
    }

    private static Event deletion(int author, long createdAt, List<List<String>> targets) {
        return StoreSamples.event(author, 5, createdAt, targets, "");
    }

    private static List<String> e(Event event) {
        return List.of("e", event.id().toString());
    }

    private static List<String> a(int kind, int author, String identifier) {
        return List.of("a", kind + ":" + StoreSamples.author(author) + ":" + identifier);
    }

    private void take(Event... events) throws IOException {
        for (var event : events) {
            assertTaken(client, event);
        }
    }

    private void assertServed(Event... events) throws IOException {
        for (var event : events) {
            assertEquals(List.of(event.id()), client.query("{\"ids\":[\"" + event.id() + "\"]}"), event.toString());
        }
    }

    private void assertGone(Event... events) throws IOException {
        for (var event : events) {
            assertEquals(List.of(), client.query("{\"ids\":[\"" + event.id() + "\"]}"), event.toString());
        }
    }

    private void assertBlocked(Event event) throws IOException {
        assertAnswer(client, event, false, DELETED);
        assertGone(event);
    }

    // ---- by id

    @Test // rows 109, 112
    void removesWhatItsAuthorNames() throws Exception {
        var event = note(1, TIME, "regretted");
        var request = deletion(1, TIME + 1, List.of(e(event), e(event)));
        take(event, request);
        assertGone(event);
        assertServed(request);
        assertEquals(List.of(request), client.events("{\"kinds\":[5],\"#e\":[\"" + event.id() + "\"]}"));
        assertBlocked(event);
    }

    @Test // rows 110, 111
    void leavesEventsOfOthersAlone() throws Exception {
        var own = note(2, TIME, "own");
        var other = note(3, TIME, "other");
        var request = deletion(2, TIME + 1, List.of(e(other), e(own), List.of("e", "nonsense"), List.of("k", "1")));
        take(own, other, request);
        assertGone(own);
        assertServed(other, request);
        assertAnswer(client, other, true, "duplicate: already have this event");
    }

    @Test // row 113
    void refusesWhatWasDeletedBeforeItCame() throws Exception {
        var event = note(4, TIME, "late");
        take(note(4, TIME, "known"), deletion(4, TIME - 5, List.of(e(event))));
        assertBlocked(event);
    }

    @Test // row 114
    void doesNotRefuseForTheRequestOfAStranger() throws Exception {
        var event = note(5, TIME, "mine");
        take(note(6, TIME, "known"), deletion(6, TIME, List.of(e(event))), event);
        assertServed(event);
    }

    @Test // row 123
    void removesByIdWhateverTheDateIs() throws Exception {
        var event = note(7, TIME + 100, "later");
        take(event, deletion(7, TIME, List.of(e(event))));
        assertGone(event);
    }

    @Test // row 122
    void doesNotDeleteRequests() throws Exception {
        var event = note(8, TIME, "regretted");
        var request = deletion(8, TIME + 1, List.of(e(event)));
        var second = deletion(8, TIME + 2, List.of(e(request)));
        take(event, request, second);
        assertServed(request, second);
        assertBlocked(event);
        var vanish = StoreSamples.event(8, 62, TIME - 100, List.of(List.of("relay", "ALL_RELAYS")), "");
        take(vanish, deletion(8, TIME + 3, List.of(e(vanish))));
        assertServed(vanish);
    }

    // ---- by address

    @Test // rows 115, 116, 117, 121
    void removesVersionsUpToItsDate() throws Exception {
        var old = list(9, TIME, "a");
        var sameSecond = list(9, TIME + 10, "b");
        var newer = list(9, TIME + 11, "c");
        var otherKind = StoreSamples.event(9, 30_001, TIME, List.of(List.of("d", "a")), "");
        var otherAuthor = list(10, TIME, "a");
        take(old, sameSecond, newer, otherKind, otherAuthor);
        take(deletion(9, TIME + 10, List.of(a(30_000, 9, "a"), a(30_000, 9, "b"), a(30_000, 9, "c"))));
        assertGone(old, sameSecond);
        assertServed(newer, otherKind, otherAuthor);
        assertBlocked(list(9, TIME + 10, "a"));
        assertBlocked(list(9, TIME - 1, "a"));
        take(deletion(9, TIME + 5, List.of(a(30_000, 9, "a")))); // an older request does not lower what was said
        assertBlocked(list(9, TIME + 9, "a"));
        var accepted = list(9, TIME + 11, "a");
        take(accepted);
        assertServed(accepted);
    }

    @Test // row 118
    void removesReplaceableKindsByTheirColon() throws Exception {
        var profile = StoreSamples.event(11, 0, TIME, List.of(), "");
        var relays = StoreSamples.event(11, 10_002, TIME, List.of(), "");
        take(profile, relays, deletion(11, TIME, List.of(a(0, 11, ""), a(10_002, 11, "ignored"))));
        assertGone(profile, relays);
        assertBlocked(profile);
    }

    @Test // rows 119, 120
    void ignoresAddressesOfOthersAndMalformedOnes() throws Exception {
        var other = list(12, TIME, "a");
        var own = list(13, TIME, "a");
        var author = StoreSamples.author(13).toString();
        var request = deletion(
                13,
                TIME,
                List.of(
                        a(30_000, 12, "a"),
                        List.of("a", "30000"),
                        List.of("a", "x:" + author + ":a"),
                        List.of("a", "30000:" + author),
                        List.of("a", "30000:" + author.substring(1) + ":a"),
                        List.of("a", "1:" + author + ":a"),
                        List.of("a")));
        take(other, own, request);
        assertServed(other, own, request);
    }

    @Test // row 102, 116
    void readsAnIdentifierUpToItsEnd() throws Exception {
        var event = list(14, TIME, "a:b:");
        var other = list(14, TIME, "a");
        take(event, other, deletion(14, TIME, List.of(a(30_000, 14, "a:b:"))));
        assertGone(event);
        assertServed(other);
    }

    // ---- gift wraps, strangers, size

    @Test // row 125
    void letsRecipientsDeleteGiftWraps() throws Exception {
        int recipient = 15;
        try (var open = RelayUnderTest.start("RESTRICTED_READ_KINDS", "");
                var other = open.connect()) {
            var tags = List.of(List.of("p", StoreSamples.author(recipient).toString()));
            var wrap = StoreSamples.event(16, 1059, TIME, tags, "wrapped");
            assertTaken(other, wrap);
            assertTaken(other, note(17, TIME, "known"));
            assertTaken(other, deletion(17, TIME, List.of(e(wrap))));
            assertEquals(1, other.query("{\"kinds\":[1059]}").size());
            assertTaken(other, deletion(recipient, TIME, List.of(e(wrap))));
            assertEquals(0, other.query("{\"kinds\":[1059]}").size());
            assertAnswer(other, wrap, false, DELETED);
        }
    }

    @Test // row 195
    void keepsTheRequestOfAStrangerToItself() throws Exception {
        var event = note(18, TIME, "to come");
        var request = deletion(18, TIME, List.of(e(event)));
        try (var listener = relay.connect()) {
            var filter = "{\"authors\":[\"" + StoreSamples.author(18) + "\"]}";
            listener.subscribe("s", filter);
            take(request);
            assertAnswer(client, request, true, "");
            assertGone(request);
            assertEquals("[\"COUNT\",\"c\",{\"count\":0}]", client.ask("[\"COUNT\",\"c\"," + filter + "]"));
            assertEquals(
                    "[\"NEG-MSG\",\"n\",\"6100000200\"]",
                    client.ask("[\"NEG-OPEN\",\"n\"," + filter + ",\"6100000200\"]"));
            listener.expectNothing();
            assertBlocked(event);
            assertServed(request);
            assertEquals(request, listener.live("s"));
            assertEquals("[\"COUNT\",\"c\",{\"count\":1}]", client.ask("[\"COUNT\",\"c\"," + filter + "]"));
        }
    }

    @Test // relay 4.5
    void takesRequestsOf2048Targets() throws Exception {
        var event = note(20, TIME, "named last");
        take(event);
        var targets = new ArrayList<>(Collections.nCopies(2_047, List.of("x")));
        for (int i = 0; i < targets.size(); i++) {
            targets.set(i, List.of("e", "%064x".formatted(i)));
        }
        targets.add(e(event));
        take(StoreSamples.event(20, 5, TIME, targets, ""));
        assertGone(event);
        targets.add(List.of("e", "ff".repeat(32)));
        assertAnswer(client, StoreSamples.event(20, 5, TIME, targets, ""), false, "invalid: too many targets");
    }

    @Test // relay 2.7, 4.10
    void tellsListenersOfRequestsAndNotOfWhatIsBlocked() throws Exception {
        try (var listener = relay.connect()) {
            listener.subscribe("s", "{\"authors\":[\"" + StoreSamples.author(21) + "\"]}");
            var event = note(21, TIME, "regretted");
            var request = deletion(21, TIME, List.of(e(event)));
            take(event, request);
            assertBlocked(event);
            var last = note(21, TIME, "last");
            take(last);
            assertEquals(event, listener.live("s"));
            assertEquals(request, listener.live("s"));
            assertEquals(last, listener.live("s"));
        }
    }

    @Test // row 124
    void remembersOverARestart(@TempDir Path directory) throws Exception {
        var event = note(22, TIME, "regretted");
        var version = list(22, TIME, "a");
        var stranger = note(23, TIME, "to come");
        try (var first = RelayUnderTest.startIn(directory);
                var other = first.connect()) {
            for (var told : List.of(
                    event,
                    version,
                    deletion(22, TIME, List.of(e(event), a(30_000, 22, "a"))),
                    deletion(23, TIME, List.of(e(stranger))))) {
                assertTaken(other, told);
            }
        }
        try (var second = RelayUnderTest.startIn(directory);
                var other = second.connect()) {
            for (var told : List.of(event, version, list(22, TIME - 1, "a"), stranger)) {
                assertAnswer(other, told, false, DELETED);
            }
            assertTaken(other, list(22, TIME + 1, "a"));
        }
    }
}
