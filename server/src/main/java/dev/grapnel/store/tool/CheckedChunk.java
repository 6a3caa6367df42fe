package dev.grapnel.store.tool;

import dev.grapnel.store.row.InputPlace;
import java.util.List;

/// A chunk whose lines have been looked at.
///
/// @param bytes how many bytes of the input it was
/// @param end the place behind it
record CheckedChunk(String source, long bytes, InputPlace end, List<CheckedLine> lines) {
    private static final int LINE_BYTES = 256;

    CheckedChunk {
        lines = List.copyOf(lines);
    }

    /// About how much memory it takes until it is stored.
    int weight() {
        int bytes = LINE_BYTES * lines.size();
        for (var line : lines) {
            bytes += line instanceof CheckedLine.Candidate candidate
                    ? candidate.event().json().length()
                    : 0;
        }
        return bytes;
    }
}
