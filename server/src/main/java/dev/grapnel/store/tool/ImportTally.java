package dev.grapnel.store.tool;

import dev.grapnel.store.row.ImportPosition;
import dev.grapnel.store.tool.ImportReport.Ending;
import dev.grapnel.store.tool.ImportReport.Position;
import dev.grapnel.store.tool.ImportReport.Reason;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// Counts what became of lines, in their order.
final class ImportTally {
    /// Most reasons that are told apart: their texts come from the input in part.
    private static final int REASONS_MAX = 100;

    private final Map<String, Reason> reasons = new LinkedHashMap<>();
    private final Consumer<RefusedLine> refusedLines;
    private final OptionalLong bytesTotal;
    private long bytesPassed;
    private long bytes;
    private long read;
    private long stored;
    private long known;
    private long older;
    private long removed;
    private long refused;
    private long earlier;
    private long faults;
    private Position position = new Position("", 0);

    ImportTally(OptionalLong bytesTotal, Consumer<RefusedLine> refusedLines) {
        this.bytesTotal = bytesTotal;
        this.refusedLines = refusedLines;
    }

    /// The input up to here was done earlier.
    void pass(Position to, ImportPosition before) {
        position = to;
        earlier = before.refused();
        faults = before.faults();
        bytes = before.place().bytes();
        bytesPassed = bytes;
    }

    /// The last line that is done.
    Position position() {
        return position;
    }

    /// @param lines what became of the chunk's
    void add(CheckedChunk chunk, List<SettledLine> lines) {
        for (var line : lines) {
            read++;
            position = new Position(chunk.source(), line.line());
            switch (line) {
                case SettledLine.Stored(var _, var count) -> {
                    stored++;
                    removed += count;
                }
                case SettledLine.Known _ -> known++;
                case SettledLine.Older _ -> older++;
                case SettledLine.Refused(var why) -> refuse(why);
            }
        }
        bytes += chunk.bytes();
    }

    private void refuse(RefusedLine line) {
        refused++;
        if (line.isFault()) {
            faults++;
        }
        var group = reasons.containsKey(line.group()) || reasons.size() < REASONS_MAX ? line.group() : "other reasons";
        reasons.merge(group, new Reason(group, 1, line), (all, _) -> new Reason(group, all.count() + 1, all.first()));
        refusedLines.accept(line);
    }

    ImportProgress progress() {
        return new ImportProgress(bytes, bytesPassed, bytesTotal, read, refused);
    }

    ImportReport report(Ending ending) {
        var sorted = reasons.values().stream()
                .sorted(Comparator.comparingLong(Reason::count).reversed())
                .toList();
        return new ImportReport(read, stored, known, older, removed, sorted, earlier, faults, ending);
    }
}
