package dev.grapnel.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Below the floor nothing more is taken in.
final class FreeSpaceTest {
    private final AtomicLong free = new AtomicLong(100);
    private final FreeSpace space = new FreeSpace(free::get, 100);

    @Test
    void floorItselfIsEnough() {
        assertFalse(space.isLow());
        free.set(99);
        assertTrue(space.isLow());
    }

    @Test
    void whatIsStillComingEndsWhenTheDiskFillsUp() throws IOException {
        var in = space.watching(new ByteArrayInputStream(new byte[9 << 20]));
        assertEquals(4 << 20, in.readNBytes(4 << 20).length);
        free.set(0);
        var ended = assertThrows(FreeSpace.TooLow.class, in::readAllBytes);
        assertEquals("error: low on disk space", ended.getMessage());
    }

    @Test
    void whatIsSmallIsTakenWhole() throws IOException {
        var in = space.watching(new ByteArrayInputStream(new byte[1000]));
        free.set(0);
        assertEquals(1000, in.readAllBytes().length);
    }

    @Test
    void directoryKnowsItsDisk(@TempDir Path directory) {
        assertFalse(FreeSpace.of(directory, 1).isLow());
        assertTrue(FreeSpace.of(directory, Long.MAX_VALUE).isLow());
    }
}
