package dev.grapnel.purgatory.hunt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class HuntConfigTest {
    @Test
    void pausesBetweenAttemptsDoubleUpToTheirCap() {
        var delays = HuntConfig.DEFAULTS.delays();
        assertEquals(
                List.of(20L, 40L, 80L, 120L, 120L),
                IntStream.rangeClosed(1, 5)
                        .mapToObj(attempts -> delays.backoff(attempts).toSeconds())
                        .toList());
        assertEquals(Duration.ofSeconds(120), delays.backoff(Integer.MAX_VALUE));
    }
}
