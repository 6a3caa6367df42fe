package dev.grapnel.server;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Relay 2.7 and 2.8 under load.
///
/// `./mvnw -Pload -pl server -am test` does the same with more connections and for longer.
final class LoadTest {
    private static final int CONNECTIONS = 200;
    private static final int ROUNDS = 3;

    @Test
    void nothingIsMissedDoubledOrLeftBehind(@TempDir Path directory) throws Exception {
        var silence = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        try (var relay = RelayUnderTest.startIn(directory, "STORE_DURABILITY", "interval")) {
            new LoadRun(relay, CONNECTIONS, Duration.ofSeconds(2), 1).run(ROUNDS, silence);
        }
    }
}
