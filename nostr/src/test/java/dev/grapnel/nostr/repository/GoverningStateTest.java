package dev.grapnel.nostr.repository;

import static dev.grapnel.nostr.repository.People.X;
import static dev.grapnel.nostr.repository.People.announcements;
import static dev.grapnel.nostr.repository.People.keyOf;
import static dev.grapnel.nostr.repository.People.state;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Which state governs: service A.4b, with A for Ann and B for Bob.
final class GoverningStateTest {
    private static final List<List<String>> MAIN = List.of(List.of("refs/heads/main", "1".repeat(40)));

    @Test
    void greaterTimeWins() {
        assertGoverns(state("B", 11, '9', MAIN), state("A", 10, '1', MAIN));
    }

    @Test
    void lowerIdWinsAtEqualTimesWhoeverTheAuthorsAre() {
        assertGoverns(state("A", 10, '1', MAIN), state("B", 10, '9', MAIN));
        assertGoverns(state("B", 10, '3', MAIN), state("A", 10, '5', MAIN));
        assertGoverns(state("A", 10, '1', MAIN), state("A", 10, '5', MAIN));
        assertGoverns(state("A", 10, '7', MAIN), state("B", 10, '8', MAIN)); // the top bit is no sign
    }

    @Test
    void stateOfSomebodyWhoLeftOrWasRemovedGovernsNoMore() {
        var states = List.of(state("A", 10, '1', MAIN), state("B", 11, '1', MAIN));
        assertEquals(Optional.of(states.get(1)), governing("A: M A, m B; B: M A, m B", states));
        assertEquals(Optional.of(states.get(0)), governing("A: M A, m B; B: M A, m B!", states));
        assertEquals(Optional.of(states.get(0)), governing("A: M A, m B!; B: M A, m B", states));
        assertEquals(Optional.empty(), governing("A: m A!", states));
    }

    @Test
    void emptyStateGovernsLikeAnyOther() {
        var empty = state("A", 12, '1', List.of());
        var states = new ArrayList<>(List.of(empty, state("B", 10, '1', MAIN)));
        assertEquals(Optional.of(empty), governing("A -> B; B -> A", states));
        assertEquals("refs/heads/main", empty.defaultBranch().text());
        states.add(state("B", 13, '1', MAIN));
        assertEquals(Optional.of(states.getLast()), governing("A -> B; B -> A", states));
    }

    @Test
    void stateThatCannotBeSatisfiedNeverGoverns() {
        var states =
                List.of(state("A", 10, '1', MAIN), state("B", 11, '1', List.of(List.of("refs/heads/x", "abc123"))));
        assertEquals(Optional.of(states.getFirst()), governing("A -> B; B -> A", states));
    }

    @Test
    void withoutAStateOfAMemberNoneGoverns() {
        assertEquals(Optional.empty(), governing("A -> B; B -> A", List.of()));
        assertEquals(Optional.empty(), governing("A -> B; B -> A", List.of(state("C", 10, '1', MAIN))));
    }

    @Test
    void versionsAreInOneTotalOrder() {
        int seed = 3;
        var random = new SplittableRandom(seed);
        var versions = new ArrayList<Version>();
        for (int i = 0; i < 60; i++) {
            var id = new EventId(random.nextInt(3) - 1L, random.nextInt(2), 0, random.nextInt(2) - 1L);
            versions.add(new Version(random.nextInt(3), id));
        }
        for (var a : versions) {
            for (var b : versions) {
                var message = "seed " + seed + ": " + a + " and " + b;
                assertEquals(Integer.signum(a.compareTo(b)), -Integer.signum(b.compareTo(a)), message);
                assertEquals(a.equals(b), a.compareTo(b) == 0, message);
                assertEquals(!a.equals(b), a.isNewerThan(b) ^ b.isNewerThan(a), message);
                for (var c : versions) {
                    boolean chain = a.isNewerThan(b) && b.isNewerThan(c);
                    assertEquals(true, !chain || a.isNewerThan(c), message + " and " + c);
                }
            }
        }
    }

    private static void assertGoverns(RepositoryState winner, RepositoryState loser) {
        assertEquals(Optional.of(winner), governing("A -> B; B -> A", List.of(winner, loser)));
        assertEquals(Optional.of(winner), governing("A -> B; B -> A", List.of(loser, winner)));
        assertEquals(true, winner.version().isNewerThan(loser.version()));
    }

    private static Optional<RepositoryState> governing(String announcements, List<RepositoryState> states) {
        var pool = AnnouncementPool.of(X, announcements(announcements));
        return Maintainers.of(keyOf("A"), pool, MaintainerModel.CONFIRMED).findGoverning(states);
    }
}
