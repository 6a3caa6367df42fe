package dev.grapnel.purgatory.hunt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.purgatory.hunt.Patience.Pace;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PatienceTest {
    private static Pace<String> pace(String name, int seconds, long bytesPerSecond) {
        return new Pace<>(name, seconds * 1000L, seconds * bytesPerSecond);
    }

    /// Row 204.
    @Test
    void nobodyIsDisturbedForTwoMinutes() {
        assertEquals(Optional.empty(), Patience.findSlow(List.<Pace<String>>of()));
        assertEquals(Optional.empty(), Patience.findSlow(List.of(pace("young", 119, 0))));
        assertEquals(Optional.of("old"), Patience.findSlow(List.of(pace("young", 119, 0), pace("old", 120, 0))));
    }

    @Test
    void whatBringsEnoughIsLeftAlone() {
        assertEquals(Optional.empty(), Patience.findSlow(List.of(pace("fast", 3000, 64 * 1024))));
        assertEquals(Optional.of("slow"), Patience.findSlow(List.of(pace("slow", 3000, 64 * 1024 - 1))));
        assertEquals(Optional.empty(), Patience.findSlow(List.of(new Pace<>("huge", 3_600_000, Long.MAX_VALUE))));
    }

    @Test
    void whoHadItsPlaceForLongestGivesWay() {
        assertEquals(
                Optional.of("oldest"),
                Patience.findSlow(
                        List.of(pace("silent", 130, 0), pace("oldest", 500, 2048), pace("fast", 900, 1 << 20))));
        assertEquals(
                Optional.of("silent"), Patience.findSlow(List.of(pace("drip", 200, 2048), pace("silent", 200, 0))));
    }
}
