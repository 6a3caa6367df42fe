package dev.grapnel.sync.received;

import static dev.grapnel.sync.received.IntakeFixture.COLD;
import static dev.grapnel.sync.received.IntakeFixture.DATE;
import static dev.grapnel.sync.received.IntakeFixture.FINAL;
import static dev.grapnel.sync.received.IntakeFixture.HOT;
import static dev.grapnel.sync.received.IntakeFixture.ORPHAN;
import static dev.grapnel.sync.received.IntakeFixture.announcement;
import static dev.grapnel.sync.received.IntakeFixture.comment;
import static dev.grapnel.sync.received.IntakeFixture.note;
import static dev.grapnel.sync.received.IntakeFixture.repository;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.RefusedEvent.Reason;
import dev.grapnel.store.tool.Forgery;
import dev.grapnel.sync.received.Arrivals.Knowledge;
import dev.grapnel.sync.received.Arrivals.Outcome;
import dev.grapnel.sync.received.Arrivals.Path;
import dev.grapnel.sync.world.Archive.Standing;
import dev.grapnel.sync.world.Gate.Ruling;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// What becomes of an event that a relay sent (sync 7.1). Numbers are rows of sync 11.
final class IntakeTest {
    private final IntakeFixture world = new IntakeFixture();

    /// Row 124.
    @Test
    void sameEventFromFiveRelaysPassesTheGateOnce() {
        var event = note(1);
        var outcomes = new ArrayList<List<Outcome>>();
        for (int relay = 0; relay < 5; relay++) {
            outcomes.add(world.begin(event, relay));
        }
        assertEquals(Knowledge.UNDER_WAY, world.intake.knowledge(event.id()));
        world.loop.settle();
        assertEquals(
                List.of(
                        List.of(Outcome.STORED),
                        List.of(Outcome.KNOWN),
                        List.of(Outcome.KNOWN),
                        List.of(Outcome.KNOWN),
                        List.of(Outcome.KNOWN)),
                outcomes);
        assertEquals(List.of(event), world.admitted);
        assertEquals(List.of("stored HISTORIC"), world.counted);
        assertEquals(Outcome.KNOWN, world.bring(event, 6));
        assertEquals(List.of(event), world.admitted);
    }

    @Test
    void otherRelaysHearOfTheSameFate() {
        world.isGateShut = true;
        for (var fate : List.of(
                new Ruling.Held(), new Ruling.KnownHeld(), new Ruling.Failed("full"), ORPHAN, new Ruling.Deleted())) {
            var event = note(fate.toString().hashCode());
            var first = world.begin(event, 1);
            var second = world.begin(event, 2);
            world.answerFirst(fate);
            assertEquals(
                    first.getFirst() == Outcome.HELD ? List.of(Outcome.KNOWN_HELD) : first, second, fate.toString());
        }
    }

    /// Row 125.
    @Test
    void forgedCopyDoesNotBlockTheGenuineEvent() {
        var event = note(1);
        var forged = Forgery.of(event);
        world.policy = candidate -> candidate.equals(forged) ? new Ruling.Forged() : new Ruling.Stored();
        assertEquals(Outcome.FORGED, world.bring(forged, 1));
        assertEquals(Knowledge.UNKNOWN, world.intake.knowledge(event.id()));
        assertEquals(Outcome.STORED, world.bring(event, 2));
    }

    /// Row 125, with both on their way at the same time.
    @Test
    void genuineCopyIsJudgedApartFromAForgedOne() {
        var event = note(1);
        var forged = Forgery.of(event);
        world.policy = candidate -> candidate.equals(forged) ? new Ruling.Forged() : new Ruling.Stored();
        var first = world.begin(forged, 1);
        var again = world.begin(forged, 2);
        var genuine = world.begin(event, 3);
        var copy = world.begin(event, 4);
        world.loop.settle();
        assertEquals(List.of(Outcome.FORGED), first);
        assertEquals(List.of(Outcome.FORGED), again);
        assertEquals(List.of(Outcome.STORED), genuine);
        assertEquals(List.of(Outcome.KNOWN), copy);
        assertEquals(List.of(forged, event), world.admitted);
    }

