package dev.grapnel.nostr.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Samples;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class EventRulesTest {
    private static final long NOW = 1_800_000_000;
    private static final String MINED =
            "{\"id\":\"000006d8c378af1779d2feebc7603a125d99eca0ccf1085959b307f64e5dd358\",\"pubkey\":\"a48380f4cfcc1ad5378294fcac36439770f9c878dd880ffa94bb74ea54a6f243\",\"created_at\":1651794653,\"kind\":1,\"tags\":[[\"nonce\",\"776797\",\"20\"]],\"content\":\"It's just me mining my own business\",\"sig\":\"284622fc0a3f4f1303455d5175f7ba962a3300d136085b9566801bc2e0699de0c7e31e44c81fb40ad9049173742e904713c3594a1da0fc5d2382a25c11aba977\"}";

    @Test
    void eventsMayBeDatedALittleAhead() {
        assertEquals("", judged(at(NOW + 900, 1)));
        assertEquals(
                "invalid: created_at is more than 900 seconds in the future, check your clock",
                judged(at(NOW + 901, 1)));
        assertTrue(judged(at((1L << 53) - 1, 1)).startsWith("invalid: "));
    }

    @Test
    void oldEventsAreTakenUnlessALowerLimitIsSet() {
        assertEquals("", judged(at(0, 1)));
        assertEquals("", judged(at(915_148_800, 30617)));
        var young = new EventRules(Duration.ZERO, Duration.ofMinutes(1), Duration.ZERO, 0);
        assertEquals("", judged(young, at(NOW - 60, 1)));
        assertEquals("invalid: created_at is more than 60 seconds ago", judged(young, at(NOW - 61, 1)));
        assertEquals("", judged(young, at(NOW, 1)));
    }

    @Test
    void staleEphemeralEventsAreRefused() {
        assertEquals("", judged(at(NOW - 300, 20001)));
        assertEquals("invalid: ephemeral event is more than 300 seconds old", judged(at(NOW - 301, 29999)));
    }

    @Test
    void authenticationEventsAreNeverPublished() {
        for (int kind : new int[] {22242, 27235}) {
            assertEquals("invalid: authentication events are never published", judged(at(NOW, kind)));
        }
    }

    @Test
    void expiredEventsAreRefusedFromTheVerySecondOn() {
        assertEquals("invalid: event has expired", judged(expiring("" + NOW)));
        assertEquals("invalid: event has expired", judged(expiring("0")));
        assertEquals("", judged(expiring("" + (NOW + 1))));
        assertEquals("", judged(expiring("" + Long.MAX_VALUE)));
        assertEquals("", judged(Samples.event(NOW, 20001, List.of(List.of("expiration", "1")), "")));
    }

    @Test
    void malformedExpirationsAreRefused() {
        for (var value :
                List.of("", "abc", "-1", "+1", "1.5", "1e9", " 1", "٣", "9223372036854775808", "9".repeat(40))) {
            assertTrue(judged(expiring(value)).startsWith("invalid: expiration "), value);
        }
        var bare = Samples.event(NOW, 1, List.of(List.of("expiration")), "");
        assertEquals("invalid: expiration is not a run of digits", judged(bare));
    }

    @Test
    void onlyTheFirstExpirationCounts() {
        var event =
                Samples.event(NOW, 1, List.of(List.of("expiration", "" + (NOW + 5)), List.of("expiration", "1")), "");

        assertEquals("", judged(event));
        assertEquals(NOW + 5, Expiration.of(event).require().second());
        assertEquals(Expiration.NEVER, Expiration.of(at(NOW, 1)).require());
    }

    @Test
    void difficultyIsTheNumberOfLeadingZeroBits() {
        assertEquals(36, difficulty("000000000e9d97a1ab09fc381030b346cdd7a142ad57e6df0b46dc9bef6c7e2d"));
        assertEquals(10, difficulty("002f" + "0".repeat(60)));
        assertEquals(0, difficulty("f".repeat(64)));
        assertEquals(256, difficulty("0".repeat(64)));
        for (int bits = 0; bits < 256; bits++) {
            var hex = new StringBuilder("0".repeat(64));
            hex.setCharAt(bits / 4, Character.forDigit(8 >> bits % 4, 16));
            assertEquals(bits, difficulty(hex.toString()));
        }
    }

    private static int difficulty(String hex) {
        return ProofOfWork.difficulty(EventId.parse(hex).require());
    }

    @Test
    void workAndCommittedTargetMustReachTheMinimum() {
        var mined = Samples.read(MINED);

        assertEquals("", judged(withWork(20), mined));
        assertEquals("pow: difficulty 21 is less than 22", judged(withWork(22), mined));
        assertEquals("pow: the committed target is less than 21", judged(withWork(21), mined));
        assertEquals("", judged(withWork(0), at(NOW, 1)));
        assertTrue(judged(withWork(40), at(NOW, 1)).startsWith("pow: difficulty "));
    }

    @Test
    void aMissingOrUnreadableCommitmentIsNoReason() {
        for (var nonce :
                List.of(List.of("nonce", "1"), List.of("nonce"), List.of("nonce", "1", "x"), List.of("t", "1", "0"))) {
            var event = lucky(nonce);
            assertEquals(Optional.empty(), ProofOfWork.judge(event, 1), nonce.toString());
        }
        for (var target : List.of("0", "000", "-1", "-99999999999999999999")) {
            assertTrue(
                    ProofOfWork.judge(lucky(List.of("nonce", "1", target)), 1).isPresent(), target);
        }
        for (var target : List.of("1", "0001", "99999999999999999999", "٠", "+0", "0x0", "0 ", "")) {
            assertEquals(Optional.empty(), ProofOfWork.judge(lucky(List.of("nonce", "1", target)), 1), target);
        }
    }

    /// An event with at least one zero bit, found by trying dates.
    private static Event lucky(List<String> tag) {
        for (long date = NOW; ; date--) {
            var event = Samples.event(date, 1, List.of(tag), "");
            if (ProofOfWork.difficulty(event.id()) > 0) {
                return event;
            }
        }
    }

    @Test
    void rulesThatCannotBeAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> withWork(257));
        assertThrows(IllegalArgumentException.class, () -> withWork(-1));
        var minus = Duration.ofSeconds(-1);
        assertThrows(IllegalArgumentException.class, () -> new EventRules(minus, Duration.ZERO, Duration.ZERO, 0));
        assertThrows(IllegalArgumentException.class, () -> new EventRules(Duration.ZERO, minus, Duration.ZERO, 0));
        assertThrows(IllegalArgumentException.class, () -> new EventRules(Duration.ZERO, Duration.ZERO, minus, 0));
    }

    @Test
    void aTagNamedByADashProtects() {
        assertTrue(ProtectedEvents.isProtected(Samples.note("", List.of(List.of("t", "x"), List.of("-")))));
        assertTrue(ProtectedEvents.isProtected(Samples.note("", List.of(List.of("-", "x")))));
        assertFalse(ProtectedEvents.isProtected(Samples.note("-", List.of(List.of("--"), List.of("t", "-")))));
    }

    @Test
    void repostsOfProtectedEventsAreRecognised() {
        for (int kind : new int[] {6, 16}) {
            assertTrue(repost(kind, "{\"content\":\"x\",\"tags\":[[\"t\"],[\"-\"]]}"));
            assertTrue(repost(kind, " {\"tags\":[[\"\\u002d\",\"y\"]]} "));
            assertTrue(repost(kind, Samples.note("", List.of(List.of("-"))).toString()));
            assertTrue(repost(kind, "{\"x\":" + "[".repeat(50_000) + "]".repeat(50_000) + ",\"tags\":[[\"-\"]]}"));
        }
        assertFalse(repost(1, "{\"tags\":[[\"-\"]]}"), "not a repost");
        for (var content : List.of(
                "",
                "hello",
                "[[\"-\"]]",
                "{\"tags\":[[\"t\",\"-\"]]}",
                "{\"tags\":[\"-\"]}",
                "{\"tags\":\"-\"}",
                "{\"x\":{\"tags\":[[\"-\"]]}}",
                "{\"tags\":[[\"-\"]]",
                "{\"tags\":[[\"-\"]]} x",
                "{\"tags\":[[\"-\"",
                "{\"tags\":[[]]}",
                "{\"tags\":[[\"-\"],",
                "{}")) {
            assertFalse(repost(6, content), content);
        }
    }

    private static boolean repost(int kind, String content) {
        return ProtectedEvents.isRepostOfProtected(Samples.event(NOW, kind, List.of(), content));
    }

    private static EventRules withWork(int difficulty) {
        return new EventRules(Duration.ofMinutes(15), EventRules.ANY_AGE, Duration.ofMinutes(5), difficulty);
    }

    private static Event at(long createdAt, int kind) {
        return Samples.event(createdAt, kind, List.of(), "");
    }

    private static Event expiring(String value) {
        return Samples.event(NOW, 1, List.of(List.of("expiration", value)), "");
    }

    private static String judged(Event event) {
        return judged(EventRules.DEFAULTS, event);
    }

    private static String judged(EventRules rules, Event event) {
        return rules.judge(event, Instant.ofEpochSecond(NOW))
                .map(Refusal::toString)
                .orElse("");
    }
}
