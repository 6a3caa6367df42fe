package dev.grapnel.server;

import static dev.grapnel.server.Replies.assertBegins;
import static dev.grapnel.server.Replies.assertClosed;
import static dev.grapnel.server.Replies.assertNegError;
import static dev.grapnel.server.Replies.assertRefused;
import static dev.grapnel.server.Replies.assertTaken;
import static dev.grapnel.server.Replies.authenticate;
import static dev.grapnel.server.Replies.challenge;
import static dev.grapnel.server.Replies.proof;
import static dev.grapnel.server.Replies.publishing;
import static dev.grapnel.server.Replies.quoted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/// Authentication (NIP-42, relay 5.2) and what only some may read (relay 4.8).
@TestInstance(Lifecycle.PER_CLASS)
final class AuthTest {
    private static final long TIME = 1_700_000_000;
    private static final String TOO_OFTEN = "rate-limited: too many authentication attempts";

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

    private static long now() {
        return System.currentTimeMillis() / 1000;
    }

    private Event answer(int kind, long createdAt, String url, String challenge) {
        return StoreSamples.event(
                1, kind, createdAt, List.of(List.of("relay", url), List.of("challenge", challenge)), "");
    }

    private void assertNoProof(RelayClient who, Object id, Object event, String prefix) throws IOException {
        assertBegins("[\"OK\",\"" + id + "\",false,\"" + prefix, who.ask("[\"AUTH\"," + event + "]"));
    }

    // ---- proving

    @Test // row 139
    void takesNothingForAProofThatIsNone() throws Exception {
        var challenge = challenge(client);
        var url = relay.service().domain().relayUrl();
        var good = answer(22_242, now(), url, challenge);
        for (var wrong : List.of(
                answer(22_243, now(), url, challenge),
                answer(1, now(), url, challenge),
                answer(22_242, now() - 660, url, challenge),
                answer(22_242, now() + 660, url, challenge),
                answer(22_242, now(), url, challenge + "0"),
                answer(22_242, now(), url, ""),
                answer(22_242, now(), "wss://other.example.com", challenge),
                answer(22_242, now(), "", challenge),
                StoreSamples.event(1, 22_242, now(), List.of(List.of("challenge", challenge)), ""),
                StoreSamples.event(1, 22_242, now(), List.of(List.of("relay", url)), ""))) {
            assertNoProof(client, wrong.id(), wrong, "invalid: ");
        }
        var forged = good.toString().replace(good.signature().toString(), "0".repeat(128));
        assertNoProof(client, good.id(), forged, "invalid: signature");
        assertNoProof(client, good.id(), good.toString().replace("22242", "22243"), "invalid: ");
        assertClosed(client, "[\"REQ\",\"s\",{\"kinds\":[4]}]", "s", "auth-required: ");
        assertEquals("[\"OK\",\"" + good.id() + "\",true,\"\"]", client.ask("[\"AUTH\"," + good + "]"));
        client.subscribe("s", "{\"kinds\":[4]}");
    }

    @Test // relay 5.2
    void takesAnyPathAndSchemeOfItsAddress() throws Exception {
        var challenge = challenge(client);
        var port = relay.port();
        for (var url : List.of("ws://127.0.0.1:" + port + "/some/path/", "WSS://127.0.0.1:" + port)) {
            var event = answer(22_242, now(), url, challenge);
            assertEquals("[\"OK\",\"" + event.id() + "\",true,\"\"]", client.ask("[\"AUTH\"," + event + "]"));
        }
    }

    @Test // row 140
    void countsEveryKeyOfAConnection() throws Exception {
        var challenge = challenge(client);
        authenticate(relay, client, 1, challenge);
        authenticate(relay, client, 2, challenge);
        var letters = List.of(letter(20, 1), letter(20, 2), letter(20, 3));
        for (var letter : letters) {
            assertTaken(client, letter);
        }
        assertEquals(2, client.query(by(20)).size());
    }

    @Test // row 141
    void doesNotTakeTheChallengeOfAnother() throws Exception {
        try (var other = relay.connect()) {
            var challenge = challenge(other);
            assertNotEquals(challenge, challenge(client));
            var event = proof(relay, 1, challenge);
            assertNoProof(client, event.id(), event, "invalid: ");
            authenticate(relay, other, 1, challenge);
        }
        try (var silent = relay.connect()) {
            var event = proof(relay, 1, "");
            assertNoProof(silent, event.id(), event, "invalid: "); // nothing was asked
        }
    }

