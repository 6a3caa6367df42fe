package dev.grapnel.sync.received;

import static dev.grapnel.sync.received.IntakeFixture.COLD;
import static dev.grapnel.sync.received.IntakeFixture.DATE;
import static dev.grapnel.sync.received.IntakeFixture.FINAL;
import static dev.grapnel.sync.received.IntakeFixture.HOT;
import static dev.grapnel.sync.received.IntakeFixture.ORPHAN;
import static dev.grapnel.sync.received.IntakeFixture.announcement;
import static dev.grapnel.sync.received.IntakeFixture.appearance;
import static dev.grapnel.sync.received.IntakeFixture.comment;
import static dev.grapnel.sync.received.IntakeFixture.note;
import static dev.grapnel.sync.received.IntakeFixture.repository;
import static dev.grapnel.sync.received.IntakeFixture.state;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.received.Arrivals.Knowledge;
import dev.grapnel.sync.received.IntakeFixture.FakeFiles;
import dev.grapnel.sync.world.Archive.Standing;
import dev.grapnel.sync.world.Gate.Ruling;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What is left of refused events after a restart (R7.19). Numbers are rows of sync 11.
final class RefusedFilesTest {
    private final VirtualScheduler loop =
            new VirtualScheduler(Instant.parse("2026-01-01T00:00:00Z"), Duration.ofSeconds(-5));
    private final FakeFiles files = new FakeFiles();
    private IntakeFixture world = begin("rules");

    private IntakeFixture begin(String fingerprint) {
        return new IntakeFixture(config(fingerprint), loop, files);
    }

    private static IntakeConfig config(String fingerprint) {
        return new IntakeConfig(HOT, COLD, fingerprint, 100, 64L << 20, 100_000, 1_000, 1_000, 256, 600);
    }

    /// Ends the process in an orderly way and begins another one.
    private void restart(String fingerprint) {
        end();
        world = new IntakeFixture(world, config(fingerprint), files);
    }

    private void end() {
        var written = new boolean[1];
        world.intake.close(() -> written[0] = true);
        loop.settle();
        assertTrue(written[0]);
    }

    /// Row 137.
    @Test
    void refusalsSurviveARestart() {
        world.policy = _ -> FINAL;
        world.bring(note(1));
        world.policy = _ -> ORPHAN;
        var reply = comment(2, note(2));
        world.bring(reply, 7);
        restart("rules");
        assertEquals(Knowledge.REFUSED, world.intake.knowledge(note(1).id()));
        assertEquals(Knowledge.REFUSED, world.intake.knowledge(reply.id()));
        assertEquals(Map.of(), world.intake.figures().hot());
        world.appear(note(2));
        assertEquals(List.of("7 " + reply.id()), world.refetched);
    }

    /// Row 137.
    @Test
    void timeWithoutAProcessCounts() {
        world.policy = _ -> FINAL;
        world.bring(note(1));
        end();
        loop.jump(COLD.minusHours(1));
        world = begin("rules");
        assertEquals(Knowledge.REFUSED, world.intake.knowledge(note(1).id()));
        end();
        loop.jump(Duration.ofHours(1));
        world = begin("rules");
        assertEquals(Knowledge.UNKNOWN, world.intake.knowledge(note(1).id()));
        assertEquals(0, world.intake.figures().refused());
    }

    /// Row 137.
    @Test
    void refusalsByOtherRulesAreForgotten() {
        world.policy = _ -> FINAL;
        world.bring(note(1));
        restart("other rules");
        assertEquals(List.of("outdated"), world.notes);
        assertEquals(Knowledge.UNKNOWN, world.intake.knowledge(note(1).id()));
        restart("rules");
        assertEquals(Knowledge.UNKNOWN, world.intake.knowledge(note(1).id()), "and do not come back");
    }

    @Test
    void wholeEventsAreNotWrittenDown() {
        var hotOnly = new IntakeFixture(IntakeFixture.config(HOT, Duration.ZERO), loop, files);
        hotOnly.policy = _ -> ORPHAN;
        hotOnly.bring(note(1));
        loop.runFor(Duration.ofMinutes(1));
        assertFalse(files.saves.contains("refused-0"));
    }

