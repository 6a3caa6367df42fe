package dev.grapnel.purgatory;

/// Told what each pass over the trash has deleted (service 11).
@FunctionalInterface
public interface RetentionCounts {
    /// A pass is over.
    ///
    /// @param repositories deleted for good
    /// @param events that will not come back
    void pass(int repositories, int events);
}