    @Test // row 142
    void asksNobodyWithoutNeed() throws Exception {
        client.expectNothing();
        client.events("{}");
        assertTaken(client, StoreSamples.event(3, 1, TIME, List.of(), "public"));
        client.expectNothing();
    }

    @Test // row 142
    void asksFirstWhereEverybodyMustAuthenticate() throws Exception {
        try (var strict = RelayUnderTest.start("AUTH", "required");
                var other = strict.connect()) {
            var challenge = ((RelayMessage.Challenge) other.message()).challenge();
            var event = StoreSamples.event(3, 1, TIME, List.of(), "");
            assertRefused(other, event, "auth-required: ");
            assertClosed(other, "[\"REQ\",\"s\",{}]", "s", "auth-required: ");
            assertClosed(other, "[\"COUNT\",\"c\",{}]", "c", "auth-required: ");
            assertNegError(other, "[\"NEG-OPEN\",\"n\",{},\"61\"]", "n", "auth-required: ");
            assertBegins("[\"NOTICE\",\"auth-required: ", other.ask("[\"NEG-MSG\",\"n\",\"61\"]"));
            assertBegins("[\"NOTICE\",\"auth-required: ", other.ask("[\"NEG-CLOSE\",\"n\"]"));
            assertBegins("[\"NOTICE\",\"auth-required: ", other.ask("[\"FOO\"]"));
            assertClosed(other, "[\"REQ\",\"s\",{\"unknown\":1}]", "s", "auth-required: ");
            other.send("[\"CLOSE\",\"s\"]");
            authenticate(strict, other, 9, challenge);
            assertTaken(other, event);
            assertEquals(List.of(event), other.events("{}"));
        }
    }

    @Test // row 200
    void looksAtThirtyProofsAMinute() throws Exception {
        var nanos = new AtomicLong();
        try (var timed = RelayUnderTest.startTimedBy(nanos::get);
                var other = timed.connect()) {
            var challenge = challenge(other);
            authenticate(timed, other, 1, challenge);
            for (int i = 0; i < 29; i++) {
                // malformed, wrong and right ones count alike
                var event = proof(timed, 2 + i, i % 3 == 0 ? challenge : "wrong");
                var text = i % 3 == 2 ? event.toString().replace("22242", "22243") : event.toString();
                assertBegins(
                        "[\"OK\",\"" + event.id() + "\"," + (i % 3 == 0) + ",", other.ask("[\"AUTH\"," + text + "]"));
            }
            var event = proof(timed, 99, challenge);
            for (var text : List.of(
                    event.toString(),
                    event.toString().replace(event.signature().toString(), "0".repeat(128)),
                    event.toString().replace("22242", "22243"))) {
                assertEquals(
                        "[\"OK\",\"" + event.id() + "\",false," + quoted(TOO_OFTEN) + "]",
                        other.ask("[\"AUTH\"," + text + "]"));
            }
            assertEquals(List.of(), other.subscribe("s", "{\"kinds\":[4]}")); // who was proved stays so
            nanos.addAndGet(Duration.ofSeconds(61).toNanos());
            authenticate(timed, other, 99, challenge);
        }
    }

    // ---- reading

    private static Event letter(int author, int recipient) {
        return letter(author, recipient, TIME);
    }

    private static Event letter(int author, int recipient, long createdAt) {
        var tags = List.of(List.of("p", StoreSamples.author(recipient).toString()));
        return StoreSamples.event(author, 4, createdAt, tags, "to " + recipient);
    }

    private static String by(int author) {
        return "{\"authors\":[\"" + StoreSamples.author(author) + "\"]}";
    }

    @Test // row 143
    void showsLettersToAuthorAndRecipientOnly() throws Exception {
        int author = 30;
        int recipient = 31;
        var letter = letter(author, recipient);
        assertTaken(client, letter);
        assertAnswers(client, author, List.of());
        try (var stranger = relay.connect();
                var reader = relay.connect();
                var writer = relay.connect()) {
            authenticate(relay, stranger, 32, challenge(stranger));
            authenticate(relay, reader, recipient, challenge(reader));
            authenticate(relay, writer, author, challenge(writer));
            assertAnswers(stranger, author, List.of());
            assertAnswers(reader, author, List.of(letter));
            assertAnswers(writer, author, List.of(letter));
            for (var listener : List.of(client, stranger, reader, writer)) {
                listener.subscribe("live", by(author).replace("}", ",\"limit\":0}"));
            }
            var second = letter(author, recipient, TIME + 1);
            var open = StoreSamples.event(author, 1, TIME, List.of(), "open");
            try (var publisher = relay.connect()) {
                assertTaken(publisher, second);
                assertTaken(publisher, open);
            }
            assertEquals(second, reader.live("live"));
            assertEquals(second, writer.live("live"));
            for (var listener : List.of(client, stranger, reader, writer)) {
                assertEquals(open, listener.live("live"));
            }
        }
    }