    @Test
    void ephemeralEventIsIgnored() {
        assertEquals(Outcome.IGNORED, world.bring(StoreSamples.event(1, 22_242, DATE, List.of(), "")));
        assertEquals(List.of(), world.admitted);
    }

    /// Row 103: it counts as received, and is not judged again.
    @Test
    void refusedEventIsSkippedUntilItsTimeIsOver() {
        var event = note(1);
        world.policy = _ -> FINAL;
        assertEquals(Outcome.REFUSED_INVALID, world.bring(event));
        assertEquals(Outcome.REFUSED, world.bring(event, 2));
        assertEquals(Knowledge.REFUSED, world.intake.knowledge(event.id()));
        assertEquals(1, world.timesAdmitted(event));
        world.loop.runFor(COLD.minusSeconds(1));
        assertEquals(Outcome.REFUSED, world.bring(event, 2));
        world.loop.runFor(Duration.ofSeconds(1));
        assertEquals(Knowledge.UNKNOWN, world.intake.knowledge(event.id()));
        assertEquals(Outcome.REFUSED_INVALID, world.bring(event, 2));
        assertEquals(2, world.timesAdmitted(event));
    }

    /// Row 102.
    @Test
    void whatIsOnRecordNeedNotBeFetched() {
        assertEquals(Knowledge.UNKNOWN, world.intake.knowledge(note(0).id()));
        var standings = Map.of(
                Standing.SERVED, Knowledge.STORED,
                Standing.DELETED, Knowledge.DELETED,
                Standing.HELD, Knowledge.HELD,
                Standing.EXPIRED, Knowledge.EXPIRED,
                Standing.GATED, Knowledge.GATED);
        standings.forEach((standing, knowledge) -> {
            world.archive.standings.put(note(1).id(), standing);
            assertEquals(knowledge, world.intake.knowledge(note(1).id()));
        });
        var rulings = Map.of(
                new Ruling.Deleted(),
                Knowledge.DELETED,
                new Ruling.Superseded(),
                Knowledge.SUPERSEDED,
                ORPHAN,
                Knowledge.REFUSED,
                FINAL,
                Knowledge.REFUSED);
        rulings.forEach((ruling, knowledge) -> {
            world.policy = _ -> ruling;
            var event = note(ruling.toString().hashCode());
            world.bring(event);
            assertEquals(knowledge, world.intake.knowledge(event.id()));
        });
    }

    /// Row 135.
    @Test
    void failureIsNotRemembered() {
        var event = note(1);
        world.policy = _ -> new Ruling.Failed("the disk is full");
        assertEquals(Outcome.FAILED, world.bring(event));
        assertEquals(Knowledge.UNKNOWN, world.intake.knowledge(event.id()));
        world.policy = _ -> new Ruling.Stored();
        assertEquals(Outcome.STORED, world.bring(event));
    }

    /// Row 136, the first half: not even when the index of refusals has forgotten it.
    @Test
    void olderVersionIsNotFetchedAgain() {
        var older = announcement(1, "x", DATE);
        world.policy = _ -> new Ruling.Superseded();
        assertEquals(Outcome.KNOWN, world.bring(older));
        assertEquals(Map.of(Reason.SUPERSEDED, 1), world.intake.figures().reasons());
        world.loop.runFor(Duration.ofDays(8));
        assertEquals(Knowledge.SUPERSEDED, world.intake.knowledge(older.id()));
        assertEquals(Outcome.KNOWN, world.bring(older, 2));
        assertEquals(1, world.timesAdmitted(older));
    }

