package dev.grapnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which JDK and which Maven the scripts take, and what they say when there is none. Seen through `./mvnw`.
final class ToolchainTest {
    @TempDir
    private Path temporary = Path.of("");

    @Test
    void olderJavaHomeIsPassedOverSilently() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        checkout.environment.put("JAVA_HOME", checkout.jdk("jdk 17", "17.0.15").toString());
        assertEquals("jdk 25", jdkTakenBy(checkout));
    }

    @Test
    void suitableJavaHomeWins() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        checkout.environment.put("JAVA_HOME", checkout.jdk("jdk 26", "26-ea").toString());
        assertEquals("jdk 26", jdkTakenBy(checkout));
    }

    @Test
    void jdkBehindLinkOnThePathIsTaken() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        var hidden = temporary.toRealPath().resolve("hidden");
        Files.move(checkout.jdk("jdk 27", "27"), hidden);
        var alternative = Files.createSymbolicLink(checkout.stubs.resolve("javac"), hidden.resolve("bin/javac"));
        Files.createSymbolicLink(checkout.path.resolve("javac"), alternative);
        assertEquals("hidden", jdkTakenBy(checkout));
    }

    @Test
    void amongSeveralTheMinimumIsTakenElseTheLowestNewer() throws Exception {
        var checkout = new StubbedCheckout(temporary);
        checkout.maven("maven", "3.9.11");
        checkout.jdk("a", "27.0.1");
        checkout.jdk("b", "26");
        checkout.jdk("c", "1.8.0_392");
        assertEquals("b", jdkTakenBy(checkout));
        checkout.jdk("d", "25");
        assertEquals("d", jdkTakenBy(checkout));
    }

    @Test
    void runtimeWithoutCompilerIsNotTaken() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        var runtime = checkout.jdk("jre 25", "25");
        Files.delete(runtime.resolve("bin/javac"));
        checkout.environment.put("JAVA_HOME", runtime.toString());
        assertEquals("jdk 25", jdkTakenBy(checkout));
    }

    @Test
    void jdkWithoutReleaseFileIsAskedForItsVersion() throws Exception {
        var checkout = new StubbedCheckout(temporary);
        checkout.maven("maven", "3.9.11");
        checkout.jdkWithoutRelease("old", "21.0.2");
        checkout.jdkWithoutRelease("new", "25.0.2");
        assertEquals("new", jdkTakenBy(checkout));
    }

    @Test
    void jdkInMacBundleIsTaken() throws Exception {
        var checkout = new StubbedCheckout(temporary);
        checkout.maven("maven", "3.9.11");
        checkout.jdk("temurin-25.jdk/Contents/Home", "25.0.1");
        assertEquals("Home", jdkTakenBy(checkout));
    }

    @Test
    void olderMavenIsPassedOverForNewer() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        checkout.environment.put(
                "MAVEN_HOME", checkout.maven("old maven", "3.6.3").toString());
        assertEquals(0, checkout.mvnw("verify").code());
    }

    /// An empty list stood for the root directory, whose bin holds the machine's Maven.
    @Test
    void emptyListOfPlacesMeansNone() throws Exception {
        var checkout = new StubbedCheckout(temporary);
        checkout.environment.put("GRAPNEL_JDK_PATHS", "");
        checkout.environment.put("GRAPNEL_MAVEN_PATHS", "");
        assertEquals(2, checkout.mvnw("verify").err().lines().count());
    }

    @Test
    void mavenIsNotTakenWhenTooOld() throws Exception {
        var checkout = new StubbedCheckout(temporary);
        checkout.jdk("jdk", "25");
        var old = checkout.maven("maven", "3.6.3");
        var outcome = checkout.mvnw("verify");
        assertEquals(1, outcome.code());
        assertEquals(
                "grapnel: Maven 3.8 or newer is needed to build, and only 3.6.3 in " + old
                        + " was found; install a newer one, or set MAVEN_HOME to it.\n",
                outcome.err());
    }

    @Test
    void mavenOfFutureMajorVersionIsTaken() throws Exception {
        var checkout = new StubbedCheckout(temporary);
        checkout.jdk("jdk", "25");
        checkout.maven("maven", "4.0.0");
        assertEquals(0, checkout.mvnw("verify").code());
    }

    @Test
    void versionOfDebianMavenStandsBesideTheLinkedJar() throws Exception {
        var checkout = new StubbedCheckout(temporary);
        checkout.jdk("jdk", "25");
        var library = checkout.maven("maven", "3.x").resolve("lib");
        var shared = Files.createDirectory(temporary.resolve("java"));
        Files.createFile(shared.resolve("maven3-core.jar"));
        Files.createSymbolicLink(shared.resolve("maven3-core-3.8.7.jar"), Path.of("maven3-core.jar"));
        Files.delete(library.resolve("maven-core-3.x.jar"));
        Files.createSymbolicLink(library.resolve("maven-core-3.x.jar"), Path.of("../../../java/maven3-core.jar"));
        assertEquals(0, checkout.mvnw("verify").code());
        assertEquals(1, checkout.mavenCalls().size(), "Maven was started to ask for its version");
    }

    @Test
    void mavenBuildsGrapnelFromAnyDirectory() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        checkout.mvnw("-fae", "verify");
        assertTrue(checkout.mavenCalls()
                .getFirst()
                .endsWith(": -f " + checkout.directory.resolve("pom.xml") + " -fae verify"));
    }

    @Test
    void pomOfTheUserWins() throws Exception {
        var checkout = StubbedCheckout.complete(temporary);
        for (var arguments : List.of(new String[] {"-f", "other", "verify"}, new String[] {"--file=other", "verify"})) {
            checkout.mvnw(arguments);
            assertTrue(checkout.mavenCalls().getLast().endsWith(": " + String.join(" ", arguments)));
        }
    }

    /// The name of the directory of the JDK on which Maven ran.
    private static String jdkTakenBy(StubbedCheckout checkout) throws Exception {
        var outcome = checkout.mvnw("verify");
        assertEquals("", outcome.err());
        assertEquals(0, outcome.code());
        var call = checkout.mavenCalls().getLast();
        return Path.of(call.substring(0, call.indexOf(": "))).getFileName().toString();
    }
}
