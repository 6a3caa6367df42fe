package dev.grapnel.store.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// What ledger and sync rows may hold, and how they change.
final class RowLimitsTest {
    @Test
    void dormantRecordNamesAtMostSixtyFourObjectsAndEightPlaces() {
        var most = dormant(Dormant.MISSING_MAX, Dormant.CLONE_URLS_MAX);
        var row = RowSamples.expired().expiredAgain(RowSamples.LATER, Optional.of(most));
        assertEquals(row, Rows.decode(row.table(), row.key(), Rows.encode(row)).require());
        assertRefused("65 missing objects, and at most 64 are kept", () -> dormant(65, 8));
        assertRefused("9 clone URLs, and at most 8 are kept", () -> dormant(64, 9));
    }

    @Test
    void onlyWhatIsHeldCanExpire() {
        assertRefused("kind 1617 is never held", () -> expired(Kinds.PATCH, Optional.empty()));
        assertRefused(
                "an announcement waits for no objects",
                () -> expired(Kinds.ANNOUNCEMENT, Optional.of(RowSamples.DORMANT)));
        for (int kind : List.of(Kinds.STATE, Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE)) {
            assertEquals(kind, expired(kind, Optional.of(RowSamples.DORMANT)).kind());
        }
        assertEquals(
                Kinds.ANNOUNCEMENT,
                expired(Kinds.ANNOUNCEMENT, Optional.empty()).kind());
    }

    @Test
    void revivalLiftsAndIsCounted() {
        var row = expired(Kinds.STATE, Optional.of(RowSamples.DORMANT));
        var revived = row.revived();
        assertTrue(revived.lifted());
        assertEquals(1, revived.revivals());
        var again = revived.expiredAgain(RowSamples.LATER, Optional.of(RowSamples.DORMANT));
        assertFalse(again.lifted());
        assertEquals(RowSamples.SINCE, again.firstExpiredAt());
        assertEquals(RowSamples.LATER, again.expiredAt());
        assertEquals(1, again.revivals());
        assertEquals(Optional.empty(), again.withoutDormant().dormant());
    }

    @Test
    void repairCountsItsFailures() {
        var due = Repair.due(RowSamples.REPOSITORY, RowSamples.SINCE);
        var failed = due.failed("no space left", RowSamples.LATER).failed("still none", RowSamples.UNTIL);
        assertEquals(new Repair(RowSamples.REPOSITORY, RowSamples.SINCE, 2, RowSamples.UNTIL, "still none"), failed);
    }

    /// Whoever is in a hurry must not make the refs of what was taken back stay.
    @Test
    void repairThatIsDueEarlierStillKnowsWhatWasTakenBack() {
        var due = Repair.due(RowSamples.REPOSITORY, RowSamples.SINCE).without(RowSamples.ID, RowSamples.UNTIL);
        assertEquals(due, due.dueAt(RowSamples.SINCE).dueAt(RowSamples.UNTIL));
    }

    @Test
    void notesOfAnyFormAreKeptAsFarAsTheyCan() {
        var due = Repair.due(RowSamples.REPOSITORY, RowSamples.SINCE);
        assertEquals("half ?", due.failed("half \ud83d", RowSamples.UNTIL).reason());
        var long500 = "x".repeat(500);
        assertEquals(long500, due.failed(long500 + "y", RowSamples.UNTIL).reason());
        var pairAtTheEnd = "x".repeat(499) + "\ud83d\ude00";
        assertEquals("x".repeat(499), due.failed(pairAtTheEnd, RowSamples.UNTIL).reason());
        assertEquals(
                long500,
                new Adoption(RowSamples.REPOSITORY, Adoption.Step.DONE, RowSamples.SINCE, long500 + "z").note());
    }

    @Test
    void mergedTrashKeepsTheObjectsOfBoth() {
        var newer = RowSamples.trash();
        var older = new TrashRecord(
                RowSamples.REPOSITORY,
                new EventId(1, 2, 3, 4),
                new TreeMap<>(Map.of(new RefName("refs/heads/main"), RowSamples.oid(20))),
                Optional.empty(),
                new TreeSet<>(List.of(RowSamples.oid(21))),
                RowSamples.SINCE.minusSeconds(9),
                RowSamples.LATER.plusSeconds(9));
        var merged = newer.absorb(older);
        assertEquals(newer.refs(), merged.refs());
        assertEquals(newer.key(), merged.key());
        assertEquals(
                new TreeSet<>(List.of(RowSamples.oid(4), RowSamples.oid(9), RowSamples.oid(20), RowSamples.oid(21))),
                merged.alsoKept());
        assertEquals(older.until(), merged.until());
        assertEquals(newer.until(), older.absorb(newer).until().minusSeconds(9));
    }

