package dev.grapnel.sync.received;

import static dev.grapnel.sync.received.IntakeFixture.DATE;
import static dev.grapnel.sync.received.IntakeFixture.ORPHAN;
import static dev.grapnel.sync.received.IntakeFixture.UNAUTHORISED;
import static dev.grapnel.sync.received.IntakeFixture.UNNAMED;
import static dev.grapnel.sync.received.IntakeFixture.announcement;
import static dev.grapnel.sync.received.IntakeFixture.comment;
import static dev.grapnel.sync.received.IntakeFixture.issue;
import static dev.grapnel.sync.received.IntakeFixture.key;
import static dev.grapnel.sync.received.IntakeFixture.note;
import static dev.grapnel.sync.received.IntakeFixture.state;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.received.Arrivals.Knowledge;
import dev.grapnel.sync.received.Arrivals.Outcome;
import dev.grapnel.sync.world.Gate.Ruling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Refused events and what they wait for (sync 7.3). Numbers are rows of sync 11.
final class ReprocessingTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAT = 3;
    private static final int EVE = 4;

    private final IntakeFixture world = new IntakeFixture();

    /// What the gate takes by now; everything else is refused for want of something.
    private final Set<Event> welcome = new HashSet<>();

    ReprocessingTest() {
        world.policy = event -> welcome.contains(event) ? new Ruling.Stored() : refusal(event);
    }

    private static Ruling refusal(Event event) {
        return switch (event.kind()) {
            case Kinds.ANNOUNCEMENT -> UNNAMED;
            case Kinds.STATE -> UNAUTHORISED;
            default -> ORPHAN;
        };
    }

    private void tellOf(String identifier) {
        world.purgatory.tell(identifier);
        world.loop.settle();
    }

    /// Row 128; how the owner's announcement came makes no difference.
    @Test
    void maintainersAnnouncementIsTakenWhenTheOwnersNamesHim() {
        var bobs = announcement(BOB, "x", DATE);
        assertEquals(Outcome.REFUSED_BLOCKED, world.bring(bobs));
        welcome.add(bobs);
        world.purgatory.announce(ANN, "x", ANN);
        world.purgatory.list("x", BOB);
        tellOf("x");
        assertEquals(Knowledge.STORED, world.intake.knowledge(bobs.id()));
        assertTrue(world.counted.contains("stored REPROCESS"));
        assertTrue(world.counted.contains("hit ANNOUNCEMENT"));
    }

    /// Row 129.
    @Test
    void allMaintainersAreLookedAtAgain() {
        var theirs = List.of(announcement(BOB, "x", DATE), announcement(CAT, "x", DATE), announcement(5, "x", DATE));
        theirs.forEach(world::bring);
        welcome.addAll(theirs);
        world.purgatory.list("x", BOB);
        world.purgatory.list("x", CAT);
        world.purgatory.list("x", 5);
        tellOf("x");
        assertEquals(3, world.archive.served.size());
    }

    /// Row 130.
    @Test
    void stateBeforeAnAnnouncementThatIsHeldIsNotHidden() {
        var state = state(ANN, "x", DATE);
        assertEquals(Outcome.REFUSED_RESTRICTED, world.bring(state));
        world.policy = _ -> new Ruling.Held();
        assertEquals(Outcome.HELD, world.bring(announcement(ANN, "x", DATE)));
        world.purgatory.announce(ANN, "x", ANN);
        tellOf("x");
        assertEquals(Knowledge.HELD, world.intake.knowledge(state.id()));
    }

    /// Row 131.
    @Test
    void stateOfAMaintainerWaitsUntilHeIsOneInWhicheverOrderThatComes() {
        var state = state(BOB, "x", DATE);
        world.bring(state);
        world.purgatory.announce(ANN, "x", ANN);
        world.purgatory.list("x", BOB);
        tellOf("x");
        assertEquals(1, world.timesAdmitted(state), "he is only listed");
        world.purgatory.announce(BOB, "x");
        tellOf("x");
        assertEquals(1, world.timesAdmitted(state), "nobody's set has him");
        welcome.add(state);
        world.purgatory.announce(ANN, "x", ANN, BOB);
        tellOf("x");
        assertEquals(2, world.timesAdmitted(state));
        assertEquals(Knowledge.STORED, world.intake.knowledge(state.id()));
    }

    /// Row 132.
    @Test
    void commentIsTakenWhenItsRootIs() {
        var root = issue(ANN, ANN, "x");
        var reply = comment(BOB, root);
        world.bring(reply);
        welcome.add(reply);
        welcome.add(root);
        assertEquals(Outcome.STORED, world.bring(root));
        assertEquals(Knowledge.STORED, world.intake.knowledge(reply.id()));
    }

    /// Row 132.
    @Test
    void eventsAboutARepositoryAreTakenWhenItsAnnouncementIsServed() {
        var announcement = announcement(ANN, "x", DATE);
        var issue = issue(BOB, ANN, "x");
        var upperCase = StoreSamples.event(
                BOB,
                Kinds.PULL_REQUEST,
                DATE,
                List.of(List.of("a", "30617:" + key(ANN).toHex().toUpperCase(Locale.ROOT) + ":x")),
                "");
        world.bring(issue);
        world.bring(upperCase);
        welcome.addAll(List.of(issue, upperCase));
        world.appear(announcement);
        assertEquals(Knowledge.STORED, world.intake.knowledge(issue.id()));
        assertEquals(Knowledge.STORED, world.intake.knowledge(upperCase.id()));
    }

    @Test
    void eventIsTakenWhenSomethingServedRefersToIt() {
        var quoted = note(1);
        var list = StoreSamples.event(BOB, 30_001, DATE, List.of(List.of("d", "l")), "");
        world.bring(quoted);
        world.bring(list);
        welcome.addAll(List.of(quoted, list));
        world.appear(StoreSamples.event(
                ANN,
                Kinds.COMMENT,
                DATE,
                List.of(List.of("q", quoted.id().toHex()), List.of("a", "30001:" + key(BOB) + ":l")),
                ""));
        assertEquals(Knowledge.STORED, world.intake.knowledge(quoted.id()));
        assertEquals(Knowledge.STORED, world.intake.knowledge(list.id()));
    }

    /// Row 133.
    @Test
    void whatIsHereNoMoreIsAskedForWhereItCameFrom() {
        var root = note(1);
        var reply = comment(BOB, root);
        world.bring(reply, 7);
        world.loop.runFor(Duration.ofMinutes(3));
        assertEquals(Knowledge.REFUSED, world.intake.knowledge(reply.id()));
        world.appear(root);
        assertEquals(List.of("7 " + reply.id()), world.refetched);
        assertEquals(Knowledge.UNKNOWN, world.intake.knowledge(reply.id()));
        assertTrue(world.counted.containsAll(List.of("miss OTHER", "invalidated OTHER")));
        welcome.add(reply);
        assertEquals(Outcome.STORED, world.bring(reply, 7));
    }

    /// R7.22: the time is looked at, whether somebody has cleaned up or not.
    @Test
    void wholeEventIsNotUsedAfterItsTime() {
        var root = note(1);
        world.bring(comment(BOB, root), 7);
        world.loop.runFor(IntakeFixture.HOT);
        world.appear(root);
        assertEquals(List.of("7 " + comment(BOB, root).id()), world.refetched);
    }

    @Test
    void whatCameFromARelayThatIsGoneIsOnlyNotExcludedAnyMore() {
        var root = note(1);
        var reply = comment(BOB, root);
        world.bring(reply, 7);
        world.loop.runFor(Duration.ofMinutes(3));
        world.unknownRelays.add(7);
        world.appear(root);
        assertEquals(List.of(), world.refetched);
        assertEquals(Knowledge.UNKNOWN, world.intake.knowledge(reply.id()));
    }

    /// Row 134.
    @Test
    void unrelatedAcceptanceWakesNothing() {
        var refused = List.of(
                announcement(BOB, "x", DATE), state(BOB, "x", DATE), comment(BOB, note(1)), issue(BOB, ANN, "x"));
        refused.forEach(world::bring);
        int before = world.admitted.size();
        world.appear(note(2));
        world.appear(comment(ANN, note(2)));
        world.appear(announcement(ANN, "y", DATE));
        world.appear(announcement(CAT, "x", DATE));
        world.purgatory.announce(CAT, "x", CAT);
        world.purgatory.list("x", CAT);
        world.purgatory.announce(CAT, "y", BOB);
        world.purgatory.list("y", BOB);
        tellOf("x");
        tellOf("y");
        assertEquals(before, world.admitted.size());
        assertEquals(4, world.intake.figures().refused());
    }

    /// Row 134: however many strangers announce the same identifier, the state is looked at when its author may sign.
    @Test
    void strangersWithTheSameIdentifierUseUpNoAttempts() {
        var state = state(ANN, "x", DATE);
        world.bring(state);
        for (int stranger = 10; stranger < 20; stranger++) {
            world.purgatory.announce(stranger, "x", stranger);
            tellOf("x");
        }
        welcome.add(state);
        world.purgatory.announce(ANN, "x", ANN);
        tellOf("x");
        assertEquals(2, world.timesAdmitted(state));
        assertEquals(Knowledge.STORED, world.intake.knowledge(state.id()));
    }

    /// Row 140, the first half.
    @Test
    void refusedEventIsTakenWhenItComesAgainAfterWhatItWaitedFor() {
        var root = note(1);
        var reply = comment(BOB, root);
        world.bring(reply);
        world.appear(root); // woken, and refused again
        assertEquals(2, world.timesAdmitted(reply));
        welcome.add(reply);
        world.appear(comment(CAT, reply)); // something served refers to it
        assertEquals(Knowledge.STORED, world.intake.knowledge(reply.id()));
    }

    /// R7.23.
    @Test
    void chainResolvesInOnePass() {
        var owners = announcement(ANN, "x", DATE);
        var bobs = announcement(BOB, "x", DATE);
        var state = state(BOB, "x", DATE);
        var pull = StoreSamples.event(
                CAT, Kinds.PULL_REQUEST, DATE, List.of(List.of("a", "30617:" + key(BOB) + ":x")), "");
        var reply = comment(EVE, pull);
        for (var event : List.of(reply, pull, state, bobs)) {
            var prefix = event.equals(bobs) ? Outcome.REFUSED_BLOCKED : Outcome.REFUSED_RESTRICTED;
            assertEquals(prefix, world.bring(event));
        }
        world.policy = event -> judgeChain(event, owners, bobs, pull);
        assertEquals(Outcome.STORED, world.bring(owners));
        assertEquals(Set.of(owners, bobs, state, pull, reply), Set.copyOf(world.archive.served));
        assertEquals(0, world.intake.figures().refused());
    }

    private Ruling judgeChain(Event event, Event owners, Event bobs, Event pull) {
        var served = world.archive.served;
        boolean isWelcome = event.equals(owners)
                || (event.equals(bobs) && served.contains(owners))
                || (event.kind() == Kinds.STATE && served.contains(bobs))
                || (event.equals(pull) && served.contains(bobs))
                || (event.kind() == Kinds.COMMENT && served.contains(pull));
        if (isWelcome && event.kind() == Kinds.ANNOUNCEMENT) {
            world.purgatory.announce(event.equals(owners) ? ANN : BOB, "x", event.equals(owners) ? ANN : BOB);
            world.purgatory.list("x", BOB);
            world.loop.post(() -> world.purgatory.tell("x"));
        }
        return isWelcome ? new Ruling.Stored() : refusal(event);
    }

    @Test
    void eventsAreJudgedAgainInTheOrderOfTheirDates() {
        var root = note(1);
        var replies = new ArrayList<Event>();
        for (int i = 0; i < 20; i++) {
            replies.add(comment(10 + i, root, DATE + (i * 7) % 20));
        }
        replies.forEach(world::bring);
        world.admitted.clear();
        world.appear(root);
        assertEquals(
                replies.stream()
                        .sorted(Comparator.comparingLong(Event::createdAt))
                        .toList(),
                world.admitted);
    }

    /// R7.23.
    @Test
    void afterFiveAttemptsOnlyTheRefusalIsKept() {
        var reply = comment(BOB, note(1));
        world.bring(reply, 7);
        for (int i = 2; i <= 5; i++) {
            world.appear(note(1));
            assertEquals(i, world.timesAdmitted(reply));
        }
        assertEquals(Knowledge.REFUSED, world.intake.knowledge(reply.id()));
        assertEquals(0, world.intake.figures().hot().get(EventType.OTHER));
        assertEquals(List.of(), world.refetched);
        world.appear(note(1));
        assertEquals(List.of("7 " + reply.id()), world.refetched);
        assertEquals(5, world.timesAdmitted(reply));
        world.bring(reply, 7);
        assertEquals(0, world.intake.figures().hot().get(EventType.OTHER), "its attempts are not forgotten");
    }

    /// That something is served is told by the gate and by the archive, in either order.
    @Test
    void whatIsToldTwiceWakesOnce() {
        var root = note(1);
        var reply = comment(BOB, root);
        world.bring(reply);
        welcome.add(root);
        world.bring(root);
        assertEquals(2, world.timesAdmitted(reply));

        var other = note(2);
        var otherReply = comment(BOB, other);
        world.bring(otherReply);
        world.isGateShut = true;
        world.isFollowed = false;
        world.begin(other, 1);
        world.appear(other);
        world.isGateShut = false;
        world.answerFirst(new Ruling.Stored());
        assertEquals(2, world.timesAdmitted(otherReply));
    }

    /// What an event waits for may come while the gate looks at it.
    @Test
    void nothingIsMissedWhileAnEventIsInTheGate() {
        var root = note(1);
        var reply = comment(BOB, root);
        world.isGateShut = true;
        world.begin(reply, 1);
        world.appear(root);
        world.isGateShut = false;
        welcome.add(reply);
        world.answerFirst(ORPHAN);
        assertEquals(Knowledge.STORED, world.intake.knowledge(reply.id()));
    }

    @Test
    void noMentionIsMissedWhileAnEventIsInTheGate() {
        var event = note(1);
        world.isGateShut = true;
        world.begin(event, 1);
        world.appear(comment(BOB, event));
        world.isGateShut = false;
        welcome.add(event);
        world.answerFirst(ORPHAN);
        assertEquals(Knowledge.STORED, world.intake.knowledge(event.id()));
    }

    @Test
    void noAuthorityIsMissedWhileAStateIsInTheGate() {
        var state = state(ANN, "x", DATE);
        world.isGateShut = true;
        world.begin(state, 1);
        world.purgatory.announce(ANN, "x", ANN);
        tellOf("x");
        world.isGateShut = false;
        welcome.add(state);
        world.answerFirst(UNAUTHORISED);
        assertEquals(Knowledge.STORED, world.intake.knowledge(state.id()));
    }

    @Test
    void whatFailsWhenJudgedAgainIsFetched() {
        var root = note(1);
        var reply = comment(BOB, root);
        world.bring(reply, 7);
        world.policy = _ -> new Ruling.Failed("full");
        world.appear(root);
        assertEquals(List.of("7 " + reply.id()), world.refetched);
        assertEquals(Knowledge.UNKNOWN, world.intake.knowledge(reply.id()));
    }

    /// Whatever strangers make wait for one thing is worked off in turns.
    @Test
    void thousandsThatWaitForOneThingAreAllLookedAtOnce() {
        var root = note(1);
        var replies = new ArrayList<Event>();
        for (int i = 0; i < 5_000; i++) {
            replies.add(Unsigned.comment(i, root));
        }
        replies.forEach(reply -> world.bring(reply, reply.id().hashCode() & 15));
        world.admitted.clear();
        world.appear(root);
        assertEquals(5_000, world.admitted.size());
        assertEquals(5_000, world.intake.figures().refused());
        assertTrue(world.notes.stream()
                        .filter(text -> text.startsWith("reprocessed"))
                        .count()
                > 1);
    }

    /// Sync 8.3: whoever names very many people for an identifier does not stop the loop.
    @Test
    void manyPeopleWhoAreNamedAreLookedAtInTurns() {
        var bobs = announcement(BOB, "x", DATE);
        world.bring(bobs);
        welcome.add(bobs);
        for (int i = 0; i < 20_000; i++) {
            world.purgatory.list("x", new PublicKey(i, i, i, i));
        }
        world.purgatory.list("x", BOB);
        world.purgatory.tell("x");
        int most = 0;
        for (int before = 0; world.loop.stepUntil(world.loop.nanos()); before = world.purgatory.told) {
            most = Math.max(most, world.purgatory.told - before);
        }
        assertEquals(20_001, world.purgatory.told);
        assertTrue(most < 10_000, "in one turn: " + most);
        assertEquals(Knowledge.STORED, world.intake.knowledge(bobs.id()));
    }

    /// R1.11: when the archive could not be followed.
    @Test
    void afterAGapNothingWaitsInVain() {
        var whole = comment(BOB, note(1));
        var named = comment(CAT, note(2));
        var last = StoreSamples.event(1, 1, DATE, List.of(), "for good");
        world.bring(named);
        world.policy = event -> event.equals(last) ? IntakeFixture.FINAL : refusal(event);
        world.bring(last);
        world.loop.runFor(Duration.ofMinutes(3));
        world.bring(whole);
        welcome.add(whole);
        world.policy = event -> welcome.contains(event) ? new Ruling.Stored() : refusal(event);
        world.intake.missed();
        world.loop.settle();
        assertEquals(Knowledge.STORED, world.intake.knowledge(whole.id()));
        assertEquals(Knowledge.UNKNOWN, world.intake.knowledge(named.id()));
        assertEquals(Knowledge.REFUSED, world.intake.knowledge(last.id()));
        assertEquals(List.of(), world.refetched);
        assertEquals(Map.of(EventType.OTHER, 1), world.intake.figures().cold());
    }

    /// R7.21: the version that is served is older than the one that waited to be held.
    @Test
    void versionThatLostToAHeldOneIsTakenWhenThatExpires() {
        world.purgatory.announce(ANN, "x", ANN);
        world.purgatory.held.add(IntakeFixture.repository(ANN, "x"));
        var second = announcement(ANN, "x", DATE);
        world.policy = _ -> new Ruling.SupersededByHeld();
        assertEquals(Outcome.REFUSED, world.bring(second));
        world.policy = _ -> new Ruling.Stored();
        world.purgatory.held.clear();
        tellOf("x");
        assertEquals(Knowledge.STORED, world.intake.knowledge(second.id()));
    }

    /// Row 129, the second half.
    @Test
    void maintainersThatAreNoKeysChangeNothing() {
        var theirs = List.of(announcement(BOB, "x", DATE), announcement(CAT, "x", DATE));
        theirs.forEach(world::bring);
        welcome.addAll(theirs);
        var owners = StoreSamples.event(
                ANN,
                Kinds.ANNOUNCEMENT,
                DATE,
                List.of(
                        List.of("d", "x"),
                        List.of("maintainers", "npub1nobody", key(BOB).toHex(), "", key(CAT).toHex())),
                "");
        welcome.add(owners);
        assertEquals(Outcome.STORED, world.bring(owners));
        world.purgatory.announce(ANN, "x", ANN);
        Announcement.parse(owners)
                .require()
                .maintainers()
                .forEach(text -> PublicKey.parse(text).find().ifPresent(person -> world.purgatory.list("x", person)));
        tellOf("x");
        assertEquals(3, world.archive.served.size());
    }

    /// R4.31.
    @Test
    void failureInOneAwakeningIsNotTheEndOfThem() {
        var first = comment(BOB, note(1));
        var second = comment(CAT, note(2));
        world.bring(first, 7);
        world.bring(second, 7);
        world.loop.runFor(Duration.ofMinutes(3));
        world.isRefetchFailing = true;
        assertThrows(IllegalStateException.class, () -> world.appear(note(1)));
        world.isRefetchFailing = false;
        world.appear(note(2));
        assertEquals(List.of("7 " + second.id()), world.refetched);
    }
}
