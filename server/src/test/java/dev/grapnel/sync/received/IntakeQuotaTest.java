package dev.grapnel.sync.received;

import static dev.grapnel.sync.received.IntakeFixture.COLD;
import static dev.grapnel.sync.received.IntakeFixture.DATE;
import static dev.grapnel.sync.received.IntakeFixture.FINAL;
import static dev.grapnel.sync.received.IntakeFixture.HOT;
import static dev.grapnel.sync.received.IntakeFixture.announcement;
import static dev.grapnel.sync.received.IntakeFixture.note;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.received.Arrivals.Knowledge;
import dev.grapnel.sync.received.Arrivals.Outcome;
import dev.grapnel.sync.world.Archive.Standing;
import dev.grapnel.sync.world.Gate.Ruling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How much one relay may bring of what anybody can publish (R7.14a).
final class IntakeQuotaTest {
    private static IntakeConfig withQuota(int newPerHour) {
        return new IntakeConfig(HOT, COLD, "rules", 100, 64L << 20, 1_000, 1_000, 1_000, 256, newPerHour);
    }

    private static Event list(int author, long date) {
        return StoreSamples.event(author, Kinds.GRASP_LIST, date, List.of(), "");
    }

    /// R7.14a.
    @Test
    void relayMayNotFillPurgatoryWithAnnouncements() {
        var small = new IntakeFixture(withQuota(3));
        small.policy = _ -> new Ruling.Held();
        for (int i = 0; i < 3; i++) {
            assertEquals(Outcome.HELD, small.bring(announcement(1, "a" + i, DATE), 1));
        }
        var fourth = announcement(1, "b", DATE);
        assertEquals(Outcome.OVER_QUOTA, small.bring(fourth, 1));
        assertEquals(Knowledge.UNKNOWN, small.intake.knowledge(fourth.id()));
        assertEquals(Outcome.HELD, small.bring(announcement(1, "c", DATE), 2));
        assertEquals(Outcome.HELD, small.bring(note(1), 1));
        small.loop.runFor(Duration.ofMinutes(59));
        assertEquals(Outcome.OVER_QUOTA, small.bring(fourth, 1));
        small.loop.runFor(Duration.ofMinutes(2));
        assertEquals(Outcome.HELD, small.bring(fourth, 1));
    }

    @Test
    void copiesOfHeldAnnouncementsAreNoNewOnes() {
        var small = new IntakeFixture(withQuota(1));
        small.policy = event ->
                small.archive.standing(event.id()) == Standing.HELD ? new Ruling.KnownHeld() : new Ruling.Held();
        assertEquals(Outcome.HELD, small.bring(announcement(1, "a", DATE), 1));
        assertEquals(Outcome.KNOWN_HELD, small.bring(announcement(1, "a", DATE), 1));
        assertEquals(Outcome.OVER_QUOTA, small.bring(announcement(1, "b", DATE), 1));
    }

    @Test
    void bootstrapRelayMayBringAnyNumber() {
        var small = new IntakeFixture(withQuota(3));
        small.bootstrap.add(1);
        small.policy = _ -> new Ruling.Held();
        for (int i = 0; i < 10; i++) {
            assertEquals(Outcome.HELD, small.bring(announcement(1, "a" + i, DATE), 1));
        }
    }

    @Test
    void onlyAnnouncementsThatAreHeldCount() {
        var small = new IntakeFixture(withQuota(3));
        small.isGateShut = true;
        var outcomes = new ArrayList<List<Outcome>>();
        for (int i = 0; i < 6; i++) {
            outcomes.add(small.begin(announcement(1, "a" + i, DATE), 1));
        }
        assertEquals(3, small.inGate.size());
        small.answerFirst(FINAL);
        small.answerFirst(FINAL);
        assertEquals(3, small.inGate.size());
        small.policy = _ -> new Ruling.Held();
        small.openGate();
        assertEquals(
                List.of(
                        Outcome.REFUSED_INVALID,
                        Outcome.REFUSED_INVALID,
                        Outcome.HELD,
                        Outcome.HELD,
                        Outcome.HELD,
                        Outcome.OVER_QUOTA),
                outcomes.stream().map(List::getFirst).toList());
    }

    @Test
    void quotaOfOneRelayIsNotThatOfAnother() {
        var small = new IntakeFixture(withQuota(1));
        small.policy = _ -> new Ruling.Held();
        small.isGateShut = true;
        small.begin(announcement(1, "a", DATE), 1);
        var late = small.begin(announcement(1, "b", DATE), 1);
        var other = small.begin(announcement(1, "b", DATE), 2);
        small.openGate();
        assertEquals(List.of(Outcome.OVER_QUOTA), late);
        assertEquals(List.of(Outcome.HELD), other);
    }

    /// R7.14a, of what anybody can publish without a repository.
    @Test
    void relayMayNotFillTheStoreWithListsOfStrangers() {
        var small = new IntakeFixture(withQuota(3));
        for (int i = 0; i < 3; i++) {
            assertEquals(Outcome.STORED, small.bring(list(10 + i, DATE), 1));
        }
        assertEquals(Outcome.OVER_QUOTA, small.bring(list(20, DATE), 1));
        assertEquals(Knowledge.UNKNOWN, small.intake.knowledge(list(20, DATE).id()));
        assertEquals(Outcome.OVER_QUOTA, small.bring(list(10, DATE + 1), 1));
        assertEquals(Outcome.STORED, small.bring(list(21, DATE), 2));
        small.policy = _ -> new Ruling.Held();
        assertEquals(Outcome.HELD, small.bring(announcement(1, "a", DATE), 1));
        small.loop.runFor(Duration.ofMinutes(61));
        assertEquals(Outcome.HELD, small.bring(list(20, DATE), 1));
    }

    @Test
    void firstListOfWhoHasSomethingHereIsAlwaysTaken() {
        var small = new IntakeFixture(withQuota(1));
        small.archive.listless.add(IntakeFixture.key(5));
        assertEquals(Outcome.STORED, small.bring(list(1, DATE), 1));
        assertEquals(Outcome.STORED, small.bring(list(5, DATE), 1));
        assertEquals(Outcome.OVER_QUOTA, small.bring(list(6, DATE), 1));
    }

    @Test
    void bootstrapRelayMayBringAnyNumberOfLists() {
        var small = new IntakeFixture(withQuota(1));
        small.bootstrap.add(1);
        for (int i = 0; i < 5; i++) {
            assertEquals(Outcome.STORED, small.bring(list(10 + i, DATE), 1));
        }
    }

    @Test
    void onlyListsThatAreStoredCount() {
        var small = new IntakeFixture(withQuota(1));
        small.policy = _ -> new Ruling.Superseded();
        for (int i = 0; i < 3; i++) {
            assertEquals(Outcome.KNOWN, small.bring(list(10, DATE - i), 1));
        }
        small.policy = _ -> new Ruling.Stored();
        assertEquals(Outcome.STORED, small.bring(list(11, DATE), 1));
        assertEquals(Outcome.OVER_QUOTA, small.bring(list(12, DATE), 1));
    }

    /// R7.14a: the hour belongs to the relay, whatever number it has.
    @Test
    void relayThatIsMetAgainHasNoNewQuota() {
        var small = new IntakeFixture(withQuota(1));
        small.policy = _ -> new Ruling.Held();
        assertEquals(Outcome.HELD, small.bring(announcement(1, "a", DATE), 1));
        small.metAgain.put(5, 1);
        assertEquals(Outcome.OVER_QUOTA, small.bring(announcement(1, "b", DATE), 5));
    }
}
