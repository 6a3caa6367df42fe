package dev.grapnel.store.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// Relay 4.12: corruption is reported, and the rest stays readable.
///
/// `./mvnw -Pdamage -pl server -am test -Ddamage.rounds=1000` does the same for longer.
final class StoreDamageTest {
    private static final int ROUNDS = 50;

    @Test
    void everyDamagedFileIsEitherRightOrReported(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
            throws IOException, InterruptedException {
        var run = new DamageRun(
                directory, new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        run.run(ROUNDS, 1);
        for (var outcome : DamageRounds.Outcome.values()) {
            boolean isWanted = outcome != DamageRounds.Outcome.SILENT;
            assertEquals(isWanted, run.count(outcome) > 0, () -> outcome + ": " + run);
        }
        assertTrue(run.count(DamageRounds.Outcome.TABLES) > ROUNDS / 10, run::toString);
    }
}
