package dev.grapnel.sync.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// Who of many is followed (R1.16), and what becomes of too many.
final class RosterTest {
    private final List<String> told = new ArrayList<>();

    private final Roster.Listener listener = new Roster.Listener() {
        @Override
        public void followed(Candidate candidate) {
            told.add("+" + candidate.relay());
        }

        @Override
        public void dropped(Candidate candidate) {
            told.add("-" + candidate.relay());
        }

        @Override
        public void waits(Candidate candidate) {
            told.add("?" + candidate.relay());
        }
    };

    private static Candidate candidate(int relay, int fullCount) {
        var standing = new Standing(false, false, fullCount, fullCount == 0);
        return new Candidate(relay, HealthBookTest.url("wss://r" + relay + ".example"), relay, standing);
    }

    @Test
    void beyondItsSizeTheLeastOfThoseWhoWaitIsForgotten() {
        var roster = new Roster(1, 2);
        var doubtful = candidate(9, 0);
        var least = candidate(2, 1);
        assertEquals(Optional.empty(), roster.add(doubtful));
        assertEquals(Optional.empty(), roster.add(candidate(1, 5)));
        assertEquals(Optional.of(doubtful), roster.add(least));
        assertEquals(Optional.of(least), roster.add(candidate(3, 3)));
        assertEquals(2, roster.waitingCount());
        roster.settle(0, listener);
        assertEquals(List.of("+1", "?9", "?2", "?3"), told, "whoever finds no place, forgotten or not");
        roster.remove(least); // who is not there can be taken off as well
        assertEquals(1, roster.waitingCount());
    }

    @Test
    void whoLosesItsPlaceWaitsForTheNext() {
        var roster = new Roster(1, 10);
        var small = candidate(1, 1);
        var large = candidate(2, 2);
        roster.add(small);
        roster.settle(0, listener);
        roster.add(large);
        roster.settle(0, listener);
        roster.remove(large);
        roster.settle(0, listener);
        assertEquals(List.of("+1", "-1", "+2", "+1"), told);
        assertFalse(roster.isFollowed(large));
    }

    @Test
    void whoBecomesDoubtfulStaysButCountsAgainstTheirShare() {
        var roster = new Roster(4, 10);
        var fallen = candidate(1, 1);
        roster.add(fallen);
        roster.settle(0, listener);
        roster.change(fallen, new Standing(false, false, 0, true));
        roster.add(candidate(2, 0));
        roster.settle(0, listener);
        assertEquals(List.of("+1", "?2"), told, "one of four is their share");
        assertEquals(OptionalLong.empty(), roster.left(0), "which time does not change");
        roster.change(fallen, new Standing(false, false, 1, false));
        roster.settle(0, listener);
        assertEquals(List.of("+1", "?2", "+2"), told);
    }
}
