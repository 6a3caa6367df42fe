package dev.grapnel.store.tool;

import dev.grapnel.store.row.InputPlace;
import java.util.List;

/// A chunk whose lines have been looked at.
///
/// @param bytes how many bytes of the input it was
/// @param end the place behind it
record CheckedChunk(String source, long bytes, InputPlace end, List<CheckedLine> lines) {
    CheckedChunk {
        lines = List.copyOf(lines);
    }

    /// The events in it, in order.
    List<CheckedLine.Candidate> candidates() {
        return lines.stream()
                .filter(CheckedLine.Candidate.class::isInstance)
                .map(CheckedLine.Candidate.class::cast)
                .toList();
    }
}
