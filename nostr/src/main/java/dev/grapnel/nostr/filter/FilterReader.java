package dev.grapnel.nostr.filter;

import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.TagValues;
import dev.grapnel.nostr.json.JsonScanner;
import dev.grapnel.nostr.json.JsonToken;
import dev.grapnel.nostr.key.PublicKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Reads the filters of one message (relay 3.2). Values are counted over all of them, so each message needs a
/// reader of its own.
///
/// Like an event, a filter is read to its end after the first defect: whether the rest is JSON decides how
/// the message is answered. What is over a limit is counted but not kept.
public final class FilterReader {
    private final FilterLimits limits;
    private int filters;
    private int values;

    private final JsonScanner scanner;
    private final byte[] in;
    private @Nullable Refusal refusal;
    private Filter.Builder builder = Filter.builder();
    private int tagConditions;

    /// A reader for filters in `in`, which the scanner runs over.
    public FilterReader(FilterLimits limits, JsonScanner scanner, byte[] in) {
        this.limits = limits;
        this.scanner = scanner;
        this.in = in;
    }

    /// Reads a text that is one filter and nothing else.
    public static ParsedFilter read(byte[] json, FilterLimits limits, int depthMax) {
        var scanner = new JsonScanner(json, 0, json.length, depthMax);
        var filter = new FilterReader(limits, scanner, json).read(scanner.next());
        if (filter instanceof ParsedFilter.Unreadable || scanner.next() != JsonToken.END) {
            return new ParsedFilter.Unreadable(scanner.failure());
        }
        return scanner.takeLoneSurrogate() ? new ParsedFilter.Unreadable("half of a surrogate pair") : filter;
    }

    /// Reads the next filter of the message, whose first token was this. Afterwards the scanner stands behind
    /// it.
    public ParsedFilter read(JsonToken first) {
        refusal = null;
        builder = Filter.builder();
        tagConditions = 0;
        if (++filters > limits.filtersMax()) {
            refuse(Refusal.invalid("more than the max filter count " + limits.filtersMax()));
        }
        if (first != JsonToken.BEGIN_OBJECT) {
            refuse(Refusal.invalid("a filter is not an object"));
        }
        boolean readable = refusal == null ? fields() : scanner.skip(first);
        if (!readable) {
            return new ParsedFilter.Unreadable(scanner.failure());
        }
        return refusal == null ? new ParsedFilter.Valid(builder.build()) : new ParsedFilter.Refused(refusal);
    }

    private boolean fields() {
        Set<String> seen = new HashSet<>();
        while (true) {
            switch (scanner.next()) {
                case NAME -> {
                    if (!field(seen)) {
                        return false;
                    }
                }
                case END_OBJECT -> {
                    return true;
                }
                default -> {
                    return false;
                }
            }
        }
    }

    private boolean field(Set<String> seen) {
        // Names that can be known are short; a longer one is refused without being looked at, or kept.
        var name = scanner.hasLoneSurrogate() || scanner.decodedLength() > 8 ? "" : scanner.text();
        var token = scanner.next();
        if (refusal == null) {
            if (!seen.add(name)) {
                refuse(Refusal.invalid("a filter key is given twice"));
            } else {
                return value(name, token);
            }
        }
        return scanner.skip(token);
    }

    private boolean value(String name, JsonToken token) {
        return switch (name) {
            case "ids" -> ids(token);
            case "authors" -> authors(token);
            case "kinds" -> kinds(token);
            case "since", "until", "limit" -> number(name, token);
            case "search" -> search(token);
            default -> tagCondition(name, token);
        };
    }

    private boolean ids(JsonToken token) {
        var found = new ArrayList<EventId>();
        boolean readable =
                array("ids", token, next -> hex("ids", next, EventId::ofHex).ifPresent(found::add));
        builder.ids(found);
        return readable;
    }

    private boolean authors(JsonToken token) {
        var found = new ArrayList<PublicKey>();
        boolean readable = array(
                "authors", token, next -> hex("authors", next, PublicKey::ofHex).ifPresent(found::add));
        builder.authors(found);
        return readable;
    }