    @Test
    void onlyWhatHasChangedIsWrittenEachMinute() {
        loop.runFor(Duration.ofMinutes(1));
        assertEquals(List.of("refused"), files.saves);
        files.saves.clear();
        loop.runFor(Duration.ofMinutes(5));
        assertEquals(List.of(), files.saves);
        world.policy = _ -> FINAL;
        world.bring(note(1));
        loop.runFor(Duration.ofMinutes(1));
        assertEquals(List.of("refused-0", "refused"), files.saves);
        files.saves.clear();
        world.appear(note(5));
        loop.runFor(Duration.ofMinutes(1));
        assertEquals(List.of("refused"), files.saves, "up to which commit it is true");
    }

    /// R4.36: however fast refusals come, what has changed is written once a minute, and counts.
    @Test
    void whatChangesWhileItIsWrittenWaitsForTheNextTime() {
        world.policy = _ -> FINAL;
        world.bring(note(1));
        int[] more = {5};
        files.whileWriting = () -> {
            if (more[0]-- > 0) {
                world.begin(note(10 + more[0]), 1);
            }
        };
        loop.runFor(Duration.ofMinutes(1));
        assertEquals(List.of("refused-0", "refused"), files.saves);
        more[0] = 0;
        loop.runFor(Duration.ofMinutes(1));
        assertEquals(List.of("refused-0", "refused", "refused-0", "refused"), files.saves);
        files.saves.clear();
        loop.runFor(Duration.ofMinutes(5));
        assertEquals(List.of(), files.saves);
    }

    @Test
    void damagedFileMeansAnEmptyBeginning() {
        world.policy = _ -> FINAL;
        world.bring(note(1));
        end();
        var intact = Map.copyOf(files.contents);
        assertEquals(2, intact.size());
        intact.forEach((name, content) -> {
            for (int at = 0; at < content.length; at += 5) {
                var damaged = content.clone();
                damaged[at] ^= 1;
                assertUnusable(intact, name, damaged);
            }
            assertUnusable(intact, name, new byte[3]);
        });
    }

    private void assertUnusable(Map<String, byte[]> intact, String name, byte[] damaged) {
        files.contents.putAll(intact);
        files.contents.put(name, damaged);
        world = begin("rules");
        assertEquals(List.of("unusable " + name), world.notes);
        assertEquals(0, world.intake.figures().refused());
    }

    @Test
    void missingFileIsSaid() {
        assertEquals(List.of("missing"), world.notes);
    }

    @Test
    void unreadableDiskMeansAnEmptyBeginning() {
        files.isBroken = true;
        world = begin("rules");
        assertTrue(world.notes.contains("unusable refused"));
        files.isBroken = false;
        assertEquals(0, world.intake.figures().refused());
    }

    @Test
    void whatCannotBeWrittenIsTriedAgain() {
        world.policy = _ -> FINAL;
        world.bring(note(1));
        files.isBroken = true;
        loop.runFor(Duration.ofMinutes(1));
        assertTrue(world.notes.contains("unwritten refused-0"));
        files.isBroken = false;
        loop.runFor(Duration.ofMinutes(1));
        world = begin("rules");
        assertEquals(Knowledge.REFUSED, world.intake.knowledge(note(1).id()));
    }

    @Test
    void wokenRefusalsAreNotReadBack() {
        world.policy = _ -> ORPHAN;
        world.bring(comment(2, note(2)), 7);
        loop.runFor(Duration.ofMinutes(3));
        world.unknownRelays.add(7);
        world.appear(note(2));
        restart("rules");
        assertEquals(0, world.intake.figures().refused());
    }

