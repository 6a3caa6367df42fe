package dev.grapnel.server;

import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertBegins;
import static dev.grapnel.server.Replies.assertRefused;
import static dev.grapnel.server.Replies.assertTaken;
import static dev.grapnel.server.Replies.authenticate;
import static dev.grapnel.server.Replies.publishing;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.engine.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Events that end by themselves, authors who want to be forgotten, and events only their author may publish
/// (relay 4.6 to 4.8). That expired bytes are gone (row 128) is seen in the store.
final class ProtectionTest {
    private static final long TIME = 1_700_000_000;

    private final ManualTime time = new ManualTime(TIME);
    private RelayUnderTest relay;
    private RelayClient client;

    @BeforeEach
    void start() throws IOException {
        relay = RelayUnderTest.startAt(time, "DOMAIN", "relay.example.com", "RESTRICTED_READ_KINDS", "");
        client = relay.connect();
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        relay.close();
    }

    private static Event note(int author, long createdAt, String content) {
        return StoreSamples.event(author, 1, createdAt, List.of(), content);
    }

    private static Event expiring(int kind, long createdAt, String expiration) {
        return StoreSamples.event(1, kind, createdAt, List.of(List.of("expiration", expiration)), "");
    }

    // ---- expiration

    @Test // row 126
    void refusesWhatHasExpired() throws Exception {
        assertAnswer(client, expiring(1, TIME, Long.toString(TIME)), false, "invalid: event has expired");
        for (var wrong : List.of("soon", "", "-1", "1.5", "9223372036854775808", " 1800000000")) {
            assertRefused(client, expiring(1, TIME, wrong), "invalid: ");
        }
        assertRefused(client, StoreSamples.event(1, 1, TIME, List.of(List.of("expiration")), ""), "invalid: ");
        assertTaken(client, expiring(1, TIME, "9223372036854775807"));
    }

    @Test // row 127
    void showsNothingThatHasExpired() throws Exception {
        var event = expiring(1, TIME, Long.toString(TIME + 10));
        assertTaken(client, event);
        time.advance(Duration.ofSeconds(9));
        assertEquals(List.of(event), client.events("{}"));
        time.advance(Duration.ofSeconds(1));
        assertEquals(List.of(), client.events("{}"));
        assertEquals(List.of(), client.events("{\"ids\":[\"" + event.id() + "\"]}"));
        assertEquals("[\"COUNT\",\"c\",{\"count\":0}]", client.ask("[\"COUNT\",\"c\",{}]"));
        assertEquals("[\"NEG-MSG\",\"n\",\"6100000200\"]", client.ask("[\"NEG-OPEN\",\"n\",{},\"6100000200\"]"));
        assertAnswer(client, event, false, "invalid: event has expired");
    }

    @Test // row 144
    void doesNotCountExpiredEventsAgainstALimit() throws Exception {
        var lasting = note(1, TIME, "lasting");
        assertTaken(client, lasting);
        assertTaken(client, expiring(1, TIME + 1, Long.toString(TIME + 10)));
        time.advance(Duration.ofSeconds(10));
        assertEquals(List.of(lasting), client.events("{\"limit\":1}"));
    }

    @Test // row 129
    void doesNotBringBackWhatAnExpiredVersionReplaced() throws Exception {
        var old = StoreSamples.event(1, 0, TIME, List.of(), "old");
        assertTaken(client, old);
        assertTaken(client, expiring(0, TIME + 1, Long.toString(TIME + 10)));
        time.advance(Duration.ofSeconds(10));
        assertEquals(List.of(), client.events("{}"));
        assertTaken(client, old);
    }

    // ---- requests to vanish

    private static Event vanish(int author, long createdAt, String... relays) {
        return StoreSamples.event(
                author,
                62,
                createdAt,
                Arrays.stream(relays).map(url -> List.of("relay", url)).toList(),
                "");
    }

