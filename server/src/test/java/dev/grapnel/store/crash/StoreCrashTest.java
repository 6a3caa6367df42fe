package dev.grapnel.store.crash;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// README I-5 and I-6, relay test 188, purgatory P-705.
///
/// `./mvnw -Pcrash -pl server -am test -Dcrash.kills=1000` does the same for longer.
final class StoreCrashTest {
    private static final int KILLS = 20;

    @Test
    void nothingAcknowledgedIsLostWhenTheProcessIsKilled(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
            throws IOException, InterruptedException {
        var silence = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        new CrashRun(directory, 1).kill(KILLS, silence);
    }
}
