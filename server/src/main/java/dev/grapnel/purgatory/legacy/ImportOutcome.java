package dev.grapnel.purgatory.legacy;

import java.time.Duration;

/// How an import ended.
public sealed interface ImportOutcome {
    /// There was nothing to import.
    record NoFile() implements ImportOutcome {}

    /// What could be used is durable.
    ///
    /// @param downtime between the saving of the file and now
    /// @param renamed whether the file has its new name; if not, the next start imports it again, which changes
    ///     nothing
    record Imported(ImportCounts counts, Duration downtime, boolean renamed) implements ImportOutcome {}

    /// Nothing was imported and the file is where it was.
    ///
    /// @param reason a sentence for the operator
    record Refused(String reason) implements ImportOutcome {}
}
