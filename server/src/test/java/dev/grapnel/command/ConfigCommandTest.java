package dev.grapnel.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
final class ConfigCommandTest {
    @TempDir
    private Path temporary;

    private Terminal.Outcome run(Map<String, String> variables, String... arguments) {
        return new Terminal(temporary.resolve("relay")).runWith(variables, arguments);
    }

    @Test
    void everyValueIsShownWithWhereItWasSet() throws Exception {
        var file = Files.writeString(
                temporary.resolve("settings"),
                "# mine\n\nexport GRAPNEL_RELAY_NAME=\"a name\"\nNGIT_MAX_CONNECTIONS = 7\n");
        var outcome =
                run(Map.of("NGIT_DOMAIN", "git.example.com"), "config", "--max-limit=9", "--config", file.toString());
        assertEquals(0, outcome.code(), outcome.err());
        assertEquals("", outcome.err());
        assertTrue(outcome.lines().contains("GRAPNEL_DOMAIN=git.example.com  # NGIT_DOMAIN"), outcome.out());
        assertTrue(outcome.lines().contains("GRAPNEL_MAX_LIMIT=9  # --max-limit"), outcome.out());
        assertTrue(outcome.lines().contains("GRAPNEL_BASE_PATH=/  # default"), outcome.out());
        assertTrue(outcome.lines().contains("GRAPNEL_CONTACT=  # not set"), outcome.out());
        assertTrue(
                outcome.lines().contains("GRAPNEL_RELAY_NAME=a name  # GRAPNEL_RELAY_NAME in " + file), outcome.out());
        assertTrue(
                outcome.lines().contains("GRAPNEL_MAX_CONNECTIONS=7  # NGIT_MAX_CONNECTIONS in " + file),
                outcome.out());
    }

    @Test
    void allProblemsAreTold() {
        var outcome = run(Map.of("GRAPNEL_MAX_LIMITS", "9"), "config", "--domian", "x");
        assertEquals(2, outcome.code());
        assertEquals("", outcome.out());
        assertEquals("""
                grapnel: --domian is unknown; did you mean --domain?
                grapnel: GRAPNEL_MAX_LIMITS is unknown; did you mean GRAPNEL_MAX_LIMIT?
                """, outcome.err());
    }

    @Test
    void fileThatCannotBeUsedIsNamed() throws Exception {
        var missing = temporary.resolve("missing");
        assertEquals(
                "grapnel: could not read " + missing + ": there is no such file or directory\n",
                run(Map.of(), "config", "--config=" + missing).err());
        var bad = Files.writeString(temporary.resolve("bad"), "A=1\nwhat is this\n");
        assertEquals(
                "grapnel: the configuration file " + bad + " cannot be used: line 2 is not of the form NAME=value\n",
                run(Map.of(), "config", "--config=" + bad).err());
    }
}
