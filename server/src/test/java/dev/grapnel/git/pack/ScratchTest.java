package dev.grapnel.git.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Memory beside the heap is not filled with zeros again for each large object.
final class ScratchTest {
    @TempDir
    private Path directory;

    @Test
    void largestMemoryThatWasGivenBackIsUsedAgain() throws IOException {
        try (var scratch = new Scratch(directory)) {
            var small = scratch.used(10);
            var large = scratch.used(20);
            var smallest = scratch.used(5);
            assertNotSame(small, large);
            small.giveBack();
            large.giveBack();
            smallest.giveBack();
            var again = scratch.used(10);
            assertSame(large, again);
            assertEquals(20, again.memory().byteSize());
            assertNotSame(large, scratch.used(10));
        }
    }

    @Test
    void contentThatIsClosedTwiceGivesItsMemoryBackOnce() throws IOException {
        try (var scratch = new Scratch(directory)) {
            int size = Content.HEAP_MAX + 1;
            var content = Content.room(size, scratch);
            content.close();
            content.close();
            var bytes = new byte[] {1};
            var one = Content.room(size, scratch);
            var other = Content.room(size, scratch);
            one.write(0, bytes, 0, 1);
            other.write(0, new byte[] {2}, 0, 1);
            one.read(0, bytes, 0, 1);
            assertEquals(1, bytes[0]);
        }
    }

    @Test
    void newMemoryIsAllZeros() throws IOException {
        try (var scratch = new Scratch(directory)) {
            var used = scratch.used(8);
            used.memory().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
            used.giveBack();
            assertEquals(0, scratch.region(8).memory().get(ValueLayout.JAVA_BYTE, 0));
        }
    }
}
