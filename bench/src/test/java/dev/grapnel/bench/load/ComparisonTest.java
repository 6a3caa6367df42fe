package dev.grapnel.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
    @Test
    void spreadIsLeastMedianAndMost() {
        assertEquals(new Spread(1, 2, 9), Spread.of(List.of(9.0, 1.0, 2.0)));
        assertEquals(new Spread(1, 2.5, 9), Spread.of(List.of(9.0, 1.0, 2.0, 3.0)));
        assertEquals(new Spread(4, 4, 4), Spread.of(List.of(4.0)));
        assertThrows(IllegalArgumentException.class, () -> Spread.of(List.of()));
    }

    @Test
    void ratiosAreTakenWithinRounds() {
        var comparison = new Comparison();
        comparison.add("a", Map.of("rate", 100.0));
        comparison.add("b", Map.of("rate", 200.0));
        comparison.add("a", Map.of("rate", 10.0)); // the machine was busy, for both
        comparison.add("b", Map.of("rate", 30.0));
        comparison.add("a", Map.of("rate", 100.0));
        comparison.add("b", Map.of("rate", 100.0));
        assertEquals(Optional.of(new Spread(10, 100, 100)), comparison.spread("a", "rate"));
        assertEquals(Optional.of(new Spread(30, 100, 200)), comparison.spread("b", "rate"));
        assertEquals(Optional.of(new Spread(1, 2, 3)), comparison.ratio("b", "rate"));
        assertEquals(List.of("a", "b"), comparison.targets());
    }

    @Test
    void whatOneSideLacksHasNoRatio() {
        var comparison = new Comparison();
        comparison.add("a", Map.of("none", 0.0));
        comparison.add("b", Map.of("none", 3.0, "memory", 5.0));
        assertEquals(Optional.empty(), comparison.ratio("b", "none"));
        assertEquals(Optional.empty(), comparison.ratio("b", "memory"));
        assertEquals(Optional.of(new Spread(5, 5, 5)), comparison.spread("b", "memory"));
        assertEquals(Optional.empty(), comparison.spread("a", "memory"));
    }

    @Test
    void numbersAreShownWithAsManyDigitsAsTheyDeserve() {
        assertEquals("12,345", Contest.text(12345.4));
        assertEquals("12.3", Contest.text(12.345));
        assertEquals("1.23", Contest.text(1.2345));
        assertEquals("0", Contest.text(0));
        assertEquals("7", Contest.text(7));
    }
}
