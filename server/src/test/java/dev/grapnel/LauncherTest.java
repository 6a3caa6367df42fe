package dev.grapnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.StubbedCheckout.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher builds when it must, never when it need not, and is not there once the program runs.
final class LauncherTest {
    @TempDir
    private Path temporary = Path.of("");

    @Test
    void firstStartBuildsQuietlyAndRuns() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        assertEquals(
                new Outcome(0, checkout.jdks.resolve("jdk 25") + " ran a b c\n", ""), checkout.grapnel("a", "b c"));
        assertEquals(1, checkout.mavenCalls().size());
    }

    @Test
    void secondStartNeedsNoMaven() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        checkout.grapnel();
        Files.delete(checkout.mavens.resolve("maven 3.9/bin/mvn"));
        assertEquals(0, checkout.grapnel().code());
        assertEquals(1, checkout.mavenCalls().size());
    }

    @Test
    void linkToTheLauncherWorks() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        var elsewhere = Files.createDirectory(temporary.resolve("else where"));
        Files.createSymbolicLink(elsewhere.resolve("first"), Path.of("../check out/grapnel"));
        var second = Files.createSymbolicLink(temporary.resolve("second"), Path.of("else where/first"));
        assertEquals(0, StubbedCheckout.finish(checkout.start(second)).code());
        assertEquals(0, checkout.grapnel().code());
        assertEquals(1, checkout.mavenCalls().size());
    }

    @Test
    void changedSourceIsBuilt() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        checkout.grapnel();
        checkout.write("server/src/main/java/deep/B.java");
        checkout.grapnel();
        assertEquals(2, checkout.mavenCalls().size());
        checkout.write("server/pom.xml");
        checkout.grapnel();
        assertEquals(3, checkout.mavenCalls().size());
        checkout.grapnel();
        assertEquals(3, checkout.mavenCalls().size());
    }

    @Test
    void deletedSourceIsBuilt() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        checkout.grapnel();
        Files.delete(checkout.directory.resolve("server/src/main/java/deep/B.java"));
        checkout.grapnel();
        assertEquals(2, checkout.mavenCalls().size());
    }

    @Test
    void sourceChangedWhileBuildingIsBuiltAgain() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        checkout.tellMaven("edits");
        checkout.grapnel();
        checkout.grapnel();
        assertEquals(2, checkout.mavenCalls().size());
    }

    @Test
    void failingBuildShowsItsLogAndIsTriedAgain() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        checkout.tellMaven("fails");
        var outcome = checkout.grapnel();
        assertEquals(1, outcome.code());
        assertEquals("", outcome.out());
        assertTrue(outcome.err().startsWith("[ERROR] a line of the log\ngrapnel: the build failed"), outcome.err());
        Files.delete(checkout.stubs.resolve("maven-fails"));
        assertEquals(0, checkout.grapnel().code());
    }

    @Test
    void failedRebuildLeavesNoOldProgramRunning() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        checkout.grapnel();
        checkout.write("server/src/main/java/A.java");
        checkout.tellMaven("fails");
        assertEquals(1, checkout.grapnel().code());
    }

    @Test
    void severalAtOnceBuildOnce() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        var starts = new ArrayList<Process>();
        for (int i = 0; i < 6; i++) {
            starts.add(checkout.start(checkout.directory.resolve("grapnel"), "number", "" + i));
        }
        for (int i = 0; i < 6; i++) {
            var expected = new Outcome(0, checkout.jdks.resolve("jdk 25") + " ran number " + i + "\n", "");
            assertEquals(expected, StubbedCheckout.finish(starts.get(i)));
        }
        assertEquals(1, checkout.mavenCalls().size());
        assertFalse(Files.exists(checkout.directory.resolve(".grapnel/lock"), LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void lockOfDeadBuilderIsBroken() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        var lock = Files.createDirectory(checkout.directory.resolve(".grapnel")).resolve("lock");
        Files.createSymbolicLink(lock, Path.of("pid:999999999:1"));
        assertEquals(0, checkout.grapnel().code());
    }

    /// In a container the next process often has the number of the one that died, and waited for itself for
    /// ever.
    @Test
    void lockIsBrokenWhenItsNumberBelongsToAnotherProcessNow() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        var lock = Files.createDirectory(checkout.directory.resolve(".grapnel")).resolve("lock");
        Files.createSymbolicLink(lock, Path.of("pid:" + ProcessHandle.current().pid() + ":1"));
        assertEquals(0, checkout.grapnel().code());
    }

    @Test
    void exitCodeIsTheProgramsOwn() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        assertEquals(7, checkout.grapnel("exit", "7").code());
        assertEquals(42, checkout.grapnel("exit", "42").code());
    }

    @Test
    void signalsReachTheProgram() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        var running = checkout.start(checkout.directory.resolve("grapnel"), "wait");
        firstLineOf(running);
        running.toHandle().destroy();
        assertEquals(new Outcome(43, "stopped\n", ""), StubbedCheckout.finish(running));
    }

    @Test
    void signalWhileBuildingEndsTheBuildAndFreesTheLock() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        checkout.tellMaven("hangs");
        var starting = checkout.start(checkout.directory.resolve("grapnel"));
        while (Files.size(checkout.stubs.resolve("maven-hangs")) == 0) {
            assertTrue(starting.isAlive(), "ended before it built");
            Thread.onSpinWait();
        }
        var maven = starting.children().toList();
        starting.toHandle().destroy();
        assertEquals(143, StubbedCheckout.finish(starting).code());
        assertTrue(maven.stream().noneMatch(ProcessHandle::isAlive), "Maven still runs");
        assertFalse(Files.exists(checkout.directory.resolve(".grapnel/lock"), LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void runningProgramKeepsItsJarsWhileNewerBuildsAreMade() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        var running = checkout.start(checkout.directory.resolve("grapnel"), "wait");
        firstLineOf(running);
        var first = checkout.builds();
        checkout.write("server/src/main/java/A.java");
        checkout.grapnel();
        assertTrue(checkout.builds().containsAll(first), "the running program lost its jars");
        assertEquals(2, checkout.builds().size());

        running.toHandle().destroy();
        StubbedCheckout.finish(running);
        checkout.write("server/src/main/java/A.java");
        checkout.grapnel();
        assertEquals(1, checkout.builds().size(), "builds nobody uses are removed");
        assertNotEquals(first, checkout.builds());
    }

    @Test
    void startsWhereNoMarkCanBeLeft() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        checkout.grapnel();
        var build =
                checkout.directory.resolve(".grapnel/dist", checkout.builds().getFirst());
        for (var mark : Checkout.filesBelow(build.resolve("pids"))) {
            Files.delete(build.resolve("pids").resolve(mark));
        }
        Files.delete(build.resolve("pids"));
        var outcome = checkout.grapnel();
        assertEquals(0, outcome.code());
        assertEquals("", outcome.err());
    }

    @Test
    void marksOfEndedProgramsDoNotPileUp() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        for (int i = 0; i < 4; i++) {
            checkout.grapnel();
        }
        var build =
                checkout.directory.resolve(".grapnel/dist", checkout.builds().getFirst());
        assertEquals(1, Checkout.filesBelow(build.resolve("pids")).size());
    }

    @Test
    void flagsOfTheUserComeAfterOurs() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        checkout.environment.put("GRAPNEL_JAVA_OPTS", "-Xmx64m -Da=*");
        var flags = checkout.grapnel("flags").out();
        assertTrue(flags.matches("(?s).*-XX:\\+UseCompactObjectHeaders .* -Xmx64m -Da=\\* -cp .*"), flags);
    }

    @Test
    void namesOfFilesAreUtf8WhereThereIsNoLocale() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        assertEquals("C.UTF-8\n", checkout.grapnel("locale").out());
        checkout.environment.put("LANG", "POSIX");
        assertEquals("C.UTF-8\n", checkout.grapnel("locale").out());
        checkout.environment.put("LC_ALL", "de_DE.ISO-8859-1");
        assertEquals("de_DE.ISO-8859-1\n", checkout.grapnel("locale").out());
    }

    /// The JVM would open some file of its own in its place, and write to that.
    @Test
    void closedStandardOutputIsOpenedAndTakesNothing() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        var closing = checkout.stubs.resolve("closing");
        Files.writeString(closing, "#!/bin/sh\nexec \"" + checkout.directory.resolve("grapnel") + "\" \"$@\" >&-\n");
        Files.setPosixFilePermissions(closing, PosixFilePermissions.fromString("rwxr-xr-x"));
        int open = 9;
        assertEquals(
                open, StubbedCheckout.finish(checkout.start(closing, "write")).code());
    }

    @Test
    void aotCacheIsUsedByTheJdkThatMadeItOnly() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        assertTrue(checkout.grapnel("flags").out().contains("-XX:AOTCache="));
        checkout.environment.put("JAVA_HOME", checkout.jdk("another", "25.0.2").toString());
        assertFalse(checkout.grapnel("flags").out().contains("-XX:AOTCache="));
        assertEquals(1, checkout.mavenCalls().size());
    }

    @Test
    void missingToolsAreNamedTogether() throws Exception {
        var checkout = new StubbedCheckout(temporary);
        for (var outcome : List.of(checkout.grapnel(), checkout.mvnw("verify"))) {
            assertEquals(1, outcome.code());
            var lines = outcome.err().lines().toList();
            assertEquals(2, lines.size(), outcome.err());
            assertTrue(lines.get(0).startsWith("grapnel: no JDK 25 or newer found ("), outcome.err());
            assertTrue(lines.get(1).startsWith("grapnel: no Maven 3.8 or newer found ("), outcome.err());
        }
    }

    private static void firstLineOf(Process process) throws IOException {
        int read;
        do {
            read = process.getInputStream().read();
        } while (read >= 0 && read != '\n');
    }
}
