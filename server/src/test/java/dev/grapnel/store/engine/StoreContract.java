package dev.grapnel.store.engine;

/// What the tests of a contract stand on.
public interface StoreContract {
    /// The store under test, new for every test.
    StoreFixture fixture();
}
