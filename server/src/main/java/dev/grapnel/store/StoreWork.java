package dev.grapnel.store;

/// What one transaction does. Runs on the writer: it waits for nothing and may be run again if the batch it was
/// part of failed because of another one.
@FunctionalInterface
public interface StoreWork<T> {
    /// Does it, and returns the outcome that [EventStore#write] hands on once it is durable.
    T run(StoreTransaction transaction);
}
