package dev.grapnel.sync.received;

/// Counts what happens to received events (sync 9.1). Called on the loop; each method is quick.
public interface IntakeCounts {
    /// Counts nothing.
    IntakeCounts NONE = new IntakeCounts() {};

    /// An event is newly stored.
    default void stored(Arrivals.Path path) {}

    /// A refused event was still here when what it waited for came.
    default void hotHit(EventType type) {}

    /// A refused event must be fetched again, because it was here no more.
    default void hotMiss(EventType type) {}

    /// A whole event was let go because its time was over.
    default void hotExpired(EventType type) {}

    /// A refusal was forgotten because its time was over.
    default void coldExpired(EventType type) {}

    /// A refusal was forgotten because what the event waited for came.
    default void invalidated(EventType type) {}
}