    /// The same by REQ, COUNT and NEG-OPEN.
    private static void assertAnswers(RelayClient who, int author, List<Event> expected) throws IOException {
        var filter = by(author);
        assertEquals(expected, who.events(filter));
        assertEquals(expected, who.events(filter.replace("}", ",\"kinds\":[1,4]}")));
        assertEquals(
                "[\"COUNT\",\"c\",{\"count\":" + expected.size() + "}]", who.ask("[\"COUNT\",\"c\"," + filter + "]"));
        var ids = expected.stream().map(event -> event.id().toString()).toList();
        assertEquals(
                "[\"NEG-MSG\",\"n\",\"610000020" + expected.size() + String.join("", ids) + "\"]",
                who.ask("[\"NEG-OPEN\",\"n\"," + filter + ",\"6100000200\"]"));
    }

    @Test // row 143
    void asksForAProofWhenOnlyLettersAreAskedFor() throws Exception {
        client.send("[\"REQ\",\"r\",{\"kinds\":[1059,4]}]");
        assertBegins("[\"AUTH\",\"", client.receive());
        assertBegins("[\"CLOSED\",\"r\",\"auth-required: ", client.receive());
        assertNegError(client, "[\"NEG-OPEN\",\"n\",{\"kinds\":[4]},\"61\"]", "n", "auth-required: ");
        assertClosed(client, "[\"COUNT\",\"c\",{\"kinds\":[21059]}]", "c", "auth-required: ");
        try (var plain = RelayUnderTest.start("AUTH", "off");
                var other = plain.connect()) {
            assertTaken(other, letter(1, 2));
            assertEquals(List.of(), other.events("{\"kinds\":[4]}"));
            assertEquals("[\"COUNT\",\"c\",{\"count\":0}]", other.ask("[\"COUNT\",\"c\",{\"kinds\":[4]}]"));
        }
    }

    @Test // relay 4.8
    void countsLettersForThoseWhoAreNamedOnly() throws Exception {
        int author = 33;
        int recipient = 34;
        assertTaken(client, letter(author, recipient));
        authenticate(relay, client, recipient, challenge(client));
        var to = "{\"kinds\":[4],\"#p\":[\"" + StoreSamples.author(recipient) + "\"";
        assertEquals("[\"COUNT\",\"c\",{\"count\":1}]", withoutRegisters(client.ask("[\"COUNT\",\"c\"," + to + "]}]")));
        assertClosed(client, "[\"COUNT\",\"c\"," + to + ",\"" + StoreSamples.author(35) + "\"]}]", "c", "restricted: ");
        assertClosed(client, "[\"COUNT\",\"c\",{\"kinds\":[4]}]", "c", "restricted: ");
        assertEquals(
                "[\"COUNT\",\"c\",{\"count\":0}]",
                client.ask("[\"COUNT\",\"c\"," + by(recipient).replace("}", ",\"kinds\":[4]}") + "]"));
    }

    private static String withoutRegisters(String answer) {
        return answer.replaceFirst(",\"hll\":\"[0-9a-f]{512}\"", "");
    }

    @Test // row 144
    void doesNotCountHiddenLettersAgainstALimit() throws Exception {
        int author = 36;
        var open = StoreSamples.event(author, 1, TIME, List.of(), "open");
        assertTaken(client, open);
        for (int i = 1; i < 6; i++) {
            assertTaken(client, letter(author, 37, TIME + i));
        }
        assertEquals(List.of(open), client.events(by(author).replace("}", ",\"limit\":1}")));
        assertEquals(List.of(open), client.events(by(author).replace("}", ",\"limit\":1,\"kinds\":[1,4]}")));
    }

    @Test // relay 5.2
    void neverServesAProof() throws Exception {
        var challenge = challenge(client);
        try (var listener = relay.connect()) {
            listener.subscribe("s", by(38));
            authenticate(relay, client, 38, challenge);
            assertRefused(client, proof(relay, 38, challenge), "invalid: ");
            assertEquals(List.of(), client.events(by(38)));
            var open = StoreSamples.event(38, 1, TIME, List.of(), "open");
            client.send(publishing(open));
            assertEquals(open, listener.live("s"));
        }
    }
}
