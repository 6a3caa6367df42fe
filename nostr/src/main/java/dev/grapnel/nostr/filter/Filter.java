package dev.grapnel.nostr.filter;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.TagValues;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.key.PublicKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Conditions on events (relay 3): all that are present must hold, values inside one are alternatives.
///
/// An absent list asks for nothing, an empty one can never be met. Lists are kept sorted and without repeats,
/// so that equal filters write equal bytes; ids and authors are looked up by bisection, tag values by hash.
/// Not a record: its parts are arrays for the sake of matching.
public final class Filter {
    /// Matches everything.
    public static final Filter ALL = builder().build();

    private final EventId @Nullable [] ids;
    private final PublicKey @Nullable [] authors;
    private final int @Nullable [] kinds;
    private final TagCondition[] tags;
    private final long since;
    private final long until;
    private final long limit;
    private final @Nullable String search;

    private Filter(Builder builder) {
        ids = builder.ids;
        authors = builder.authors;
        kinds = builder.kinds;
        tags = builder.tags.values().toArray(TagCondition[]::new);
        since = builder.since;
        until = builder.until;
        limit = builder.limit;
        search = builder.search;
    }

    /// Starts a filter without any condition.
    public static Builder builder() {
        return new Builder();
    }

    /// Whether the event meets every condition. `limit` is none, and `search` is left to whoever has an index
    /// for it.
    public boolean matches(Event event) {
        return event.createdAt() >= since
                && (until < 0 || event.createdAt() <= until)
                && namesKind(event.kind())
                && namesId(event.id())
                && (authors == null || Arrays.binarySearch(authors, event.author()) >= 0)
                && matchesTags(event);
    }

    /// Whether this id is one of those asked for, or none are.
    public boolean namesId(EventId id) {
        return ids == null || Arrays.binarySearch(ids, id) >= 0;
    }

    /// Whether this kind is one of those asked for, or none are.
    public boolean namesKind(int kind) {
        return kinds == null || Arrays.binarySearch(kinds, kind) >= 0;
    }

    private boolean matchesTags(Event event) {
        for (var condition : tags) {
            if (!condition.matches(event.tags())) {
                return false;
            }
        }
        return true;
    }

    /// Whether no event can ever match: a list is empty, or `since` is after `until`.
    public boolean isNever() {
        return (ids != null && ids.length == 0)
                || (authors != null && authors.length == 0)
                || (kinds != null && kinds.length == 0)
                || Arrays.stream(tags).anyMatch(condition -> condition.values().size() == 0)
                || (until >= 0 && Math.max(since, 0) > until);
    }

    /// The ids asked for, ascending.
    public Optional<List<EventId>> ids() {
        return Optional.ofNullable(ids).map(List::of);
    }

    /// The authors asked for, ascending.
    public Optional<List<PublicKey>> authors() {
        return Optional.ofNullable(authors).map(List::of);
    }

    /// The kinds asked for, ascending.
    public Optional<List<Integer>> kinds() {
        return Optional.ofNullable(kinds)
                .map(list -> Arrays.stream(list).boxed().toList());
    }

    /// The tag conditions, by letter.
    public List<TagCondition> tags() {
        return List.of(tags);
    }

    /// Oldest `created_at` asked for, inclusive.
    public OptionalLong since() {
        return present(since);
    }

    /// Newest `created_at` asked for, inclusive.
    public OptionalLong until() {
        return present(until);
    }

    /// How many stored events are wanted at most.
    public OptionalLong limit() {
        return present(limit);
    }

    /// What to search for (NIP-50).
    public Optional<String> search() {
        return Optional.ofNullable(search);
    }

    private static OptionalLong present(long value) {
        return value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
    }

    /// The same conditions, to be changed.
    public Builder toBuilder() {
        var builder = new Builder();
        builder.ids = ids;
        builder.authors = authors;
        builder.kinds = kinds;
        Arrays.stream(tags).forEach(condition -> builder.tags.put(condition.letter(), condition));
        builder.since = since;
        builder.until = until;
        builder.limit = limit;
        builder.search = search;
        return builder;
    }

    /// The JSON object.
    public Bytes json() {
        var out = new JsonWriter(64);
        write(out);
        return out.toBytes();
    }

