package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// Sync R4.20, tests 86 and 93.
final class RefusalLineTest {
    private static final Map<RefusalLine, List<String>> TEXTS = Map.ofEntries(
            Map.entry(RefusalLine.OPEN_BYTES, List.of("active subscriptions exceed max size 5242880")),
            Map.entry(
                    RefusalLine.FILTER_COUNT,
                    List.of(
                            "filter count exceeds 20",
                            "number of filters is 11",
                            "too many filters",
                            "max filters is 3")),
            Map.entry(RefusalLine.ITEMS, List.of("too many negentropy items")),
            Map.entry(RefusalLine.SESSIONS, List.of("too many concurrent NEG requests", "max negentropy sessions")),
            Map.entry(
                    RefusalLine.SUBSCRIPTIONS,
                    List.of("too many concurrent REQs", "too many subscriptions", "max subs reached", "too many REQ")),
            Map.entry(RefusalLine.VALUES, List.of("filter item too large", "too many tags", "max values is 100")),
            Map.entry(RefusalLine.LIMIT, List.of("invalid: limit must be positive", "unsupported limit")),
            Map.entry(RefusalLine.AUTH, List.of("auth-required: who are you", "authentication required")),
            Map.entry(
                    RefusalLine.RATE,
                    List.of("too many requests", "slow down", "you are throttled", "rate limit exceeded")),
            Map.entry(
                    RefusalLine.POLICY,
                    List.of(
                            "restricted: members",
                            "blocked: no",
                            "request rejected",
                            "payment needed",
                            "you are muted")),
            Map.entry(RefusalLine.INVALID, List.of("invalid: what", "unsupported", "filter validation failed")),
            Map.entry(RefusalLine.OTHER, List.of("error: could not", "", "shutting down")));

    @Test
    void textsMeanTheSameInAnyCase() {
        TEXTS.forEach((line, texts) -> texts.forEach(text -> {
            assertEquals(line, RefusalLine.of(text, false), text);
            assertEquals(line, RefusalLine.of(text.toUpperCase(Locale.ROOT), false), text);
        }));
    }

    @Test
    void aPrefixDoesNotHideWhatIsMeant() {
        TEXTS.forEach((line, texts) -> texts.forEach(text -> {
            if (line.isStructural() && line != RefusalLine.LIMIT) {
                assertEquals(line, RefusalLine.of("rate-limited: " + text, false), text);
            }
        }));
    }

    @Test
    void aBlockedComparisonIsTooLarge() {
        assertEquals(RefusalLine.ITEMS, RefusalLine.of("blocked: this query is too big", true));
        assertEquals(RefusalLine.POLICY, RefusalLine.of("blocked: this query is too big", false));
    }

    @Test
    void wordsAreWhole() {
        assertEquals(RefusalLine.RATE, RefusalLine.of("too many requests", false));
        assertEquals(RefusalLine.RATE, RefusalLine.of("too many submissions", false));
    }

    @Test
    void onlyTheNumberOfBytesIsBelieved() {
        assertEquals(OptionalLong.of(1_048_576), RefusalLine.bytes("Active subscriptions exceed max size 1048576"));
        assertEquals(OptionalLong.empty(), RefusalLine.bytes("too many filters: 10"));
    }

    @Test
    void onlyWhoDoesNotUnderstandIsBewildered() {
        assertTrue(RefusalLine.isBewildered("could not parse command"));
        assertTrue(RefusalLine.isBewildered("unknown envelope label"));
        assertFalse(RefusalLine.isBewildered("welcome"));
    }
}
