package dev.grapnel.store.tool;

import java.util.List;

/// What became of the lines of an import.
///
/// @param read lines that were not blank; all others below, but `removed`, are parts of it
/// @param stored events that are served now
/// @param known events that were here already
/// @param older events that were not taken because a newer version is here
/// @param removed events that left service: replaced by newer versions, or deleted by a request
/// @param reasons why the rest was refused, the most frequent reason first
/// @param refusedBefore how many lines were refused by the earlier import that this one went on with
/// @param faults how many of the refused were no signed events at all, those refused before included
/// @param ending whether that was all
public record ImportReport(
        long read,
        long stored,
        long known,
        long older,
        long removed,
        List<Reason> reasons,
        long refusedBefore,
        long faults,
        Ending ending) {
    public ImportReport {
        reasons = List.copyOf(reasons);
    }

    /// Why lines were refused.
    ///
    /// @param first the first of them
    public record Reason(String text, long count, RefusedLine first) {}

    /// The last line that is done, 0 for none.
    public record Position(String source, long line) {}

    /// How it came to its end.
    public sealed interface Ending {
        /// Everything was read.
        record Complete() implements Ending {}

        /// It was told to.
        record Stopped(Position position) implements Ending {}

        /// Something kept it from going on.
        ///
        /// @param reason a phrase for the operator
        record Failed(Position position, String reason) implements Ending {}
    }

    /// How many lines were refused.
    public long refused() {
        return reasons.stream().mapToLong(Reason::count).sum();
    }
}
