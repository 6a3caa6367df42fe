package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// kill -9 under pushes; `./mvnw -Pgit-crash` does it for long.
final class GitCrashTest {
    private static final int ROUNDS = 6;

    @TempDir
    private Path directory;

    @Test
    void whatGitWasToldIsThereAfterEveryKill() throws IOException, InterruptedException {
        var run = new CrashRun(directory, 1);
        for (int round = 0; round < ROUNDS; round++) {
            run.round();
        }
        assertTrue(run.acknowledged() > 0, "nothing was pushed, so nothing was proved");
        try (var left = Files.walk(directory.resolve("server/data/git/.grapnel"))) {
            assertTrue(left.count() < 1000, "leftovers pile up");
        }
    }
}
