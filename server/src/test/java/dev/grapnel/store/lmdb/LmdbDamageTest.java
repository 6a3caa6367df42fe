package dev.grapnel.store.lmdb;

import static dev.grapnel.store.lmdb.DamagedStore.Outcome;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
}
