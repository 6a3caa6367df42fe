package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.note;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.memory.MemoryEngine;
import dev.grapnel.store.table.TableEngine;
import dev.grapnel.store.table.TableSnapshot;
import dev.grapnel.store.table.WriteTables;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The contract, kept in memory.
final class MemoryStoreTest
        implements SaveContract,
                DeletionContract,
                VanishContract,
                QueryContract,
                HeldContract,
                TailContract,
                WriterContract {
    private final MemoryEngine engine = new MemoryEngine(new Random(1), 10_000);
    private final StoreFixture fixture = new StoreFixture(() -> new Kept(engine));

    @Override
    public StoreFixture fixture() {
        return fixture;
    }

    @AfterEach
    void close() {
        fixture.assertSound();
        fixture.close();
        assertEquals(
                List.of(),
                fixture.problems.stream()
                        .filter(problem -> !problem.startsWith("refusing"))
                        .toList());
    }

    @Test
    void aFullStoreRefusesAndKeepsWhatItHas() {
        var small = new StoreFixture(() -> new Kept(new MemoryEngine(new Random(1), 2)));
        small.serve(note(0, NOW, "1"), note(0, NOW, "2"));
        var problem = assertThrows(CompletionException.class, () -> small.save(note(0, NOW, "3")));
        var refusal = assertInstanceOf(StoreRefusal.class, problem.getCause());
        assertEquals(Prefix.ERROR, refusal.refusal().prefix());
        assertEquals(2, small.all().size());
        small.close();
    }

    /// Stays when a store is closed, so that another can be opened on it.
    record Kept(MemoryEngine engine) implements TableEngine {
        @Override
        public TableSnapshot pin() {
            return engine.pin();
        }

        @Override
        public WriteTables begin() {
            return engine.begin();
        }

        @Override
        public void flush() {
            engine.flush();
        }

        @Override
        public void close() {
            // what it holds is read again
        }
    }
}
