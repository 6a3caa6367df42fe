package dev.grapnel.store.engine;

import dev.grapnel.store.memory.MemoryEngine;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/// The contract on a store that has forgotten a rule. Run by [ContractCompletenessTest] alone, which wants it
/// to fail; so it is not named as a test.
final class ForgetfulStore implements SaveContract, DeletionContract, VanishContract, HeldContract {
    /// What is forgotten.
    static final ScopedValue<ForgottenRule> FORGOTTEN = ScopedValue.newInstance();

    private final MemoryEngine engine = new MemoryEngine(new Random(1), 10_000);
    private final StoreFixture fixture =
            new StoreFixture(() -> new MemoryStoreTest.Kept(engine), FORGOTTEN.get()::decision);

    @Override
    public StoreFixture fixture() {
        return fixture;
    }

    @AfterEach
    void close() {
        fixture.close();
    }
}
