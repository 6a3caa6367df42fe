package dev.grapnel.bench.push;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.bench.git.GitProgram;
import dev.grapnel.bench.git.Host;
import dev.grapnel.bench.git.Push;
import dev.grapnel.bench.purgatory.Scene;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Everything over real servers, with numbers as small as can be.
final class PushBenchTest {
    private static final String[] TINY = {
        "--commits=5",
        "--warmup-rounds=0",
        "--rounds=1",
        "--pushes=2",
        "--git-pushes=1",
        "--repositories=2",
        "--rate=4",
        "--seconds=1",
        "--owners=3"
    };

    @Test
    void allPartsPrintTheirTablesAndLeaveNoFiles(@TempDir Path temporary) {
        var directory = temporary.resolve("some").resolve("where");
        var said = new ByteArrayOutputStream();
        var before = System.out;
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            assertEquals(0, new CommandLine(new PushBench()).execute(with(directory)));
        } finally {
            System.setOut(before);
        }
        var tables = said.toString(StandardCharsets.UTF_8);
        assertTrue(tables.contains("| the same, until delivered and visible |"), tables);
        assertTrue(tables.contains("| 4 | 4 | 0 |"), tables);
        assertTrue(tables.contains("| more |"), tables);
        assertArrayEquals(new String[0], directory.toFile().list());
    }

    private static String[] with(Path directory) {
        var arguments = new String[TINY.length + 1];
        System.arraycopy(TINY, 0, arguments, 0, TINY.length);
        arguments[TINY.length] = directory.toString();
        return arguments;
    }

    /// Otherwise a server that refuses would look like a fast one.
    @Test
    void whatIsRefusedOrNotThereIsAnError(@TempDir Path directory) throws IOException, InterruptedException {
        var source = directory.resolve("source.git");
        GitProgram.makeHistory(source, 3, 100);
        var signed = Push.make(source, "signed", 1).getFirst();
        var unsigned = Push.make(source, "unsigned", 1).getFirst();
        var repository = new SignedRepository("one", 0, 1, GitProgram.run(source, "rev-parse", "main"));
        try (var host = Host.grasp(directory.resolve("grasp"), Scene.DOMAIN);
                var grasp = new GraspSide(host)) {
            grasp.found(repository, source);
            var refused = assertThrows(
                    IOException.class,
                    () -> grasp.push(repository, signed, (_, path, _) -> TimedPush.alone(host, path, unsigned)));
            assertTrue(String.valueOf(refused.getMessage()).startsWith("the push was refused: "), refused.getMessage());
            var unseen = assertThrows(
                    IOException.class,
                    () -> TimedPush.requireVisible(host, List.of(repository.path()), unsigned.ref(), unsigned.after()));
            assertEquals(
                    repository.path() + " does not show refs/heads/unsigned although the push was taken",
                    unseen.getMessage());
        }
    }
}
