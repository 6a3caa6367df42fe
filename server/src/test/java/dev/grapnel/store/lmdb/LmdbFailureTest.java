package dev.grapnel.store.lmdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.store.table.Table;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What happens when the system does not write.
final class LmdbFailureTest {
    @TempDir
    Path directory;

    /// Whether anything goes on is not for the engine to say: a command has failed by then.
    @Test
    void fullDiskIsToldWithWhatToDo() {
        assertEquals(
                "could not copy the store: no space left on the device; free some",
                LmdbError.failure("copy the store", 28).getMessage());
    }

    @Test
    void failedCommitChangesNothingAndStoreGoesOn() throws Exception {
        var output = StoreProcess.run(StoreProcess.Task.FILL, directory, "ulimit -f 8000;");
        var lines = output.lines().toList();
        assertTrue(lines.getFirst().matches("failed: could not write the changes: .*\\(ulimit -f\\)"), output);
        assertEquals("kept true", lines.get(1), output);
        assertTrue(lines.get(2).matches("again: could not write the changes: .*\\(ulimit -f\\)"), output);
        assertEquals(
                List.of("problems []", "recovered true", "done", "exit 0"), lines.subList(3, lines.size()), output);
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS)) {
            assertEquals(List.of(), engine.checkPages());
            try (var tables = engine.begin()) {
                tables.put(Table.EVENTS, 1, new byte[10_000_000]);
                tables.commit();
            }
        }
    }
}
