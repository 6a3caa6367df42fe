package dev.grapnel.sync.received;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.References;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What an event keeps from others while it is in the gate (R7.9), however much it names.
final class ClaimsTest {
    private static final int AUTHOR = 7;
    private static final int OTHER = 8;

    private final KeyHash hashes = new KeyHash(1);
    private final Occupied occupied = new Occupied();

    private static String name(int number) {
        return "30617:%064x:x%d".formatted(number, number);
    }

    /// An event that names so many repositories.
    private static Event event(int author, int kind, int count) {
        var tags = IntStream.range(0, count)
                .mapToObj(number -> "[\"a\",\"" + name(number) + "\"]")
                .collect(Collectors.joining(",", "[", "]"));
        return Unsigned.event(author, count, kind, tags);
    }

    private Claims claims(int author, int kind, int count) {
        return Claims.of(event(author, kind, count), hashes);
    }

    @Test
    void noMoreIsClaimedThanThePolicyLooksAt() {
        for (int kind : new int[] {Kinds.COMMENT, Kinds.DELETION, Kinds.VANISH}) {
            var few = claims(AUTHOR, kind, References.MAX);
            var many = claims(AUTHOR, kind, 20_000);
            assertEquals(
                    few.own().length + few.shared().length, many.own().length + many.shared().length, "kind " + kind);
        }
    }

    /// It may delete what it names beyond that, too, but nothing of anybody else.
    @Test
    void whoDeletesMoreKeepsItsAuthorsEventsOut() {
        occupied.take(claims(AUTHOR, Kinds.DELETION, References.MAX + 1));
        assertFalse(occupied.isFree(claims(AUTHOR, Kinds.ISSUE, 0)));
        assertTrue(occupied.isFree(claims(OTHER, Kinds.ISSUE, 0)));
    }

    @Test
    void whoDeletesNoMoreKeepsOutWhatItNames() {
        occupied.take(claims(AUTHOR, Kinds.DELETION, References.MAX));
        assertTrue(occupied.isFree(claims(AUTHOR, Kinds.ISSUE, 0)));
        assertFalse(occupied.isFree(claims(OTHER, Kinds.ISSUE, 1)));
    }

    @Test
    void whoVanishesKeepsItsAuthorsEventsOut() {
        occupied.take(claims(AUTHOR, Kinds.VANISH, 0));
        assertFalse(occupied.isFree(claims(AUTHOR, Kinds.ISSUE, 0)));
        assertTrue(occupied.isFree(claims(OTHER, Kinds.ISSUE, 0)));
    }

    @Test
    void whatIsInTheWayIsLookedAtFirst() {
        var claims = claims(AUTHOR, Kinds.COMMENT, References.MAX);
        long taken = claims.shared()[claims.shared().length - 2];
        int[] looks = {0};
        for (int tries = 0; tries < 10; tries++) {
            assertFalse(claims.areFree(
                    _ -> {
                        looks[0]++;
                        return true;
                    },
                    key -> {
                        looks[0]++;
                        return key != taken;
                    }));
        }
        int all = claims.own().length + claims.shared().length;
        assertTrue(looks[0] < all + 10, () -> "looked " + looks[0] + " times");
        assertTrue(claims.areFree(_ -> true, _ -> true));
    }
}
