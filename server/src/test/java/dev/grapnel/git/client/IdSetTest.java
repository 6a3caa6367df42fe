package dev.grapnel.git.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.grapnel.nostr.repository.Oid;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class IdSetTest {
    @Test
    void setHasWhatWasAddedAndNothingElse() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var plain = new TreeSet<Oid>();
            var set = new IdSet();
            int size = random.nextInt(300);
            for (int i = 0; i < size; i++) {
                var id = any(random);
                plain.add(id);
                set.add(id);
            }
            set.finish();
            assertEquals(size, set.size());
            for (int i = 0; i < 300; i++) {
                var id = any(random);
                assertEquals(plain.contains(id), set.contains(id), "seed " + seed + ", " + id);
            }
            plain.forEach(id -> assertEquals(true, set.contains(id)));
        }
    }

    /// Few of each, so that some meet, and of both signs.
    private static Oid any(Random random) {
        return new Oid(random.nextInt(4) - 2, random.nextInt(8) - 4, random.nextInt(8) - 4);
    }

    @Test
    void setIsNotAskedBeforeItIsFinished() {
        var set = new IdSet();
        set.add(Oid.ZERO);
        assertThrows(IllegalStateException.class, () -> set.contains(Oid.ZERO));
    }
}
