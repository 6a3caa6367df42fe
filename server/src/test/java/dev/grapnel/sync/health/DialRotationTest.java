package dev.grapnel.sync.health;

import static dev.grapnel.sync.health.DialGround.BOOTSTRAP;
import static dev.grapnel.sync.health.DialGround.ONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.Failure;
import dev.grapnel.sync.health.DialGround.Behaviour;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Who is connected when there are more relays than links (R8.9).
final class DialRotationTest {
    private static final Duration ROUND = Duration.ofHours(6);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static Standing full(int count) {
        return new Standing(false, false, count, false);
    }

    /// Looks every minute for a while who is connected.
    ///
    /// @return the longest time that somebody was not
    private static Duration longestAbsence(DialGround ground, int relays, Duration time) {
        Map<Integer, Integer> seen = new HashMap<>();
        int longest = 0;
        int minutes = (int) time.toMinutes();
        for (int minute = 1; minute <= minutes; minute++) {
            ground.pass(MINUTE);
            for (int relay : ground.up.keySet()) {
                longest = Math.max(longest, minute - seen.getOrDefault(relay, 0));
                seen.put(relay, minute);
            }
        }
        for (int relay = 0; relay < relays; relay++) {
            longest = Math.max(longest, minutes - seen.getOrDefault(relay, 0));
        }
        return Duration.ofMinutes(longest);
    }

    /// Row 143, at the worst: none of them ever has all that was asked for.
    @Test
    void everybodyHasATurnWithinSixHoursAlsoIfNobodyIsEverDone() {
        var ground = new DialGround();
        ground.wantAll(0, 1_500, ONE);
        var absence = longestAbsence(ground, 1_500, Duration.ofHours(20));
        assertTrue(absence.compareTo(ROUND) <= 0, absence.toString());
        assertTrue(ground.inUseMax <= 1_000, "links: " + ground.inUseMax);
        assertEquals(List.of(), ground.notes);
    }

    @Test
    void capsOfTheDefaultsLeaveATurnToEverybody() {
        var ground = new DialGround();
        ground.wantAll(0, 2_000, ONE);
        var absence = longestAbsence(ground, 2_000, Duration.ofHours(13));
        assertTrue(absence.compareTo(ROUND) <= 0, absence.toString());
        assertEquals(1_000, ground.inUseMax);
    }

    @Test
    void fewLinksForManyRelaysMakeTurnsShort() {
        var ground = new DialGround(DialGround.config(200, 20));
        ground.wantAll(0, 200, ONE);
        var absence = longestAbsence(ground, 200, Duration.ofHours(20));
        assertTrue(absence.compareTo(ROUND) <= 0, absence.toString());
        assertTrue(ground.inUseMax <= 20);
    }

    @Test
    void whoIsDoneStaysAMinuteAndComesAgainSoonEnoughForAQuickReturn() {
        var ground = new DialGround(DialGround.config(100, 10));
        ground.usually(Behaviour.accepts().thenSyncs(Duration.ofSeconds(30)));
        ground.wantAll(0, 12, ONE);
        ground.pass(MINUTE.multipliedBy(5));
        assertEquals(Set.of(), missing(ground, 12), "all were there by now");
        var absence = longestAbsence(ground, 12, Duration.ofHours(6));
        assertTrue(absence.compareTo(Duration.ofMinutes(15)) < 0, absence.toString());
        for (int relay = 0; relay < 12; relay++) {
            assertTrue(ground.secondsOf(relay).size() < 6 * 6, "and not every minute: " + ground.secondsOf(relay));
        }
    }

    private static Set<Integer> missing(DialGround ground, int relays) {
        var missing = new HashSet<Integer>();
        for (int relay = 0; relay < relays; relay++) {
            missing.add(relay);
        }
        missing.removeAll(ground.dialled());
        return missing;
    }

    @Test
    void turnEndsAMinuteAfterEverythingHasCome() {
        var ground = new DialGround(DialGround.config(100, 2));
        ground.usually(Behaviour.accepts().after(Duration.ZERO).thenSyncs(Duration.ofSeconds(30)));
        ground.want(0, full(9));
        ground.wantAll(1, 3, ONE);
        ground.pass(Duration.ofSeconds(89));
        assertEquals(List.of(), ground.left);
        ground.pass(Duration.ofSeconds(2));
        assertEquals(List.of(1), ground.left);
        assertEquals(Set.of(0, 2), ground.up.keySet());
        assertEquals(RelayStatus.DISCONNECTED, ground.status(1), "that is no failure");
    }

    @Test
    void turnLastsTwoHoursAtMost() {
        var ground = new DialGround(DialGround.config(100, 2));
        ground.want(0, full(9));
        ground.wantAll(1, 3, ONE);
        ground.pass(Duration.ofMinutes(121));
        assertEquals(List.of(1), ground.left);
    }

    @Test
    void relaysThatMostRepositoriesNameKeepTheirLinks() {
        var ground = new DialGround(DialGround.config(100, 10));
        ground.usually(Behaviour.accepts().thenSyncs(Duration.ofSeconds(10)));
        for (int relay = 0; relay < 16; relay++) {
            ground.want(relay, full(100 - relay));
        }
        ground.want(16, BOOTSTRAP);
        ground.pass(Duration.ofHours(5));
        // 17 relays, 10 links: with 6 kept, 11 take turns at 4
        assertEquals(Set.of(5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), new HashSet<>(ground.left));
    }

    @Test
    void whoGetsMoreRepositoriesGetsAPermanentLink() {
        var ground = new DialGround(DialGround.config(100, 10));
        ground.usually(Behaviour.accepts().thenSyncs(Duration.ofSeconds(10)));
        ground.wantAll(0, 16, ONE);
        ground.pass(MINUTE.multipliedBy(30));
        assertTrue(ground.left.contains(15));
        ground.want(15, full(7));
        ground.pass(MINUTE);
        assertTrue(ground.up.containsKey(15));
        ground.left.clear();
        ground.pass(Duration.ofHours(5));
        assertFalse(ground.left.contains(15));
        assertTrue(ground.inUseMax <= 10);
    }

    @Test
    void whoCannotBeReachedCostsNobodyATurn() {
        var ground = new DialGround(DialGround.config(100, 10));
        for (int relay = 0; relay < 16; relay += 2) {
            ground.does(relay, Behaviour.fails(new Failure.ConnectFailed()).after(Duration.ofSeconds(10)));
        }
        ground.wantAll(0, 20, ONE);
        var gaps = new HashMap<Integer, Integer>();
        for (int minute = 0; minute < 1_200; minute++) {
            ground.pass(MINUTE);
            for (int relay = 1; relay < 16; relay += 2) {
                int gap = ground.up.containsKey(relay) ? 0 : gaps.getOrDefault(relay, 0) + 1;
                gaps.put(relay, gap);
                assertTrue(gap <= ROUND.toMinutes(), "relay " + relay);
            }
        }
    }

    @Test
    void withoutOthersThatWaitAVisitorStays() {
        var ground = new DialGround(DialGround.config(100, 2));
        ground.usually(Behaviour.accepts().thenSyncs(Duration.ofSeconds(1)));
        ground.does(2, Behaviour.answers(403));
        ground.want(0, full(9));
        ground.wantAll(1, 3, ONE);
        ground.pass(Duration.ofMinutes(70));
        assertEquals(List.of(1), ground.left, "once, for the one that turned us away");
        assertEquals(Set.of(0, 1), ground.up.keySet());
    }
}