    @Test
    void trashIsMadeOfBranchesAndTags() {
        assertRefused(
                "only branches and tags are removed by a state",
                () -> trashOf(new TreeMap<>(Map.of(new RefName("refs/nostr/x"), RowSamples.COMMIT))));
    }

    @Test
    void refsAreKeptInGitsOrderWhateverOrderTheyCameIn() {
        var reverse = new TreeMap<RefName, Oid>(Collections.reverseOrder());
        reverse.putAll(RowSamples.trash().refs());
        assertEquals(
                List.copyOf(RowSamples.trash().refs().keySet()),
                List.copyOf(trashOf(reverse).refs().keySet()));
    }

    @Test
    void numbersAndTextsThatCannotBeAreRefused() {
        assertRefused(
                "the number of attempts is negative",
                () -> new Repair(RowSamples.REPOSITORY, RowSamples.SINCE, -1, RowSamples.SINCE, ""));
        assertRefused(
                "the number of faults is negative",
                () -> new Naughty(
                        Naughty.Fault.HOSTILE_PACK,
                        RowSamples.SINCE,
                        RowSamples.SINCE,
                        -1,
                        RowSamples.SINCE,
                        Optional.empty()));
        assertRefused("a remote has a name", () -> new Remote(Remote.Type.HOST, ""));
        assertRefused("a remote holds half of a surrogate pair", () -> new Remote(Remote.Type.HOST, "\ud83d"));
        assertRefused("the kind is outside 0 to 65535", () -> refusedOf(65_536));
        assertEquals(65_535, refusedOf(65_535).kind());
        assertRefused(
                "kind 30618 where 5 belongs", () -> new Gate(RowSamples.state().event(), RowSamples.SINCE));
        assertRefused(
                "kind 30618 where 5 or 62 belongs",
                () -> new RetiredRequest(RowSamples.state().event(), RowSamples.SINCE));
    }

    @Test
    void placeInAnInputHasItsBeginningInFrontOfIt() {
        var hash = Bytes.wrap(new byte[32]);
        assertRefused("the beginning is not a part of the input", () -> new InputPlace(2, hash, 1, hash));
        assertRefused("the beginning is not a part of the input", () -> new InputPlace(0, hash, 1, hash));
        assertRefused("a SHA-256 has 32 bytes", () -> new InputPlace(1, Bytes.EMPTY, 1, hash));
        assertRefused("a SHA-256 has 32 bytes", () -> new InputPlace(1, hash, 1, Bytes.EMPTY));
    }

    @Test
    void limitIsLearnedOnce() {
        var limit = new LearnedLimit("width", 225, RowSamples.UNTIL);
        assertRefused(
                "a learned limit is given twice",
                () -> new RelayHealth(
                        new Remote(Remote.Type.RELAY, "wss://relay.example.org"),
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(limit, new LearnedLimit("width", 100, RowSamples.UNTIL))));
    }

    private static Dormant dormant(int objects, int places) {
        return new Dormant(
                List.of(RowSamples.IDENTIFIER),
                RowSamples.REPOSITORY.owner(),
                1,
                IntStream.range(0, objects).mapToObj(RowSamples::oid).toList(),
                IntStream.range(0, places)
                        .mapToObj(i -> "https://example.org/" + i)
                        .toList(),
                Optional.empty());
    }

    private static ExpiredEvent expired(int kind, Optional<Dormant> dormant) {
        return new ExpiredEvent(RowSamples.ID, kind, RowSamples.SINCE, RowSamples.SINCE, 0, false, dormant);
    }

    private static TrashRecord trashOf(SortedMap<RefName, Oid> refs) {
        return new TrashRecord(
                RowSamples.REPOSITORY,
                RowSamples.ID,
                refs,
                Optional.empty(),
                new TreeSet<>(),
                RowSamples.SINCE,
                RowSamples.LATER);
    }

    private static RefusedEvent refusedOf(int kind) {
        var row = RowSamples.refused();
        return new RefusedEvent(
                row.id(),
                kind,
                row.author(),
                row.createdAt(),
                row.identifier(),
                row.reason(),
                row.relay(),
                row.refusedAt(),
                row.until(),
                row.attempts(),
                row.waitsFor());
    }

    private static void assertRefused(String reason, Executable making) {
        assertEquals(
                reason, assertThrows(IllegalArgumentException.class, making).getMessage());
    }
}
