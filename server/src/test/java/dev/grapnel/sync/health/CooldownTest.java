package dev.grapnel.sync.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// How long a relay is left in peace that asks for it (R4.29, rows 94 and 97).
final class CooldownTest {
    private final Cooldown cooldown = new Cooldown();
    private long now = -5;

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private long refuse() {
        assertTrue(cooldown.begin(now, Duration.ZERO));
        return Duration.ofNanos(cooldown.left(now)).toSeconds();
    }

    private void waitForTheEnd() {
        now += cooldown.left(now);
        assertFalse(cooldown.isRunning(now));
    }

    @Test
    void firstOneTakes65Seconds() {
        assertFalse(cooldown.isRunning(now));
        assertEquals(65, refuse());
        pass(Duration.ofSeconds(65).minusNanos(1));
        assertTrue(cooldown.isRunning(now));
        pass(Duration.ofNanos(1));
        assertFalse(cooldown.isRunning(now));
    }

    @Test
    void refusalMeanwhileNeitherExtendsNorCounts() {
        refuse();
        pass(Duration.ofSeconds(60));
        assertFalse(cooldown.begin(now, Duration.ofHours(1)));
        assertEquals(Duration.ofSeconds(5).toNanos(), cooldown.left(now));
        waitForTheEnd();
        pass(Duration.ofMinutes(6));
        assertEquals(65, refuse(), "the one meanwhile did not count");
    }

    @Test
    void refusalSoonAfterDoublesUpToAnHour() {
        var lengths = Stream.generate(() -> {
                    waitForTheEnd();
                    pass(Duration.ofMinutes(5));
                    return refuse();
                })
                .limit(9)
                .toList();
        assertEquals(List.of(65L, 130L, 260L, 520L, 1040L, 2080L, 3600L, 3600L, 3600L), lengths);
    }

    @Test
    void onlyHalfAnHourOfPeaceResetsIt() {
        refuse();
        waitForTheEnd();
        assertEquals(130, refuse());
        waitForTheEnd();
        pass(Duration.ofMinutes(5).plusNanos(1));
        assertEquals(130, refuse(), "neither soon nor late");
        waitForTheEnd();
        pass(Duration.ofMinutes(30).minusNanos(1));
        assertEquals(130, refuse());
        waitForTheEnd();
        pass(Duration.ofMinutes(30));
        assertTrue(cooldown.isForgotten(now));
        assertEquals(65, refuse());
    }

    @Test
    void whatTheRelayAsksForIsGivenUpToAnHour() {
        cooldown.begin(now, Duration.ofMinutes(10));
        assertEquals(Duration.ofMinutes(10).toNanos(), cooldown.left(now));
        waitForTheEnd();
        cooldown.begin(now, Duration.ofDays(1));
        assertEquals(Duration.ofHours(1).toNanos(), cooldown.left(now));
        waitForTheEnd();
        cooldown.begin(now, Duration.ofSeconds(1));
        assertEquals(Duration.ofSeconds(260).toNanos(), cooldown.left(now), "less is not what it gets");
    }
}
