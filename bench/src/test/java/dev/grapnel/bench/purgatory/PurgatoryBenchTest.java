package dev.grapnel.bench.purgatory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How the measurement begins and ends.
final class PurgatoryBenchTest {
    /// A part that is none comes as far as every other, and costs nothing.
    @Test
    void directoryIsMadeIfItIsNotThereAndLeftEmpty(@TempDir Path temporary) {
        var directory = temporary.resolve("some").resolve("where");
        var refused = assertThrows(
                IllegalArgumentException.class,
                () -> PurgatoryBench.main(new String[] {directory.toString(), "1", "nonsense"}));
        assertEquals("there is no part nonsense", refused.getMessage());
        assertArrayEquals(new String[0], directory.toFile().list());
    }
}