    /// Writes the JSON object.
    public void write(JsonWriter out) {
        var fields = new Fields(out);
        ids().ifPresent(list -> fields.array("ids", list, JsonWriter::hex));
        authors().ifPresent(list -> fields.array("authors", list, JsonWriter::hex));
        kinds().ifPresent(list -> fields.array("kinds", list, (json, kind) -> json.number(kind)));
        tags().forEach(tag -> tag.values().write(fields.name("#" + tag.letter())));
        since().ifPresent(value -> fields.name("since").number(value));
        until().ifPresent(value -> fields.name("until").number(value));
        limit().ifPresent(value -> fields.name("limit").number(value));
        search().ifPresent(text -> fields.name("search").string(text));
        fields.end();
    }

    /// Equal if the same conditions are written.
    @Override
    public boolean equals(Object other) {
        return other instanceof Filter that && json().equals(that.json());
    }

    @Override
    public int hashCode() {
        return json().hashCode();
    }

    /// The JSON object as text.
    @Override
    public String toString() {
        var out = new JsonWriter(64);
        write(out);
        return out.toString();
    }

    /// Writes the names and commas of one object.
    private static final class Fields {
        private final JsonWriter out;
        private String before = "{";

        Fields(JsonWriter out) {
            this.out = out;
        }

        JsonWriter name(String name) {
            out.raw(before).string(name).raw(":");
            before = ",";
            return out;
        }

        <T> void array(String name, List<T> values, BiConsumer<JsonWriter, T> write) {
            name(name).raw("[");
            for (int i = 0; i < values.size(); i++) {
                out.raw(i == 0 ? "" : ",");
                write.accept(out, values.get(i));
            }
            out.raw("]");
        }

        void end() {
            out.raw(before.equals("{") ? "{}" : "}");
        }
    }

    /// Puts a filter together.
    public static final class Builder {
        private EventId @Nullable [] ids;
        private PublicKey @Nullable [] authors;
        private int @Nullable [] kinds;
        private final TreeMap<Character, TagCondition> tags = new TreeMap<>();
        private long since = -1;
        private long until = -1;
        private long limit = -1;
        private @Nullable String search;

        private Builder() {}

        /// One of these ids.
        public Builder ids(Collection<EventId> values) {
            ids = values.stream().distinct().sorted().toArray(EventId[]::new);
            return this;
        }

        /// One of these authors.
        public Builder authors(Collection<PublicKey> values) {
            authors = values.stream().distinct().sorted().toArray(PublicKey[]::new);
            return this;
        }

        /// One of these kinds.
        public Builder kinds(int... values) {
            kinds = Arrays.stream(values).distinct().sorted().toArray();
            if (kinds.length > 0 && (kinds[0] < 0 || kinds[kinds.length - 1] > Kinds.MAX)) {
                throw new IllegalArgumentException("a kind is outside 0 to " + Kinds.MAX);
            }
            return this;
        }

        /// A tag of this letter with one of these values.
        public Builder tag(char letter, Collection<String> values) {
            boolean isHexOnly = letter == 'e' || letter == 'p';
            return tag(letter, isHexOnly ? TagValues.ofCanonical(hex(letter, values)) : TagValues.of(values));
        }

        private static List<byte[]> hex(char letter, Collection<String> values) {
            var all = new ArrayList<byte[]>(values.size());
            for (var value : values) {
                var digits = value.getBytes(StandardCharsets.ISO_8859_1); // what is none of these becomes no digit
                if (digits.length != Word256.DIGITS || !Hex.isHex(digits, 0, digits.length)) {
                    throw new IllegalArgumentException("#" + letter + " takes 64 lower-case hex digits");
                }
                all.add(digits);
            }
            return all;
        }

        /// A tag of this letter with one of these values.
        public Builder tag(char letter, TagValues values) {
            tags.put(letter, new TagCondition(letter, values));
            return this;
        }

        /// At or after this second.
        public Builder since(long seconds) {
            since = requireNotNegative("since", seconds);
            return this;
        }

        /// At or before this second.
        public Builder until(long seconds) {
            until = requireNotNegative("until", seconds);
            return this;
        }

        /// At most so many stored events.
        public Builder limit(long count) {
            limit = requireNotNegative("limit", count);
            return this;
        }

        /// Containing these words (NIP-50).
        public Builder search(String words) {
            search = words;
            return this;
        }

        /// The filter.
        public Filter build() {
            return new Filter(this);
        }

        private static long requireNotNegative(String name, long value) {
            if (value < 0) {
                throw new IllegalArgumentException(name + " must not be negative");
            }
            return value;
        }
    }
}
