package dev.grapnel.git.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ids are sorted, also when somebody took pains to make them alike.
final class IdOrderTest {
    @TempDir
    private Path root;

    @Test
    void manyIdsAreSorted() throws IOException {
        assertSorted(100_000, -1, -1);
    }

    @Test
    void idsThatBeginAlikeAreSorted() throws IOException {
        assertSorted(100_000, 0xff, -1);
        assertSorted(70_000, 0, 0xffffffL);
        assertSorted(3000, 0, 0);
    }

    private void assertSorted(int count, long maskOfA, long maskOfB) throws IOException {
        var random = new Random(count);
        try (var scratch = new Scratch(root)) {
            var table = new ObjectTable(scratch);
            for (int i = 0; i < count; i++) {
                int object = table.add(i, 0, ObjectTable.WHOLE, ObjectTable.NONE);
                table.setId(object, random.nextLong() & maskOfA, random.nextLong() & maskOfB, random.nextInt());
            }
            var order = new IdOrder(table, scratch);
            assertEquals(count, order.size());
            for (int i = 1; i < count; i++) {
                assertTrue(table.id(order.at(i - 1)).compareTo(table.id(order.at(i))) <= 0, "at " + i);
            }
        }
        assertTrue(Site.filesIn(root).isEmpty());
    }
}
