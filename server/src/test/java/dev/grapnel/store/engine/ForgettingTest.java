package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.note;
import static dev.grapnel.store.engine.StoreFixture.vanish;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import dev.grapnel.store.tool.Compaction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What somebody asked to be forgotten leaves the file itself within a day (relay 4.7).
final class ForgettingTest {
    private static boolean isWritten(Path directory, String text) throws IOException {
        return new String(Files.readAllBytes(directory.resolve("data.mdb")), StandardCharsets.ISO_8859_1)
                .contains(text);
    }

    @Test
    void bytesOfTheVanishedAreGoneWithinADay(@TempDir Path directory) throws IOException {
        var secret = "what I never said";
        try (var fixture = new StoreFixture(() -> LmdbEngine.open(directory, LmdbConfig.DEFAULTS))) {
            var other = note(1, NOW, "stays");
            var request = vanish(0, NOW + 1, "ALL_RELAYS");
            fixture.serve(note(0, NOW, secret), other, request);
            assertTrue(isWritten(directory, secret));
            fixture.store().sweep().join();
            fixture.reopen();
            fixture.time.advance(Duration.ofHours(23));
            fixture.store().sweep().join();
            fixture.write(_ -> true); // behind the compaction
            assertFalse(isWritten(directory, secret));
            fixture.assertServes(other, request);
            fixture.assertSound();
            assertEquals(List.of(), fixture.problems);
            fixture.serve(note(1, NOW + 5, "later"));
        }
    }

    @Test
    void whoCompactsAStoreByHandHasDoneWhatWasDue(@TempDir Path directory) throws IOException {
        var secret = "what I never said";
        try (var fixture = new StoreFixture(() -> LmdbEngine.open(directory, LmdbConfig.DEFAULTS))) {
            fixture.serve(note(0, NOW, secret), vanish(0, NOW + 1, "ALL_RELAYS"));
        }
        assertNotEquals(0, due(directory));
        Compaction.run(directory);
        assertEquals(0, due(directory));
        assertFalse(isWritten(directory, secret));
    }

    private static long due(Path directory) {
        try (var engine = LmdbEngine.openToRead(directory);
                var snapshot = engine.pin()) {
            return Meta.COMPACTION_DUE.read(snapshot);
        }
    }
}
