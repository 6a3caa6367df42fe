package dev.grapnel.sync.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class VirtualSchedulerTest {
    private final VirtualScheduler time = new VirtualScheduler(Instant.EPOCH);
    private final List<String> done = new ArrayList<>();

    @Test
    void tasksRunByTimeAndThenInTheOrderInWhichTheyCame() {
        time.after(Duration.ofSeconds(2), () -> done.add("late"));
        time.after(Duration.ofSeconds(1), () -> done.add("first"));
        time.after(Duration.ofSeconds(1), () -> {
            done.add("second");
            time.post(() -> done.add("posted"));
        });
        time.after(Duration.ofSeconds(1), () -> done.add("third"));
        assertTrue(time.runUntilQuiet(Duration.ofHours(1)));
        assertEquals(List.of("first", "second", "third", "posted", "late"), done);
        assertEquals(5, time.steps());
    }

    @Test
    void whatWasTakenBackDoesNotRun() {
        var taken = time.after(Duration.ofSeconds(1), () -> done.add("never"));
        taken.run();
        taken.run();
        assertEquals(0, time.waiting());
        assertFalse(time.step());
        assertEquals(List.of(), done);
    }

    @Test
    void takingBackWhatHasRunDoesNothing() {
        var task = time.after(Duration.ZERO, () -> done.add("once"));
        time.step();
        task.run();
        time.post(() -> done.add("next"));
        assertEquals(1, time.waiting());
        time.step();
        assertEquals(List.of("once", "next"), done);
    }

    @Test
    void aJumpOfTheWallClockMovesNothingElse() {
        time.after(Duration.ofMinutes(1), () -> done.add("due"));
        time.jump(Duration.ofDays(-1));
        time.runFor(Duration.ofSeconds(59));
        assertEquals(List.of(), done);
        time.runFor(Duration.ofSeconds(1));
        assertEquals(List.of("due"), done);
        assertEquals(Instant.EPOCH.plusSeconds(60 - 86_400), time.wall());
        assertEquals(Duration.ofMinutes(1), time.elapsed());
    }

    @Test
    void manyTasksThatWereTakenBackAreForgotten() {
        for (int round = 0; round < 100_000; round++) {
            time.after(Duration.ofDays(1), () -> done.add("never")).run();
        }
        time.after(Duration.ofHours(1), () -> done.add("due"));
        assertEquals(1, time.waiting());
        assertEquals(Duration.ofHours(1).toNanos(), time.nextAt());
        assertTrue(time.runUntilQuiet(Duration.ofDays(2)));
        assertEquals(List.of("due"), done);
    }

    @Test
    void equalRunsHaveEqualHashesAndOthersHaveNot() {
        assertEquals(hashOf(1), hashOf(1));
        assertNotEquals(hashOf(1), hashOf(2));
    }

    private static long hashOf(long seed) {
        var time = new VirtualScheduler(Instant.EPOCH);
        var random = new SplittableRandom(seed);
        for (int task = 0; task < 100; task++) {
            time.after(Duration.ofMillis(random.nextInt(1000)), () -> time.trace(random.nextLong()));
        }
        time.runUntilQuiet(Duration.ofHours(1));
        return time.traceHash();
    }
}
