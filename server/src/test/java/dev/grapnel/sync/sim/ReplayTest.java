package dev.grapnel.sync.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.health.HealthSnapshots;
import dev.grapnel.sync.sim.Script.Tale;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Worlds that failed are told again, and made smaller (R10.3).
final class ReplayTest {
    /// What a failing run printed; by itself it is a small world that is right.
    private static final String REPLAY = System.getProperty(
            "grapnel.simulation.replay",
            "story=faults;seed=3;acts=node0,node1,relay0,relay2,repo0,repo1,post0,post1,post2,post3,fault0,fault1");

    @Test
    void theWorldThatIsNamedIsRight() {
        Script.parse(REPLAY).play();
    }

    /// A core that does nothing any more after a restart.
    private static Core weary(Ports ports) {
        try {
            boolean isFirst = ports.files().load(HealthSnapshots.FILE).isEmpty();
            return (isFirst ? JoinedCore.usual() : CoreFactory.NONE).create(ports);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The first one whose faults include the end of a node that knew something.
    private static final Script WHOLE = LongStream.range(1, 20)
            .mapToObj(seed -> Script.of(Tale.FAULTS, seed))
            .filter(script -> !script.show(ReplayTest::weary).sort().isEmpty())
            .findFirst()
            .orElseThrow();

    @Test
    void aFailingWorldIsMadeSmallerAndFailsInTheSameWay() {
        var failed = WHOLE.show(ReplayTest::weary);
        assertNotEquals("", failed.sort());
        var small = new Shrinking(ReplayTest::weary, 60, Duration.ofMinutes(1)).shrink(WHOLE, failed);
        var again = Script.parse(small.toString());
        int acts = again.acts().orElseThrow().size();
        assertTrue(
                acts * 2 < failed.played().size(),
                () -> acts + " of " + failed.played().size() + " are left");
        var problem = assertThrows(Violation.class, () -> again.play(ReplayTest::weary));
        assertEquals(failed.sort(), Violation.sortOf(problem));
        again.play(JoinedCore.usual());
        assertTrue(small.command().contains("'" + small + "'"), small.command());
    }

    /// What a failing run prints is a command that shows the same again.
    @Test
    void whatARunPrintsFailsAgain() throws InterruptedException {
        expectToFailAgain(Tale.ISOLATION, 1, CoreFactory.NONE);
        expectToFailAgain(Tale.CRASH, 5, CoreFactory.NONE);
        var mirror = Script.of(Tale.MIRROR, 1);
        assertEquals(mirror, Script.parse(replayOf(mirror.command())));
    }

    private static void expectToFailAgain(Tale tale, long seed, CoreFactory cores) throws InterruptedException {
        var told = SimulationRun.failures(tale, cores, seed, 1);
        assertEquals(1, told.size());
        var script = Script.parse(replayOf(told.iterator().next()));
        assertEquals(tale, script.tale());
        assertThrows(AssertionError.class, () -> script.play(cores), script::toString);
    }

    private static String replayOf(String told) {
        int from = told.indexOf("replay='") + "replay='".length();
        return told.substring(from, told.indexOf('\'', from));
    }

    @Test
    void theTriesAreBounded() {
        var failed = WHOLE.show(ReplayTest::weary);
        var shrinking = new Shrinking(ReplayTest::weary, 3, Duration.ofMinutes(1));
        assertEquals(
                failed.sort(),
                shrinking.shrink(WHOLE, failed).show(ReplayTest::weary).sort());
        assertEquals(3, shrinking.tries());
    }

    /// Whoever is left out changes nothing for the others.
    @Test
    void anActThatIsLeftOutDoesNotMoveTheOthers() {
        var played = Script.of(Tale.INTERRUPTIONS, 4).show(CoreFactory.NONE).played();
        var fewer = played.stream().filter(act -> act.number() != 2).toList();
        var without = Script.of(Tale.INTERRUPTIONS, 4).withActs(fewer);
        assertEquals(fewer, without.show(CoreFactory.NONE).played());
    }

    @Test
    void aScriptIsItsText() {
        for (var script : List.of(
                Script.of(Tale.INTERRUPTIONS, 17),
                Script.of(Tale.CRASH, 7),
                Script.of(Tale.ISOLATION, 2).withActs(List.of()),
                Script.of(Tale.FAULTS, -3).withActs(List.of(new Act(Act.Kind.POST, 12), new Act(Act.Kind.NODE, 0))))) {
            assertEquals(script, Script.parse(script.toString()));
        }
        assertThrows(IllegalArgumentException.class, () -> Script.parse("seed=1;what=2"));
        assertThrows(IllegalArgumentException.class, () -> Script.parse("acts=dragon3"));
    }
}
