package dev.grapnel.purgatory.hunt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What people read about a URL.
final class AnswerTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00.123Z");

    private static String words(String result, int oids, Optional<String> reason, Optional<Instant> until) {
        return new Answer("https://a.example/x.git", AT, result, oids, reason, until).words();
    }

    @Test
    void saysWhatCame() {
        assertEquals("gave 1 ref", words("ok", 1, Optional.empty(), Optional.empty()));
        assertEquals("gave 2 refs", words("ok", 2, Optional.empty(), Optional.empty()));
        assertEquals("does not have what is missing", words("ok", 0, Optional.empty(), Optional.empty()));
    }

    @Test
    void saysWhatWentWrongAndForHowLongItIsLeftAlone() {
        assertEquals(
                "asked to come back later (the server answered with status 429); left alone until 2026-01-01T00:00:00Z",
                words("slow_down", 0, Optional.of("the server answered with status 429"), Optional.of(AT)));
    }

    /// Failures that may pass have many causes and no name that says more.
    @Test
    void failureThatMayPassIsItsReason() {
        assertEquals(
                "no connection could be made",
                words("transient", 0, Optional.of("no connection could be made"), Optional.empty()));
        assertEquals("could not be reached, or failed", words("transient", 0, Optional.empty(), Optional.empty()));
    }
}
