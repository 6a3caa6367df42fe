package dev.grapnel.git.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RetryAfterTest {
    private static final Instant NOW = Instant.parse("2015-10-21T07:27:00Z");

    @Test
    void secondsAndDatesAreUnderstood() {
        assertEquals(Optional.of(Duration.ofMinutes(2)), RetryAfter.parse(" 120 ", NOW));
        assertEquals(Optional.of(Duration.ofMinutes(1)), RetryAfter.parse("Wed, 21 Oct 2015 07:28:00 GMT", NOW));
        assertEquals(Optional.of(Duration.ZERO), RetryAfter.parse("Wed, 21 Oct 2015 07:26:00 GMT", NOW));
    }

    @Test
    void longerThanAnybodyCanCountIsVeryLong() {
        assertEquals(Optional.of(Duration.ofSeconds(999_999_999)), RetryAfter.parse("99999999999999999999", NOW));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5", "soon", "\u0661"})
    void otherThingsAreNot(String text) {
        assertEquals(Optional.empty(), RetryAfter.parse(text, NOW));
    }
}