    private boolean kinds(JsonToken token) {
        var found = IntStream.builder();
        boolean readable = array("kinds", token, next -> {
            long kind = next == JsonToken.NUMBER ? scanner.plainInteger() : -1;
            if (kind < 0 || kind > Kinds.MAX) {
                refuse(Refusal.invalid("kinds holds something else than whole numbers from 0 to " + Kinds.MAX));
            } else {
                found.add((int) kind);
            }
        });
        builder.kinds(found.build().toArray());
        return readable;
    }

    private boolean tagCondition(String name, JsonToken token) {
        if (name.length() != 2 || name.charAt(0) != '#' || !TagCondition.isLetter(name.charAt(1))) {
            refuse(Refusal.unsupported("a filter key is unknown"));
            return scanner.skip(token);
        }
        if (++tagConditions > limits.tagConditionsMax()) {
            refuse(Refusal.invalid("more than " + limits.tagConditionsMax() + " tag conditions in a filter"));
            return scanner.skip(token);
        }
        var found = new ArrayList<byte[]>();
        boolean hexOnly = name.equals("#e") || name.equals("#p");
        boolean readable = array(name, token, next -> {
            if (next != JsonToken.STRING) {
                refuse(Refusal.invalid(name + " holds something else than strings"));
            } else if (!scanner.hasLoneSurrogate()
                    && (!hexOnly || hex(name, next, EventId::ofHex).isPresent())) {
                found.add(scanner.canonicalText());
            }
        });
        builder.tag(name.charAt(1), TagValues.ofCanonical(found));
        return readable;
    }

    private boolean number(String name, JsonToken token) {
        long value = token == JsonToken.NUMBER ? scanner.plainInteger() : -1;
        if (value < 0) {
            refuse(Refusal.invalid(name + " is not a plain whole number"));
            return scanner.skip(token);
        }
        switch (name) {
            case "since" -> builder.since(value);
            case "until" -> builder.until(value);
            default -> builder.limit(value);
        }
        return true;
    }

    private boolean search(JsonToken token) {
        if (!limits.search()) {
            refuse(Refusal.unsupported("search is not offered here"));
        } else if (token != JsonToken.STRING) {
            refuse(Refusal.invalid("search is not a string"));
        } else if (!scanner.hasLoneSurrogate()) {
            builder.search(scanner.text());
        }
        return scanner.skip(token);
    }

    /// Walks an array and hands over each element's first token, until something is refused. False if it is
    /// not JSON.
    private boolean array(String name, JsonToken token, Consumer<JsonToken> element) {
        if (token != JsonToken.BEGIN_ARRAY) {
            refuse(Refusal.invalid(name + " is not an array"));
            return scanner.skip(token);
        }
        for (var next = scanner.next(); next != JsonToken.END_ARRAY; next = scanner.next()) {
            if (++values > limits.valuesMax()) {
                refuse(Refusal.invalid("more than the max values " + limits.valuesMax()));
            }
            if (refusal == null) {
                element.accept(next);
            }
            if (!scanner.skip(next)) {
                return false;
            }
        }
        return true;
    }

    /// The id or key an element is.
    private <T> Optional<T> hex(String name, JsonToken token, HexMaker<T> maker) {
        if (token == JsonToken.STRING && !scanner.hasLoneSurrogate() && scanner.decodedLength() == Word256.DIGITS) {
            var ascii = scanner.isEscaped() ? scanner.text().getBytes(StandardCharsets.UTF_8) : in;
            int at = scanner.isEscaped() ? 0 : scanner.textFrom();
            if (Hex.isHex(ascii, at, at + Word256.DIGITS)) {
                return Optional.of(maker.ofHex(ascii, at));
            }
        }
        refuse(Refusal.invalid(name + " holds something else than 64 lower-case hex digits"));
        return Optional.empty();
    }

    private interface HexMaker<T> {
        T ofHex(byte[] ascii, int at);
    }

    private void refuse(Refusal because) {
        if (refusal == null) {
            refusal = because;
        }
    }
}
