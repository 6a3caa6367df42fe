package dev.grapnel.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
    void keyOfTheOperatorIsHiddenButItsPlaceIsShown() throws Exception {
        var nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5";
        var outcome = run(Map.of("NGIT_RELAY_OWNER_NSEC", nsec), "config");
        assertEquals(
                "GRAPNEL_RELAY_OWNER_NSEC=(hidden)  # NGIT_RELAY_OWNER_NSEC",
                outcome.lines().getLast());
        assertFalse((outcome.out() + outcome.err()).contains(nsec));
        var file = Files.writeString(temporary.resolve("settings"), "GRAPNEL_RELAY_OWNER_NSEC=" + nsec);
        assertEquals(
                "GRAPNEL_RELAY_OWNER_NSEC=(hidden)  # GRAPNEL_RELAY_OWNER_NSEC in " + file,
                run(Map.of(), "config", "--config=" + file).lines().getLast());
        assertEquals(
                "GRAPNEL_RELAY_OWNER_NSEC=  # not set; the first start makes one",
                run(Map.of(), "config").lines().getLast());
        assertFalse(Files.exists(Path.of(".relay-owner.nsec")));
    }

    @Test
    void keyThatCannotBeIsToldWithAllOtherProblems() {
        var outcome = run(Map.of("GRAPNEL_RELAY_OWNER_NSEC", ""), "config", "--domian", "x", "--config");
        assertEquals(2, outcome.code());
        assertEquals("""
                grapnel: --domian is unknown; did you mean --domain?
                grapnel: --config lacks its value (it is a path)
                grapnel: GRAPNEL_RELAY_OWNER_NSEC is empty, and to make a new key instead would change who the operator is; \
                set the key, or remove it
                """, outcome.err());
    }

    @Test
    void textWithLineBreaksStaysInItsLine() {
        var outcome = run(Map.of("GRAPNEL_RELAY_DESCRIPTION", "a\n\nb\u001b"), "config");
        assertTrue(outcome.lines().contains("GRAPNEL_RELAY_DESCRIPTION=a\\n\\nb?  # GRAPNEL_RELAY_DESCRIPTION"));
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

    @Test
    void helpOfTheServerListsWhatCanBeSet() {
        var outcome = run(Map.of(), "serve", "--help");
        assertEquals(0, outcome.code(), outcome.err());
        assertTrue(outcome.lines().contains("  --max-event-bytes <n>"), outcome.out());
        assertTrue(outcome.lines().contains("  --count"), outcome.out());
        assertFalse(outcome.out().contains("--private-mode"), outcome.out());
        assertTrue(outcome.lines().stream().allMatch(line -> line.length() <= 80), outcome.out());
    }
}