    /// Row 136, the second half.
    @Test
    void versionThatLostToAHeldOneComesBackWhenThatIsGone() {
        var older = announcement(1, "x", DATE);
        world.policy = _ -> new Ruling.SupersededByHeld();
        world.purgatory.held.add(repository(1, "x"));
        world.purgatory.announce(1, "x", 1);
        assertEquals(Outcome.REFUSED, world.bring(older));
        world.purgatory.tell("x");
        world.loop.settle();
        assertEquals(1, world.timesAdmitted(older));
        world.policy = _ -> new Ruling.Held();
        world.purgatory.held.clear();
        world.purgatory.members.clear();
        world.purgatory.tell("x");
        world.loop.settle();
        assertEquals(2, world.timesAdmitted(older));
        assertEquals(Knowledge.HELD, world.intake.knowledge(older.id()));
    }

    @Test
    void versionThatLostToOneThatIsServedByNowStaysAway() {
        var older = announcement(1, "x", DATE);
        world.policy = _ -> new Ruling.SupersededByHeld();
        world.purgatory.held.add(repository(1, "x"));
        world.purgatory.announce(1, "x", 1);
        world.bring(older);
        world.purgatory.held.clear();
        world.policy = _ -> new Ruling.Superseded();
        world.purgatory.tell("x");
        world.loop.settle();
        assertEquals(2, world.timesAdmitted(older), "one look is enough");
        assertEquals(Knowledge.SUPERSEDED, world.intake.knowledge(older.id()));
    }

    /// Row 139.
    @Test
    void deletedEventOfferedAgainIsKnown() {
        var event = note(1);
        world.policy = _ -> new Ruling.Deleted();
        assertEquals(Outcome.KNOWN, world.bring(event));
        assertEquals(Knowledge.DELETED, world.intake.knowledge(event.id()));
        assertEquals(Outcome.KNOWN, world.bring(event));
        assertEquals(1, world.timesAdmitted(event));
    }

    /// Row 140, the second half.
    @Test
    void eventDatedAheadIsAskedForAgainWhenItsTimeIsNear() {
        var event = note(1);
        var near = world.loop.wall().plus(Duration.ofMinutes(5));
        world.policy = _ -> new Ruling.Ahead(near);
        assertEquals(Outcome.REFUSED_INVALID, world.bring(event, 3));
        world.loop.runFor(Duration.ofMinutes(4));
        assertEquals(Knowledge.REFUSED, world.intake.knowledge(event.id()));
        world.loop.runFor(Duration.ofMinutes(2));
        assertEquals(List.of("3 " + event.id()), world.refetched);
        world.policy = _ -> new Ruling.Stored();
        assertEquals(Outcome.STORED, world.bring(event, 3));
    }

    @Test
    void eventDatedVeryFarAheadIsForgottenLikeOthers() {
        var event = note(1);
        world.policy = _ -> new Ruling.Ahead(Instant.parse("2290-01-01T00:00:00Z"));
        world.bring(event);
        world.loop.runFor(COLD);
        assertEquals(Knowledge.UNKNOWN, world.intake.knowledge(event.id()));
        assertEquals(List.of(), world.refetched);
    }

    /// Row 168, as far as it is decided here: the gate is asked, and looks at the signature if that matters.
    @Test
    void copyOfAHeldEventGoesToTheGateBehindNewEvents() {
        var small = new IntakeFixture(withGate(1));
        var held = note(1);
        small.isGateShut = true;
        small.archive.standings.put(held.id(), Standing.HELD);
        small.begin(note(2), 1);
        var copy = small.begin(held, 1);
        small.begin(note(3), 1);
        small.policy = event -> event.equals(held) ? new Ruling.KnownHeld() : new Ruling.Stored();
        small.openGate();
        assertEquals(List.of(note(2), note(3), held), small.admitted);
        assertEquals(List.of(Outcome.KNOWN_HELD), copy);
    }

