package dev.grapnel.purgatory.legacy;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.json.JsonScanner;
import dev.grapnel.nostr.json.JsonToken;
import dev.grapnel.purgatory.legacy.EntryReader.OldRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// One pass over the bytes of an entry. Unknown fields are passed over; a known one that is given twice spoils the
/// entry, because nobody can say which was meant.
final class EntryScan {
    /// More pushes of one ref than anybody makes.
    private static final int REFS_MAX = 100;

    private static final int DEPTH_MAX = 32;
    private static final long NANOS_MAX = 999_999_999;

    private final byte[] json;
    private final EventReader events;
    private final JsonScanner scanner;
    private final Set<String> seen = new HashSet<>();
    private final Map<String, String> texts = new HashMap<>();
    private final Map<String, Long> numbers = new HashMap<>();
    private Optional<Event> event = Optional.empty();
    private Optional<OldRef> prsScope = Optional.empty();
    private final List<OldRef> standardRefs = new ArrayList<>();
    private int standardRefCount;

    EntryScan(byte[] json, EventReader events) {
        this.json = json;
        this.events = events;
        this.scanner = new JsonScanner(json, 0, json.length, DEPTH_MAX);
    }

    EntryFields fields() throws UnfitEntry {
        if (scanner.next() != JsonToken.BEGIN_OBJECT) {
            throw new UnfitEntry("it is not a JSON object");
        }
        while (scanner.next() == JsonToken.NAME) {
            field(nameOnce(scanner, seen));
        }
        return new EntryFields(
                event,
                Optional.ofNullable(texts.get("identifier")),
                Optional.ofNullable(texts.get("author")),
                Optional.ofNullable(texts.get("owner")),
                Optional.ofNullable(texts.get("commit")),
                requireNumber("created_at_offset_secs"),
                requireNumber("expires_at_offset_secs"),
                Optional.ofNullable(texts.get("source")),
                prsScope,
                standardRefs,
                standardRefCount);
    }

    /// A wall time that is the whole entry.
    static OldTime time(byte[] json) throws UnfitEntry {
        var scanner = new JsonScanner(json, 0, json.length, DEPTH_MAX);
        if (scanner.next() != JsonToken.BEGIN_OBJECT) {
            throw new UnfitEntry("it is not a time");
        }
        var numbers = new HashMap<String, Long>();
        var seen = new HashSet<String>();
        while (scanner.next() == JsonToken.NAME) {
            var name = nameOnce(scanner, seen);
            var token = scanner.next();
            if (token == JsonToken.NUMBER) {
                numbers.put(name, scanner.plainInteger());
            } else {
                skip(scanner, token);
            }
        }
        long seconds = numbers.getOrDefault("secs_since_epoch", -1L);
        long nanos = numbers.getOrDefault("nanos_since_epoch", -1L);
        if (seconds < 0 || nanos < 0) {
            throw new UnfitEntry("it is not a time");
        }
        return new OldTime(seconds, (int) Math.min(nanos, NANOS_MAX));
    }

    private void field(String name) throws UnfitEntry {
        switch (name) {
            case "event" -> event = event();
            case "prs_scope" -> prsScope = ref(scanner.next(), "submitter");
            case "standard_refs" -> standardRefs();
            case "identifier", "author", "owner", "commit", "source" -> texts.put(name, text(name, scanner.next()));
            case "created_at_offset_secs", "expires_at_offset_secs" -> numbers.put(name, number(name));
            default -> skip(scanner, scanner.next());
        }
    }

    private Optional<Event> event() throws UnfitEntry {
        return switch (scanner.next()) {
            case NULL -> Optional.empty();
            case BEGIN_OBJECT ->
                switch (events.read(scanner, json)) {
                    case ParsedEvent.Valid(var read) -> Optional.of(read);
                    case ParsedEvent.Defective(var _, var defect) -> throw new UnfitEntry(badEvent(defect.text()));
                    case ParsedEvent.Nameless(var defect) -> throw new UnfitEntry(badEvent(defect.text()));
                    case ParsedEvent.Unreadable(var reason) -> throw new UnfitEntry(badEvent(reason));
                };
            default -> throw new UnfitEntry("its event is not a JSON object");
        };
    }

    private static String badEvent(String reason) {
        return "its event is not valid: " + reason;
    }

    private void standardRefs() throws UnfitEntry {
        if (scanner.next() != JsonToken.BEGIN_ARRAY) {
            throw new UnfitEntry("its standard_refs are not a list");
        }
        for (var token = scanner.next(); token != JsonToken.END_ARRAY; token = scanner.next()) {
            var ref = ref(token, "owner");
            standardRefCount++;
            if (standardRefs.size() < REFS_MAX) {
                ref.ifPresent(standardRefs::add);
            }
        }
    }

    /// A repository: an object, or nothing.
    ///
    /// @param ownerField what its owner is called
    private Optional<OldRef> ref(JsonToken first, String ownerField) throws UnfitEntry {
        if (first == JsonToken.NULL) {
            return Optional.empty();
        }
        if (first != JsonToken.BEGIN_OBJECT) {
            throw new UnfitEntry("a repository in it is not a JSON object");
        }
        var fields = new HashMap<String, String>();
        var names = new HashSet<String>();
        while (scanner.next() == JsonToken.NAME) {
            var name = nameOnce(scanner, names);
            var token = scanner.next();
            if (name.equals(ownerField) || name.equals("identifier") || name.equals("commit")) {
                fields.put(name, text(name, token));
            } else {
                skip(scanner, token);
            }
        }
        return Optional.of(new OldRef(
                fields.getOrDefault(ownerField, ""),
                fields.getOrDefault("identifier", ""),
                fields.getOrDefault("commit", "")));
    }

    private String text(String name, JsonToken token) throws UnfitEntry {
        if (token != JsonToken.STRING || scanner.hasLoneSurrogate()) {
            throw new UnfitEntry("its " + name + " is no text");
        }
        return scanner.text();
    }

    private long number(String name) throws UnfitEntry {
        long number = scanner.next() == JsonToken.NUMBER ? scanner.plainInteger() : -1;
        if (number < 0) {
            throw new UnfitEntry("its " + name + " is not a whole number from 0 on");
        }
        return number;
    }

    private long requireNumber(String name) throws UnfitEntry {
        var number = numbers.get(name);
        if (number == null) {
            throw new UnfitEntry("it has no " + name);
        }
        return number;
    }

    private static String nameOnce(JsonScanner scanner, Set<String> names) throws UnfitEntry {
        if (scanner.hasLoneSurrogate()) {
            throw new UnfitEntry("a name in it is no text");
        }
        var name = scanner.text();
        if (!names.add(name)) {
            throw new UnfitEntry("a field is given twice");
        }
        return name;
    }

    private static void skip(JsonScanner scanner, JsonToken first) {
        if (!scanner.skip(first)) {
            throw new IllegalStateException("an entry was checked before and is no JSON: " + scanner.failure());
        }
    }
}
