package dev.grapnel.store.tool;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.store.SaveOutcome;
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
    private long faults;
    private Position position = new Position("", 0);

    ImportTally(OptionalLong bytesTotal, Consumer<RefusedLine> refusedLines) {
        this.bytesTotal = bytesTotal;
        this.refusedLines = refusedLines;
    }

    /// The input up to here was done earlier.
    void pass(Position to, long bytesBefore) {
        position = to;
        bytes = bytesBefore;
        bytesPassed = bytesBefore;
    }

    /// The last line that is done.
    Position position() {
        return position;
    }

    /// @param outcomes of the chunk's candidates, in order
    void add(CheckedChunk chunk, List<SaveOutcome> outcomes) {
        var next = outcomes.iterator();
        for (var line : chunk.lines()) {
            read++;
            switch (line) {
                case CheckedLine.Refused(var why) -> refuse(why);
                case CheckedLine.Candidate candidate -> add(chunk.source(), candidate, next.next());
            }
        }
        bytes += chunk.bytes();
    }

    private void add(String source, CheckedLine.Candidate candidate, SaveOutcome outcome) {
        position = new Position(source, candidate.line());
        switch (outcome) {
            case SaveOutcome.Served served -> {
                stored++;
                removed += served.removed();
            }
            case SaveOutcome.Known _ -> known++;
            case SaveOutcome.Refused(var refusal) when refusal.prefix() == Refusal.Prefix.DUPLICATE -> older++;
            case SaveOutcome.Refused(var refusal) ->
                refuse(LineCheck.refusal(source, candidate.line(), candidate.event(), refusal));
            case SaveOutcome.Waiting _, SaveOutcome.Gated _ ->
                throw new IllegalStateException("what is restored is served or refused");
        }
    }

    private void refuse(RefusedLine line) {
        position = new Position(line.source(), line.line());
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
        return new ImportReport(read, stored, known, older, removed, sorted, faults, ending);
    }
}