    @Test
    void copiesComeInBesideAStreamOfNewEvents() {
        var small = new IntakeFixture(withGate(1));
        var held = note(0);
        small.isGateShut = true;
        small.archive.standings.put(held.id(), Standing.HELD);
        for (int i = 1; i < 40; i++) {
            small.begin(note(i), 1);
        }
        small.begin(held, 1);
        small.policy = event -> event.equals(held) ? new Ruling.KnownHeld() : new Ruling.Stored();
        small.openGate();
        assertTrue(small.admitted.indexOf(held) < 20);
    }

    @Test
    void expiredEventIsTheGatesToDecideAbout() {
        var event = note(1);
        world.archive.standings.put(event.id(), Standing.EXPIRED);
        world.policy = _ -> new Ruling.Expired();
        assertEquals(Outcome.KNOWN_HELD, world.bring(event));
        world.policy = _ -> new Ruling.Held();
        assertEquals(Outcome.HELD, world.bring(event));
        assertEquals(2, world.timesAdmitted(event));
    }

    @Test
    void gatedRequestIsKnownFromThenOn() {
        var event = note(1);
        world.policy = _ -> new Ruling.Gated();
        assertEquals(Outcome.HELD, world.bring(event));
        world.archive.standings.put(event.id(), Standing.GATED);
        assertEquals(Outcome.KNOWN, world.bring(event));
    }

    /// R7.9.
    @Test
    void eventsThatDependOnEachOtherDoNotOverlap() {
        world.isGateShut = true;
        var root = note(1);
        var first = comment(2, root);
        var second = comment(3, root);
        world.begin(root, 1);
        world.begin(first, 1);
        world.begin(second, 2);
        world.begin(note(2), 1);
        assertEquals(List.of(root, note(2)), world.admitted);
        world.answerFirst(new Ruling.Stored());
        assertEquals(List.of(root, note(2), second, first), world.admitted); // the other relay has its turn
    }

    /// R7.9.
    @Test
    void announcementsAndStatesOfAnIdentifierGoOneAfterTheOther() {
        world.isGateShut = true;
        world.begin(announcement(1, "x", DATE), 1);
        world.begin(IntakeFixture.state(2, "x", DATE), 1);
        world.begin(announcement(3, "y", DATE), 1);
        world.begin(IntakeFixture.issue(4, 9, "x"), 1);
        assertEquals(List.of(announcement(1, "x", DATE), announcement(3, "y", DATE)), world.admitted);
        world.answerFirst(new Ruling.Held());
        assertEquals(3, world.admitted.size());
    }

    @Test
    void numberInTheGateIsBounded() {
        var small = new IntakeFixture(withGate(2));
        small.isGateShut = true;
        for (int i = 0; i < 5; i++) {
            small.begin(note(i), i);
        }
        assertEquals(2, small.inGate.size());
        assertEquals(2, small.intake.figures().inGate());
        assertEquals(5, small.intake.figures().underWay());
        small.answerFirst(new Ruling.Stored());
        assertEquals(2, small.inGate.size());
        small.openGate();
        assertEquals(0, small.intake.figures().underWay());
        assertEquals(5, small.archive.served.size());
    }

    /// Liars bring thousands of versions of one address. Who waits for the address stands in nobody else's way.
    @Test
    void thousandsThatWaitForOneAddressKeepNobodyElseOut() {
        world.isGateShut = true;
        for (int relay = 1; relay <= 6; relay++) {
            for (int i = 0; i < 300; i++) {
                world.begin(list(1, DATE - 300L * relay - i), relay);
            }
        }
        assertEquals(1, world.inGate.size());
        for (int i = 0; i < 20; i++) {
            world.begin(note(i), 7);
        }
        assertEquals(21, world.inGate.size());
    }

