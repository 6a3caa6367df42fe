package dev.grapnel.bench.hunt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Real servers, with numbers as small as can be.
final class HuntBenchTest {
    @Test
    void fetchesAreTimedAndNoFilesAreLeft(@TempDir Path temporary) {
        var directory = temporary.resolve("some").resolve("where");
        var said = new ByteArrayOutputStream();
        var before = System.out;
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            assertEquals(
                    0,
                    new CommandLine(new HuntBench())
                            .execute(directory.toString(), "fetch", "--commits=20", "--file-bytes=600", "--rounds=1"));
        } finally {
            System.setOut(before);
        }
        var tables = said.toString(StandardCharsets.UTF_8);
        assertTrue(tables.contains("| `git http-backend` |") && tables.contains("| Grapnel |"), tables);
        assertTrue(tables.contains("before it is served: 0 bytes"), tables);
        assertArrayEquals(new String[0], directory.toFile().list());
    }
}
