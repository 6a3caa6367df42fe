package dev.grapnel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.grapnel.store.RequestRetention.Phase;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RequestRetentionTest {
    private static final Instant START = Instant.ofEpochSecond(1_700_000_000);

    @ParameterizedTest
    @CsvSource({
        "-1, SERVED, SERVED",
        "0, SERVED, SERVED",
        "29, SERVED, SERVED",
        "30, BLOCKING, SERVED",
        "209, BLOCKING, SERVED",
        "210, OVER, SERVED",
        "269, OVER, SERVED",
        "270, OVER, BLOCKING",
        "359, OVER, BLOCKING",
        "360, OVER, OVER"
    })
    void phasesFollowEachOtherAsTheServiceSays(int days, Phase unused, Phase used) {
        var now = START.plus(Duration.ofDays(days));
        assertEquals(unused, RequestRetention.DEFAULTS.unused(START, now));
        assertEquals(used, RequestRetention.DEFAULTS.used(START, now));
    }

    @Test
    void aTimeMayBeLongerThanAnyDate() {
        var ever = Duration.ofSeconds(Long.MAX_VALUE);
        var retention = new RequestRetention(ever, ever, Duration.ofSeconds(1), ever);
        assertEquals(Phase.SERVED, retention.unused(Instant.EPOCH, START));
        assertEquals(Phase.BLOCKING, retention.used(Instant.EPOCH, START));
    }

    @Test
    void aTimeIsNotNegative() {
        var zero = Duration.ZERO;
        var negative = Duration.ofNanos(-1);
        assertThrows(IllegalArgumentException.class, () -> new RequestRetention(negative, zero, zero, zero));
        assertThrows(IllegalArgumentException.class, () -> new RequestRetention(zero, negative, zero, zero));
        assertThrows(IllegalArgumentException.class, () -> new RequestRetention(zero, zero, negative, zero));
        assertThrows(IllegalArgumentException.class, () -> new RequestRetention(zero, zero, zero, negative));
    }
}