    /// Nor does what it refers to: it has that for itself, or with others, only while it is in the gate.
    @Test
    void repositoryIsNotKeptBusyByWhatWaitsForAnAddress() {
        world.isGateShut = true;
        world.begin(list(1, DATE), 1);
        world.begin(list(1, DATE - 2), 1); // the one that may keep something
        world.begin(
                StoreSamples.event(
                        1,
                        Kinds.GRASP_LIST,
                        DATE - 1,
                        List.of(List.of("a", repository(2, "x").toString())),
                        ""),
                1);
        world.begin(announcement(2, "x", DATE), 2);
        assertEquals(List.of(list(1, DATE), announcement(2, "x", DATE)), inGate(world));
    }

    @Test
    void relaysTakeTurnsBeforeTheGate() {
        var small = new IntakeFixture(withGate(2));
        small.isGateShut = true;
        for (int i = 0; i < 50; i++) {
            small.begin(note(i), 1);
        }
        small.begin(note(100), 2);
        small.begin(note(200), 3);
        for (int i = 0; i < 3; i++) {
            small.answerFirst(FINAL);
        }
        assertTrue(small.admitted.contains(note(100)));
        assertTrue(small.admitted.contains(note(200)));
        assertEquals(5, small.admitted.size());
    }

    @Test
    void relaysTakeTurnsWithCopiesOfWhatWaits() {
        var small = new IntakeFixture(withGate(1));
        small.isGateShut = true;
        for (int i = 0; i < 50; i++) {
            small.archive.standings.put(note(i).id(), Standing.HELD);
            small.begin(note(i), i == 49 ? 2 : 1);
        }
        small.answerFirst(new Ruling.KnownHeld());
        small.answerFirst(new Ruling.KnownHeld());
        assertTrue(small.admitted.contains(note(49)));
    }

    /// A relay that mirrors another must not make its events wait.
    @Test
    void eventThatWaitsGoesWhenItIsTheTurnOfAnyRelayThatBroughtIt() {
        var small = new IntakeFixture(withGate(1));
        small.isGateShut = true;
        for (int i = 0; i < 50; i++) {
            small.begin(note(i), 1);
        }
        var late = small.begin(note(49), 2);
        small.answerFirst(new Ruling.Stored());
        small.answerFirst(new Ruling.Stored());
        small.openGate();
        assertEquals(List.of(Outcome.KNOWN), late);
        assertTrue(small.admitted.subList(0, 3).contains(note(49)));
        assertEquals(50, small.admitted.size());
    }

    /// What many share must not keep out for ever who needs it alone.
    @Test
    void whoNeedsSomethingAloneGetsItThoughOthersShareItWithoutAnEnd() {
        var small = new IntakeFixture(withGate(4));
        small.isGateShut = true;
        int comments = 0;
        var announcement = announcement(1, "x", DATE);
        for (; comments < 100; comments++) {
            small.begin(IntakeFixture.issue(100 + comments, 1, "x"), comments % 5);
        }
        small.begin(announcement, 7);
        for (int i = 0; i < 40 && !small.admitted.contains(announcement); i++, comments++) {
            small.answerFirst(FINAL);
            small.begin(IntakeFixture.issue(100 + comments, 1, "x"), comments % 5);
        }
        assertTrue(small.admitted.contains(announcement));
    }

    private static List<Event> inGate(IntakeFixture world) {
        return world.inGate.stream().map(IntakeFixture.Undecided::event).toList();
    }

    private static Event list(int author, long date) {
        return StoreSamples.event(author, Kinds.GRASP_LIST, date, List.of(), "");
    }

    @Test
    void eventThatIsServedByNowIsRefusedNoMore() {
        var event = note(1);
        world.policy = _ -> FINAL;
        world.bring(event);
        world.appear(event);
        assertEquals(0, world.intake.figures().refused());
        world.archive.standings.remove(event.id());
        assertEquals(Knowledge.UNKNOWN, world.intake.knowledge(event.id()));
    }

