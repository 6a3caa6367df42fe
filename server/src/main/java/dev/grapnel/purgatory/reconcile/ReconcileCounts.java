package dev.grapnel.purgatory.reconcile;

import dev.grapnel.purgatory.ReleasePath;
import java.time.Duration;
import java.util.Locale;

/// Counts what runs do, for those who watch (purgatory 10.1).
public interface ReconcileCounts {
    /// What a run was doing when something failed.
    enum Step {
        /// Objects came from another repository.
        COPY,
        /// A proposal got its commit and its ref.
        PROMOTE,
        /// What an empty state takes away was written down.
        TRASH,
        /// Refs moved.
        ALIGN,
        /// All of it was stored.
        COMMIT;

        /// As it is written in logs and metrics.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// A run has ended, well or not.
    void ran(ReleasePath trigger, Duration time);

    /// Something of a run has failed.
    void failed(Step step);

    /// Refs have moved.
    void moved(RefCounts refs);
}