    @ParameterizedTest // rows 130, 131, 133, 134
    @ValueSource(
            strings = {
                "ALL_RELAYS",
                "wss://relay.example.com",
                "ws://relay.example.com/",
                "WSS://Relay.Example.com:443/",
                "ws://relay.example.com:80"
            })
    void forgetsAnAuthorWhoAsksForIt(String url) throws Exception {
        var known = note(1, TIME, "regretted");
        var deletion =
                StoreSamples.event(1, 5, TIME, List.of(List.of("e", known.id().toString())), "");
        var earlier = vanish(1, TIME - 10, "ALL_RELAYS");
        var wrap = StoreSamples.event(
                2, 1059, TIME + 5, List.of(List.of("p", StoreSamples.author(1).toString())), "");
        var later = note(1, TIME + 6, "later");
        var other = note(3, TIME, "other");
        for (var event : List.of(earlier, known, deletion, note(1, TIME + 5, "same second"), wrap, later, other)) {
            assertTaken(client, event);
        }
        var request = vanish(1, TIME + 5, "wss://other.example.com", url);
        assertTaken(client, request);
        assertEquals(Set.of(later, other, request), Set.copyOf(client.events("{}")));
        for (var event : List.of(note(1, TIME + 5, "too late"), note(1, 0, "too late"), wrap, deletion, earlier)) {
            assertRefused(client, event, "blocked: ");
        }
        assertTaken(client, note(1, TIME + 6, "new"));
    }

    @ParameterizedTest // rows 131, 132
    @ValueSource(
            strings = {
                "all_relays",
                "wss://other.example.com",
                "wss://relay.example.com:444",
                "wss://relay.example.com/other",
                "https://relay.example.com",
                "relay.example.com"
            })
    void forgetsNobodyForAnotherRelay(String url) throws Exception {
        var event = note(1, TIME, "stays");
        assertTaken(client, event);
        var request = vanish(1, TIME, url);
        assertAnswer(client, request, false, "blocked: request does not name this relay");
        assertEquals(List.of(event), client.events("{}"));
        assertRefused(client, vanish(1, TIME), "invalid: ");
    }

    // ---- protected events

    private static Event guarded(int author, String content) {
        return StoreSamples.event(author, 1, TIME, List.of(List.of("-")), content);
    }

    @Test // row 135
    void asksAnUnknownPublisherWhoItIs() throws Exception {
        client.send(publishing(guarded(1, "guarded")));
        assertBegins("[\"AUTH\",\"", client.receive());
        assertBegins("[\"OK\",\"" + guarded(1, "guarded").id() + "\",false,\"auth-required: ", client.receive());
        assertRefused(client, guarded(1, "again"), "auth-required: "); // one challenge is enough
        client.expectNothing();
        assertEquals(List.of(), client.events("{}"));
    }

    @Test // row 135
    void refusesGuardedEventsWhereNobodyCanAuthenticate() throws Exception {
        try (var open = RelayUnderTest.startAt(time, "AUTH", "off");
                var other = open.connect()) {
            assertAnswer(other, guarded(1, "guarded"), false, "blocked: event is marked as protected");
            other.expectNothing();
        }
    }

    @Test // row 136
    void letsOnlyTheAuthorPublishGuardedEvents() throws Exception {
        try (var current = RelayUnderTest.start();
                var other = current.connect()) {
            other.send(publishing(guarded(1, "guarded")));
            var challenge = ((RelayMessage.Challenge) other.message()).challenge();
            assertBegins("[\"OK\",\"" + guarded(1, "guarded").id() + "\",false,\"auth-required: ", other.receive());
            authenticate(current, other, 2, challenge);
            assertRefused(other, guarded(1, "guarded"), "restricted: ");
            authenticate(current, other, 1, challenge);
            assertTaken(other, guarded(1, "guarded"));
            assertTaken(other, guarded(2, "guarded"));
            assertRefused(other, guarded(3, "guarded"), "restricted: ");
        }
    }

    @ParameterizedTest // row 137
    @ValueSource(ints = {6, 16})
    void refusesRepostsOfGuardedEvents(int kind) throws Exception {
        assertRefused(
                client,
                StoreSamples.event(
                        2, kind, TIME, List.of(), guarded(1, "guarded").toString()),
                "blocked: ");
        assertTaken(
                client,
                StoreSamples.event(
                        2, kind, TIME, List.of(), note(1, TIME, "[\"-\"]").toString()));
        assertTaken(client, StoreSamples.event(2, kind, TIME, List.of(), "[[\"-\"]]"));
        assertTaken(client, StoreSamples.event(2, kind, TIME, List.of(), ""));
    }
}