    @Test
    void nothingIsKeptIfBothTimesAreZero() {
        var nothing = new IntakeFixture(IntakeFixture.config(Duration.ZERO, Duration.ZERO));
        nothing.policy = event -> event.kind() == 1 ? ORPHAN : new Ruling.Ahead(Instant.parse("2026-02-01T00:00:00Z"));
        assertEquals(Outcome.REFUSED_RESTRICTED, nothing.bring(note(1)));
        assertEquals(Outcome.REFUSED_RESTRICTED, nothing.bring(note(1)));
        assertEquals(2, nothing.timesAdmitted(note(1)));
        assertEquals(0, nothing.intake.figures().refused());
    }

    @Test
    void refusalIsOnlyKnownWithTheEventIfNothingIsKeptLonger() {
        var hotOnly = new IntakeFixture(IntakeFixture.config(HOT, Duration.ZERO));
        hotOnly.policy = _ -> ORPHAN;
        hotOnly.bring(note(1));
        assertEquals(Knowledge.REFUSED, hotOnly.intake.knowledge(note(1).id()));
        assertEquals(Map.of(), hotOnly.intake.figures().cold());
        hotOnly.loop.runFor(Duration.ofMinutes(3));
        assertEquals(Knowledge.UNKNOWN, hotOnly.intake.knowledge(note(1).id()));
        assertEquals(0, hotOnly.intake.figures().refused());
    }

    @Test
    void figuresTellTypesAndReasons() {
        world.policy = event -> switch (event.kind()) {
            case 30_617 -> IntakeFixture.UNNAMED;
            case 30_618 -> IntakeFixture.UNAUTHORISED;
            default -> ORPHAN;
        };
        world.bring(announcement(1, "x", DATE));
        world.bring(IntakeFixture.state(1, "x", DATE));
        world.bring(comment(1, note(1)));
        var figures = world.intake.figures();
        var each = Map.of(EventType.ANNOUNCEMENT, 1, EventType.STATE, 1, EventType.OTHER, 1);
        assertEquals(each, figures.hot());
        assertEquals(each, figures.cold());
        assertEquals(3, figures.waits());
        assertEquals(1, Objects.requireNonNull(figures.reasons().get(Reason.ORPHAN)));
        world.loop.runFor(Duration.ofMinutes(3));
        assertEquals(
                0,
                world.intake.figures().hot().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum());
        assertTrue(world.counted.contains("hot expired STATE"));
        world.loop.runFor(Duration.ofDays(8));
        assertEquals(0, world.intake.figures().refused());
        assertEquals(0, world.intake.figures().waits());
        assertTrue(world.counted.contains("cold expired OTHER"));
    }

    @Test
    void nothingIsTakenAfterTheEnd() {
        world.intake.close(() -> {});
        assertEquals(Outcome.FAILED, world.bring(note(1)));
    }

    private static IntakeConfig withGate(int gateMax) {
        return new IntakeConfig(HOT, COLD, "rules", 100, 64L << 20, 1_000, 1_000, 1_000, gateMax, 600);
    }

    /// Events of one path are counted as such.
    @Test
    void storedEventsAreCountedByTheirWay() {
        for (var path : Path.values()) {
            var event = note(path.name().hashCode());
            world.intake.receive(event, 1, path, _ -> {});
            world.loop.settle();
        }
        assertEquals(
                List.of(Path.values()).stream().map(path -> "stored " + path).toList(), world.counted);
    }

    @Test
    void whoCannotBearAnOutcomeKeepsNobodyWaiting() {
        var world = new IntakeFixture();
        var told = new ArrayList<Outcome>();
        var first = announcement(1, "a", DATE);
        world.intake.receive(first, 1, Arrivals.Path.LIVE, _ -> {
            throw new IllegalStateException("failing, as the test wants");
        });
        world.intake.receive(first, 2, Arrivals.Path.LIVE, told::add);
        assertThrows(IllegalStateException.class, world.loop::settle);
        world.loop.settle();
        assertEquals(List.of(Outcome.KNOWN), told);
        assertEquals(Outcome.STORED, world.bring(announcement(1, "a", DATE + 1)));
        assertEquals(0, world.intake.figures().inGate());
    }
}
