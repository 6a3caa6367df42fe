package dev.grapnel.store.tool;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDefect;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.rule.EventRules;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.tool.CheckedLine.Candidate;
import dev.grapnel.store.tool.CheckedLine.Proof;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Looks at lines: form, id, signature, and what no relay keeps. Any number of threads.
final class LineCheck {
    /// Longest line that is looked at: an event may be written with six bytes for each of its own.
    static final int LINE_BYTES_MAX = 6 * EventLimits.DEFAULTS.eventBytesMax();

    private static final EventReader READER = new EventReader(EventLimits.DEFAULTS);

    private final EventStore store;
    private final EventRules rules;
    private final InstantSource clock;

    LineCheck(EventStore store, EventRules rules, InstantSource clock) {
        this.store = store;
        this.rules = rules;
        this.clock = clock;
    }

    CheckedChunk check(Chunk chunk) {
        return switch (chunk) {
            case Chunk.Lines lines -> new CheckedChunk(lines.source(), lines.bytes(), lines.end(), prove(read(lines)));
            case Chunk.TooLong(var source, var line, var bytes, var end) -> {
                var reason = "line too long: " + bytes + " bytes, at most " + LINE_BYTES_MAX;
                yield new CheckedChunk(
                        source,
                        bytes,
                        end,
                        List.of(new CheckedLine.Refused(
                                new RefusedLine(source, line, Optional.empty(), reason, "line too long", true))));
            }
        };
    }

    private List<CheckedLine> read(Chunk.Lines chunk) {
        var read = new ArrayList<CheckedLine>();
        chunk.forEach((line, text, from, to) -> read.add(read(chunk.source(), line, text, from, to)));
        return read;
    }

    private CheckedLine read(String source, long line, byte[] text, int from, int to) {
        return switch (READER.read(text, from, to)) {
            case ParsedEvent.Valid(var event) -> judge(source, line, event);
            case ParsedEvent.Defective(var id, var defect) -> defective(source, line, Optional.of(id), defect);
            case ParsedEvent.Nameless(var defect) -> defective(source, line, Optional.empty(), defect);
            case ParsedEvent.Unreadable _ -> unreadable(source, line, Arrays.copyOfRange(text, from, to));
        };
    }

    private CheckedLine judge(String source, long line, Event event) {
        return rules.judge(event, clock.instant())
                .<CheckedLine>map(refusal -> new CheckedLine.Refused(refusal(source, line, event, refusal)))
                .orElseGet(() -> new Candidate(line, event, Proof.NOT_NEEDED));
    }

    private static CheckedLine defective(String source, long line, Optional<String> id, EventDefect defect) {
        return new CheckedLine.Refused(
                new RefusedLine(source, line, id, defect.refusal().toString(), group(defect), true));
    }

    /// Reads it once more, alone, because the reason says at which byte.
    private static CheckedLine unreadable(String source, long line, byte[] text) {
        var reason = READER.read(text) instanceof ParsedEvent.Unreadable(var found) ? found : "changed meanwhile";
        var group = "invalid: not an event, " + reason.replaceFirst(" \\(byte \\d+\\)$", "");
        return new CheckedLine.Refused(
                new RefusedLine(source, line, Optional.empty(), "invalid: not an event, " + reason, group, true));
    }

    /// A refusal of an event that is one.
    static RefusedLine refusal(String source, long line, Event event, Refusal refusal) {
        boolean isFault = refusal.equals(EventDefect.WRONG_SIGNATURE.refusal());
        return new RefusedLine(
                source, line, Optional.of(event.id().toHex()), refusal.toString(), refusal.toString(), isFault);
    }

    /// Signatures cost most, so what is here already is not looked at.
    private List<CheckedLine> prove(List<CheckedLine> lines) {
        var known = findKnown(lines);
        return lines.stream()
                .map(line -> line instanceof Candidate(var number, var event, var _) && !known.contains(event.id())
                        ? new Candidate(number, event, event.isSigned() ? Proof.SIGNED : Proof.FORGED)
                        : line)
                .toList();
    }

    private Set<EventId> findKnown(List<CheckedLine> lines) {
        return store.read(view -> {
            var known = new HashSet<EventId>();
            for (var line : lines) {
                if (line instanceof Candidate(var _, var event, var _)
                        && view.find(event.id()).isPresent()) {
                    known.add(event.id());
                }
            }
            return known;
        });
    }

    private static String group(EventDefect defect) {
        return Refusal.invalid(
                        switch (defect.kind()) {
                            case FIELD_MISSING -> "a field is missing";
                            case FIELD_TWICE -> "a field is given twice";
                            case WRONG_TYPE -> "a field has the wrong type";
                            case OUT_OF_RANGE -> "a number is out of range";
                            case NOT_HEX -> "a field is not lower-case hex digits";
                            case LONE_SURROGATE -> "half of a surrogate pair";
                            case EMPTY_TAG -> "an empty tag";
                            case TAGS_EXCEEDED -> "more tags than are taken";
                            case TAG_VALUE_TOO_LONG -> "a tag value is too long";
                            case CONTENT_TOO_LONG -> "the content is too long";
                            case EVENT_TOO_LARGE -> "the event is too large";
                            case WRONG_ID -> "the id is not the hash of the event";
                            case WRONG_SIGNATURE -> EventDefect.WRONG_SIGNATURE.text();
                        })
                .toString();
    }
}
