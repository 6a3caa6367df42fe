package dev.grapnel.nostr.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Samples;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.url.ServiceAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RelayAuthTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    private static final ServiceAddress SERVICE =
            ServiceAddress.parse("git.example.com", "/").require();

    @Test
    void theAnswerToAChallengeIsAccepted() {
        var event = RelayAuth.answer("c1", "wss://git.example.com", NOW).sign(Samples.KEY, new Random(1));

        assertEquals("", judged(event));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ws://git.example.com", "WSS://GIT.example.com:443/", "wss://git.example.com/any/path"})
    void otherSpellingsOfTheRelayAreAccepted(String relay) {
        assertEquals("", judged(event(22242, 0, "c1", relay)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wss://other.example.com",
                "wss://git.example.com:8443",
                "git.example.com",
                "",
                "wss://git.example.com.evil.org"
            })
    void anotherRelayIsRefused(String relay) {
        assertEquals("invalid: no relay tag names this relay", judged(event(22242, 0, "c1", relay)));
    }

    @Test
    void eachCheckFailsAlone() {
        var relay = "wss://git.example.com";
        assertEquals("invalid: an authentication event has kind 22242", judged(event(22243, 0, "c1", relay)));
        assertEquals(
                "invalid: the challenge tag is not the challenge of this session",
                judged(event(22242, 0, "c2", relay)));
        assertEquals("", judged(event(22242, 600, "c1", relay)));
        assertEquals("", judged(event(22242, -600, "c1", relay)));
        assertEquals("invalid: created_at is more than 600 seconds from now", judged(event(22242, 601, "c1", relay)));
        assertEquals("invalid: created_at is more than 600 seconds from now", judged(event(22242, -601, "c1", relay)));
        var bare = Samples.event(NOW.getEpochSecond(), 22242, List.of(), "");
        assertTrue(judged(bare).startsWith("invalid: the challenge tag"));
    }

    @Test
    void aWrongSignatureIsRefused() {
        var event = event(22242, 0, "c1", "wss://git.example.com");
        var other = event(22242, 1, "c1", "wss://git.example.com");
        var forged = Samples.read(event.toString()
                .replace(event.signature().toString(), other.signature().toString()));

        assertTrue(judged(forged).startsWith("invalid: signature does not verify"));
    }

    @Test
    void onlyTheFirstRelayTagsAreLookedAt() {
        var tags = new ArrayList<List<String>>(Collections.nCopies(10, List.of("relay", "wss://a.b")));
        tags.add(List.of("challenge", "c1"));
        tags.add(List.of("relay", "wss://git.example.com"));
        assertEquals(
                "invalid: no relay tag names this relay", judged(Samples.event(NOW.getEpochSecond(), 22242, tags, "")));
        tags.removeFirst();
        assertEquals("", judged(Samples.event(NOW.getEpochSecond(), 22242, tags, "")));
    }

    /// Whoever has no open challenge yet may write that as an empty text; it must not be an open door.
    @Test
    void anEmptyChallengeIsAnsweredByNothing() {
        var event = event(22242, 0, "", "wss://git.example.com");

        assertTrue(RelayAuth.judge(event, "", SERVICE, NOW).isPresent());
    }

    private static Event event(int kind, long seconds, String challenge, String relay) {
        var tags = List.of(List.of("relay", relay), List.of("challenge", challenge));
        return Samples.event(NOW.getEpochSecond() + seconds, kind, tags, "");
    }

    private static String judged(Event event) {
        return RelayAuth.judge(event, "c1", SERVICE, NOW).map(Refusal::toString).orElse("");
    }
}
