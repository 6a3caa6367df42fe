package dev.grapnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.command.Invocation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GrapnelTest {
    private record Outcome(int code, String out, String err) {}

    private static Outcome run(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code = Grapnel.commandLine(Invocation.ofProcess())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Outcome(code, out.toString(), err.toString());
    }

    @Test
    void versionIsTheOneOfThePom() {
        var outcome = run("--version");
        assertEquals(0, outcome.code());
        assertTrue(outcome.out().matches("grapnel \\d+\\.\\d+\\.\\d+\\R"), outcome.out());
    }

    @Test
    void helpNamesTheOptions() {
        var outcome = run("--help");
        assertEquals(0, outcome.code());
        assertTrue(outcome.out().contains("--version"), outcome.out());
    }

    @Test
    void helpListsTheCommands() {
        var help = run("--help").out();
        for (var command : List.of("import", "export", "store")) {
            assertTrue(help.contains("\n  " + command + " "), help);
            var own = run(command, "--help");
            assertEquals(0, own.code());
            assertTrue(own.out().startsWith("Usage: grapnel " + command + " "), own.out());
        }
    }

    @Test
    void unknownCommandIsExplainedWithTheNearestOne() {
        var outcome = run("exprot");
        assertEquals(2, outcome.code());
        assertTrue(outcome.err().contains("'exprot'; did you mean export?"), outcome.err());
    }

    @Test
    void unknownOptionIsExplainedWithTheNearestOne() {
        var outcome = run("--versoin");
        assertEquals(2, outcome.code());
        assertEquals("", outcome.out());
        assertTrue(outcome.err().contains("'--versoin'; did you mean --version?"), outcome.err());
    }

    @Test
    void noOptionIsSuggestedWhenNoneIsNear() {
        var outcome = run("--port=7447");
        assertEquals(2, outcome.code());
        assertFalse(outcome.err().contains("did you mean"), outcome.err());
    }

    @Test
    void whoNamesNoCommandMeansTheServer() {
        assertArrayEquals(new String[] {"serve"}, Grapnel.withCommand());
        assertArrayEquals(
                new String[] {"serve", "--domain", "example.com"}, Grapnel.withCommand("--domain", "example.com"));
        assertArrayEquals(new String[] {"config", "--domain=x"}, Grapnel.withCommand("config", "--domain=x"));
        for (var option : List.of("-h", "--help", "-V", "--version")) {
            assertArrayEquals(new String[] {option}, Grapnel.withCommand(option));
        }
    }

    /// The real program on a processor for which there is no native library.
    @Test
    void aPlatformWithoutTheNativeLibraryIsToldSoInASentence() throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process = new ProcessBuilder(
                        java,
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dos.arch=riscv64",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.grapnel.Grapnel")
                .redirectError(ProcessBuilder.Redirect.PIPE)
                .start();
        var err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertEquals(1, process.waitFor());
        assertTrue(err.contains("grapnel: libsecp256k1 does not work on "), err);
        assertTrue(err.contains("riscv64"), err);
        assertFalse(err.contains("\tat "), err);
    }
}
