package dev.grapnel.store.engine;

import dev.grapnel.store.memory.KeptMemory;
import org.junit.jupiter.api.AfterEach;

/// The contract on a store that has forgotten a rule. Run by [ContractCompletenessTest] alone, which wants it
/// to fail; so it is not named as a test.
final class ForgetfulStore implements SaveContract, DeletionContract, VanishContract, RetentionContract, HeldContract {
    /// What is forgotten.
    static final ScopedValue<ForgottenRule> FORGOTTEN = ScopedValue.newInstance();

    private final StoreFixture fixture = new StoreFixture(new KeptMemory(10_000), FORGOTTEN.get()::decision);

    @Override
    public StoreFixture fixture() {
        return fixture;
    }

    @AfterEach
    void close() {
        fixture.close();
    }
}
