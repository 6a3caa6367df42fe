package dev.grapnel.store.lmdb;

import static dev.grapnel.store.lmdb.DamagedStore.Outcome;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Nothing in a damaged file ends the process or passes for something it is not.
final class LmdbDamageTest {
    @TempDir
    Path directory;

    @Test
    void everyDamageIsEitherFoundOrWithinContent() throws IOException {
        var store = new DamagedStore(directory, 1);
        store.requireSound();
        assertTrue(store.bytes() > 150_000 && store.bytes() < 1_000_000, "it has " + store.bytes() + " bytes");
        var outcomes = new EnumMap<Outcome, Integer>(Outcome.class);
        for (long seed = 1; seed <= 400; seed++) {
            outcomes.merge(store.damage(seed), 1, Integer::sum);
        }
        for (var outcome : List.of(Outcome.DAMAGE_FOUND, Outcome.CONTENT_CHANGED, Outcome.NOTHING_FOUND)) {
            assertTrue(outcomes.containsKey(outcome), "nothing came to " + outcome + ": " + outcomes);
        }
    }

    /// LMDB takes the distance of a list's bounds for the room it has left, and wrote behind the end of its
    /// memory.
    @Test
    void aListThatClaimsMoreRoomThanItHasIsNotWrittenTo() throws IOException {
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS);
                var tables = engine.begin()) {
            for (int i = 0; i < 5; i++) {
                tables.add(Table.TAGS, new byte[] {1}, i, i);
            }
            tables.commit();
        }
        var file = directory.resolve(StoreFiles.DATA);
        var bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int lists = 0;
        for (int at = 0; at + Long.BYTES <= bytes.capacity(); at += 2) {
            // A list within a page: values of 16 bytes, leaf, packed, five of them.
            if (bytes.getShort(at) == 16 && bytes.getShort(at + 2) == 0x62 && bytes.getShort(at + 4) == 10) {
                bytes.putShort(at + 6, (short) (bytes.getShort(at + 6) + 16));
                lists++;
            }
        }
        assertTrue(lists > 0);
        Files.write(file, bytes.array());
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS)) {
            assertEquals(1, engine.checkPages().size(), engine.checkPages().toString());
            assertThrows(StoreFailure.class, engine::begin);
        }
    }
}
