package dev.grapnel.purgatory.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.Roster;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Standing;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// How many sets are looked for where hundreds of owners share an identifier. Counted, not timed: anybody can make
/// such an identifier, and nobody shall make all others pay for it.
final class CrowdedPoolTest {
    private static final int OWNERS = 800;
    private static final int CIRCLE = 10;

    private long versions;
    private Pool pool = circles();

    @Test
    void whoHasItsOwnRepositoryCostsNoSet() {
        assertTrue(pool.authorises(person(123)));
        assertEquals(0, pool.setsKnown());
    }

    @Test
    void whoAnnouncesNothingCostsNoSet() {
        assertFalse(pool.authorises(person(OWNERS)));
        assertEquals(List.of(), pool.authorising(person(OWNERS)));
        assertEquals(0, pool.setsKnown());
    }

    @Test
    void whoListsNobodyCostsNoSet() {
        pool = pool.with(announced(OWNERS, List.of()));
        assertEquals(1, pool.authorising(person(OWNERS)).size());
        assertEquals(0, pool.setsKnown());
    }

    @Test
    void announcementThatSaysTheSameCostsNoSet() {
        askForAll();
        pool = pool.with(announced(5, circleOf(5)));
        assertEquals(OWNERS, pool.setsKnown());
    }

    @Test
    void announcementCostsTheSetsItConcernsOnly() {
        askForAll();
        pool = pool.with(announced(5, List.of(4, 6)));
        assertEquals(OWNERS - CIRCLE, pool.setsKnown());
    }

    @Test
    void newcomerCostsTheSetsThatListItOnly() {
        pool = pool.with(announced(5, List.of(4, 6, OWNERS)));
        askForAll();
        pool = pool.with(announced(OWNERS, List.of(700)));
        assertEquals(OWNERS - CIRCLE, pool.setsKnown());
    }

    @Test
    void departureCostsTheSetsThatListItOnly() {
        askForAll();
        pool = pool.with(Announced.nothing(person(5), false));
        assertEquals(OWNERS - CIRCLE, pool.setsKnown());
    }

    @Test
    void stateThatWaitsCostsNoSet() {
        askForAll();
        var id = EventId.parse("%064x".formatted(7)).require();
        pool = pool.with(new WaitingState(new Version(1, id), person(1), false, Source.DIRECT, 1, Long.MAX_VALUE));
        assertEquals(OWNERS, pool.setsKnown());
        assertEquals(CIRCLE, pool.authorising(person(1)).size());
        assertEquals(OWNERS, pool.setsKnown());
    }

    /// What has expired is left out once, not again for every question in that second.
    @Test
    void poolWithoutWhatHasExpiredIsMadeOnce() {
        pool = pool.with(announced(5, circleOf(5), 1_000));
        assertTrue(pool.at(1_000) == pool.at(1_001));
        assertEquals(CIRCLE - 1, pool.at(1_001).authorising(person(4)).size());
    }

    private Pool circles() {
        var made = Pool.empty(new Identifier("x"), MaintainerModel.CONFIRMED);
        for (int person = 0; person < OWNERS; person++) {
            made = made.with(announced(person, circleOf(person)));
        }
        return made;
    }

    private void askForAll() {
        for (int person = 0; person < OWNERS; person++) {
            assertTrue(pool.isMember(person(person - person % CIRCLE), person(person)));
            assertTrue(pool.isMember(person(person - person % CIRCLE + 1), person(person)));
        }
        assertEquals(OWNERS, pool.setsKnown());
    }

    private static List<Integer> circleOf(int person) {
        int first = person - person % CIRCLE;
        return IntStream.range(first, first + CIRCLE)
                .filter(other -> other != person)
                .boxed()
                .toList();
    }

    private Announced announced(int person, List<Integer> listed) {
        return announced(person, listed, Long.MAX_VALUE);
    }

    private Announced announced(int person, List<Integer> listed, long expiry) {
        versions++;
        var names = listed.stream().map(other -> person(other).toHex()).toList();
        var version =
                new Version(versions, EventId.parse("%064x".formatted(versions)).require());
        var voice = new Voice(version, Roster.of(person(person), List.of(), names), expiry);
        return new Announced(
                person(person), Optional.of(voice), Optional.empty(), Optional.of(Standing.Phase.HOSTED), false);
    }

    private static PublicKey person(int number) {
        return PublicKey.parse("%016x".formatted(number * 7919L % 1_000_003) + "0".repeat(48))
                .require();
    }
}
