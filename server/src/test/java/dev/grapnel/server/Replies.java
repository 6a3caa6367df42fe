package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.auth.RelayAuth;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.time.Instant;

/// What clients say in many tests, and what they expect to be told, letter by letter.
final class Replies {
    private Replies() {}

    /// A JSON string.
    static String quoted(String text) {
        return new JsonWriter(64).string(text).toString();
    }

    /// The message that publishes an event, or something like it.
    static String publishing(Object event) {
        return "[\"EVENT\"," + event + "]";
    }

    /// An event is taken without a word.
    static void assertTaken(RelayClient client, Event event) throws IOException {
        assertAnswer(client, event, true, "");
    }

    /// An event is answered with exactly this.
    static void assertAnswer(RelayClient client, Event event, boolean accepted, String message) throws IOException {
        assertEquals(
                "[\"OK\",\"" + event.id() + "\"," + accepted + "," + quoted(message) + "]",
                client.ask(publishing(event)));
    }

    /// An event must wait for its git data.
    static void assertHeld(RelayClient client, Event event) throws IOException {
        assertAnswer(client, event, true, "purgatory: won't be served until git data arrives");
    }

    /// An event is refused with a message that begins like this.
    static void assertRefused(RelayClient client, Event event, String prefix) throws IOException {
        assertRefused(client, event.id(), event, prefix);
    }

    /// The same for anything that claims to be an event of this id.
    static void assertRefused(RelayClient client, Object id, Object json, String prefix) throws IOException {
        assertBegins("[\"OK\",\"" + id + "\",false,\"" + prefix, client.ask(publishing(json)));
    }

    /// A message is answered with a NOTICE that begins like this.
    static void assertNotice(RelayClient client, String message, String prefix) throws IOException {
        assertBegins("[\"NOTICE\",\"" + prefix, client.ask(message));
    }

    /// A message is answered with a CLOSED that begins like this.
    static void assertClosed(RelayClient client, String message, String id, String prefix) throws IOException {
        assertBegins("[\"CLOSED\"," + quoted(id) + ",\"" + prefix, client.ask(message));
    }

    /// A message is answered with a NEG-ERR that begins like this.
    static void assertNegError(RelayClient client, String message, String id, String prefix) throws IOException {
        assertBegins("[\"NEG-ERR\"," + quoted(id) + ",\"" + prefix, client.ask(message));
    }

    static void assertBegins(String beginning, String answer) {
        assertTrue(answer.startsWith(beginning), () -> answer + " does not begin with " + beginning);
    }

    /// Makes the relay send its challenge.
    static String challenge(RelayClient client) throws IOException {
        client.send("[\"REQ\",\"challenge\",{\"kinds\":[4]}]");
        var challenge = ((RelayMessage.Challenge) client.message()).challenge();
        assertBegins("[\"CLOSED\",\"challenge\",\"auth-required: ", client.receive());
        return challenge;
    }

    /// The event by which an author answers a challenge.
    static Event proof(RelayUnderTest relay, int author, String challenge) {
        return RelayAuth.answer(challenge, relay.service().domain().relayUrl(), Instant.now())
                .sign(StoreSamples.secretKey(author), Bytes.wrap(new byte[32]));
    }

    /// Authenticates as an author.
    static void authenticate(RelayUnderTest relay, RelayClient client, int author, String challenge)
            throws IOException {
        var proof = proof(relay, author, challenge);
        assertEquals("[\"OK\",\"" + proof.id() + "\",true,\"\"]", client.ask("[\"AUTH\"," + proof + "]"));
    }
}
