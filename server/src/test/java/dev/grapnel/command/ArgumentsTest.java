package dev.grapnel.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class ArgumentsTest {
    @TempDir
    private Path temporary = Path.of("");

    @Test
    void wordOutsideAClosedSetIsAnsweredWithTheSet() {
        var outcome = new Terminal(temporary).run("import", "--durability", "foo");
        assertEquals(2, outcome.code());
        assertTrue(
                outcome.err().contains("option '--durability': it is one of sync, interval, none, not 'foo'"),
                outcome.err());
    }

    @Test
    void wordOfAClosedSetIsReadInLettersOfAnyCase() {
        var terminal = new Terminal(temporary.resolve("relay"));
        for (var word : List.of("none", "NONE", "None")) {
            assertEquals(0, terminal.run("import", "--durability", word).code());
        }
    }

    /// The shell makes the name, because this process may have no letter for it either.
    @Test
    void nameThatTheLocaleHasNoLettersForIsExplained() throws Exception {
        var name = "relay=$(printf '" + temporary + "/\\303\\274')";
        for (var line : List.of(
                name + "; LC_ALL=C \"$@\" --relay-data-path \"$relay\"",
                name + "; LC_ALL=C GRAPNEL_RELAY_DATA_PATH=$relay \"$@\"")) {
            var process = new Terminal(temporary).startIn(line, "import");
            process.getOutputStream().close();
            var err = Terminal.textOf(process.getErrorStream());
            assertTrue(process.waitFor() != 0, err);
            assertTrue(err.contains("; set LC_ALL=C.UTF-8, or another that ends in UTF-8"), err);
            assertEquals(1, err.lines().count(), err);
        }
        try (var made = Files.list(temporary)) {
            assertEquals(0, made.count());
        }
    }
}
