package dev.grapnel.store.tool;

import java.util.List;

/// A chunk whose lines have been looked at.
///
/// @param bytes how many bytes of the input it was
record CheckedChunk(String source, long bytes, List<CheckedLine> lines) {
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
