package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.note;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.store.StoreRefusal;
import dev.grapnel.store.memory.KeptMemory;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The contract, kept in memory.
final class MemoryStoreTest
        implements SaveContract,
                DeletionContract,
                VanishContract,
                RetentionContract,
                QueryContract,
                HeldContract,
                TailContract,
                WriterContract {
    private final StoreFixture fixture = new StoreFixture(new KeptMemory(10_000));

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
        var small = new StoreFixture(new KeptMemory(2));
        small.serve(note(0, NOW, "1"), note(0, NOW, "2"));
        var problem = assertThrows(CompletionException.class, () -> small.save(note(0, NOW, "3")));
        var refusal = assertInstanceOf(StoreRefusal.class, problem.getCause());
        assertEquals(Prefix.ERROR, refusal.refusal().prefix());
        assertEquals(2, small.all().size());
        small.close();
    }
}