    /// Between the last file and the end of a process that did not end in order, things may have come.
    @Test
    void whatCameAfterTheFilesWereWrittenIsMadeUpFor() {
        world.policy = _ -> ORPHAN;
        var reply = comment(2, note(2));
        world.bring(reply, 7);
        world.appear(note(1));
        loop.runFor(Duration.ofMinutes(1));
        long written = world.archive.commit;
        world = laterProcess(written + 10);
        assertEquals(written, world.archive.followedFrom);
        var follower = world.archive.follower.orElseThrow();
        follower.changed(List.of(), List.of(appearance(note(2))), written + 10, () -> {});
        loop.settle();
        assertEquals(List.of("7 " + reply.id()), world.refetched);
        assertTrue(world.archive.isEnded);
    }

    @Test
    void whatCannotBeMadeUpForIsForgotten() {
        world.policy = _ -> ORPHAN;
        world.bring(comment(2, note(2)), 7);
        world.policy = _ -> FINAL;
        world.bring(note(3));
        loop.runFor(Duration.ofMinutes(1));
        world = laterProcess(world.archive.commit + 10);
        world.archive.follower.orElseThrow().lost(world.archive.commit);
        loop.settle();
        assertEquals(
                Knowledge.UNKNOWN, world.intake.knowledge(comment(2, note(2)).id()));
        assertEquals(Knowledge.REFUSED, world.intake.knowledge(note(3).id()));
    }

    /// A process that finds files of an earlier one and a store that has gone on.
    private IntakeFixture laterProcess(long commit) {
        var later = new IntakeFixture(config("nothing to read"), loop, new FakeFiles());
        later.archive.commit = commit;
        return new IntakeFixture(later, config("rules"), files);
    }

    @Test
    void statesThatMayBeSignedByNowAreFound() {
        world.policy = _ -> IntakeFixture.UNAUTHORISED;
        var state = state(1, "x", DATE);
        world.bring(state, 7);
        end();
        var later = new IntakeFixture(config("nothing to read"), loop, new FakeFiles());
        later.archive.commit = world.archive.commit;
        later.purgatory.held.add(repository(1, "x"));
        later.purgatory.announce(1, "x", 1);
        world = new IntakeFixture(later, config("rules"), files);
        assertEquals(List.of("7 " + state.id()), world.refetched);
    }

    @Test
    void versionsThatLostToHeldOnesComeBackAfterARestart() {
        world.policy = _ -> new Ruling.SupersededByHeld();
        world.purgatory.held.add(repository(1, "x"));
        var older = announcement(1, "x", DATE);
        world.bring(older, 7);
        end();
        world = begin("rules"); // where nothing is held
        assertEquals(List.of("7 " + older.id()), world.refetched);
    }

    @Test
    void eventsDatedAheadAreRememberedAsSuch() {
        world.policy = _ -> new Ruling.Ahead(loop.wall().plus(Duration.ofMinutes(10)));
        world.bring(note(1), 7);
        restart("rules");
        loop.runFor(Duration.ofMinutes(9));
        assertEquals(List.of(), world.refetched);
        loop.runFor(Duration.ofMinutes(2));
        assertEquals(List.of("7 " + note(1).id()), world.refetched);
    }

    @Test
    void servedEventsAreAskedOfTheArchive() {
        world.policy = _ -> FINAL;
        world.bring(note(1));
        restart("rules");
        world.archive.standings.put(note(1).id(), Standing.SERVED);
        assertEquals(Knowledge.STORED, world.intake.knowledge(note(1).id()));
    }

    @Test
    void whatCouldNotBeWrittenIsWrittenTheNextTime() {
        world.policy = _ -> FINAL;
        world.bring(note(1));
        files.isFailing = true;
        assertThrows(IllegalStateException.class, () -> loop.runFor(Duration.ofSeconds(90)));
        files.isFailing = false;
        loop.runFor(Duration.ofSeconds(90));
        assertEquals(List.of("refused-0", "refused"), files.saves);
    }

    /// R6.7, R7.22a: the operator may name a relay at any port.
    @Test
    void eventOfARelayAtALowPortIsFetchedAgain() {
        world.lowPorts.add(7);
        world.policy = _ -> ORPHAN;
        var reply = comment(2, note(2));
        world.bring(reply, 7);
        restart("rules");
        world.lowPorts.add(7);
        world.appear(note(2));
        assertEquals(List.of("7 " + reply.id()), world.refetched);
    }
}
