package dev.grapnel.nostr.event;

import dev.grapnel.nostr.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// An event's tags, as a view of its normalised JSON.
///
/// A state of a large repository has tens of thousands of elements, and most events are only matched, stored
/// and sent. So no element becomes a `String` before somebody asks: the reader notes where each begins, and
/// because the bytes are canonical the end follows from the next beginning (`","` between elements, `"],["`
/// between tags).
public final class Tags implements Iterable<Tag> {
    private static final int ESCAPED = 1 << 31;
    private static final int BETWEEN_ELEMENTS = 3;
    private static final int BETWEEN_TAGS = 5;
    private static final int SLACK_MAX = 16;

    private final byte[] json;
    private final int from;
    private final int length;
    /// Where each element begins, counted from `from`, marked if it is escaped.
    private final int[] starts;
    /// Number of the first element of each tag, and behind them the number of elements.
    private final int[] firsts;
    private final int elements;
    private final int tags;
    private final long letters;
    /// The tags that are named by one ASCII letter and have a value: a state has one among thousands of refs.
    private final int[] lettered;

    /// @param from index of the opening bracket of all tags in `json`
    private Tags(byte[] json, int from, Index index) {
        this.json = json;
        this.from = from;
        this.length = index.length();
        this.elements = index.elements;
        this.tags = index.tags;
        this.starts = trim(index.starts, index.elements);
        this.firsts = trim(index.firsts, index.tags + 1);
        this.letters = index.letters;
        this.lettered = Arrays.copyOf(index.lettered, index.letteredCount);
    }

    /// Number of tags.
    public int size() {
        return tags;
    }

    /// The tag at an index.
    public Tag get(int index) {
        return new Tag(this, Objects.checkIndex(index, size()));
    }

    /// All tags in order.
    public Stream<Tag> stream() {
        return IntStream.range(0, size()).mapToObj(this::get);
    }

    /// All tags of a name, in order.
    public Stream<Tag> named(String name) {
        return IntStream.range(0, size()).filter(tag -> isNamed(tag, name)).mapToObj(this::get);
    }

    /// The first tag of a name.
    public Optional<Tag> findFirst(String name) {
        return named(name).findFirst();
    }

    /// The value of the first tag of a name; empty if there is no such tag or it has no value.
    public Optional<String> findValue(String name) {
        return findFirst(name).flatMap(Tag::value);
    }

    /// The second elements of all tags of a name.
    public List<String> values(String name) {
        return named(name).flatMap(tag -> tag.value().stream()).toList();
    }

    /// Whether some tag has this name.
    public boolean has(String name) {
        return IntStream.range(0, size()).anyMatch(tag -> isNamed(tag, name));
    }

    /// Whether some tag is named by this one ASCII letter and has a value. Costs no walk.
    public boolean hasLetter(char letter) {
        int bit = letterBit(letter);
        return bit >= 0 && (letters & 1L << bit) != 0;
    }

    /// Looks at one tag that is named by one ASCII letter and has a value: what filters can ask for.
    @FunctionalInterface
    public interface LetteredTag {
        /// Looks at it.
        ///
        /// @param value canonical JSON bytes of the second element, without quotes; the receiver's own
        void visit(char letter, byte[] value);
    }

    /// Shows every tag that is named by one ASCII letter and has a value, in order, repeats included.
    public void forEachLettered(LetteredTag visitor) {
        for (int tag : lettered) {
            int name = firsts[tag];
            visitor.visit((char) json[start(name)], Arrays.copyOfRange(json, start(name + 1), end(tag, name + 1)));
        }
    }

    /// Looks at the hash of one tag that is named by one ASCII letter and has a value.
    @FunctionalInterface
    public interface LetteredHash {
        /// Looks at it.
        ///
        /// @param hash of the value, as [TagValues#hashes] gives it in this process
        void visit(char letter, long hash);
    }

    /// Shows the same tags by hashes of their values, without copying anything.
    public void forEachLetteredHash(LetteredHash visitor) {
        for (int tag : lettered) {
            int name = firsts[tag];
            visitor.visit((char) json[start(name)], SeededHash.of(json, start(name + 1), end(tag, name + 1)));
        }
    }

    @Override
    public Iterator<Tag> iterator() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size();
            }

            @Override
            public Tag next() {
                if (next >= size()) {
                    throw new NoSuchElementException();
                }
                return new Tag(Tags.this, next++);
            }
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Tags that
                && Arrays.equals(json, from, from + length, that.json, that.from, that.from + that.length);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(Arrays.copyOfRange(json, from, from + length));
    }

    /// The JSON array of arrays.
    @Override
    public String toString() {
        return new String(json, from, length, StandardCharsets.UTF_8);
    }

    int elements(int tag) {
        return firsts[tag + 1] - firsts[tag];
    }

    String element(int tag, int number) {
        int element = firsts[tag] + Objects.checkIndex(number, elements(tag));
        return JsonText.decode(json, start(element), end(tag, element), (starts[element] & ESCAPED) != 0);
    }

    boolean isNamed(int tag, String name) {
        int element = firsts[tag];
        int start = start(element);
        int bytes = end(tag, element) - start;
        if (bytes < name.length()) {
            return false;
        }
        if ((starts[element] & ESCAPED) != 0 || bytes != name.length()) {
            return element(tag, 0).equals(name);
        }
        for (int i = 0; i < bytes; i++) {
            if (json[start + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// The tags that are named by one ASCII letter and have a value.
    int[] lettered() {
        return lettered;
    }

    /// Whether one of [#lettered] is named by this letter.
    boolean isNamed(int tag, char letter) {
        return json[start(firsts[tag])] == letter;
    }

    /// Whether the tag's value, in canonical form, is one of these.
    boolean valueIsIn(int tag, TagValues values) {
        int element = firsts[tag] + 1;
        return values.contains(json, start(element), end(tag, element));
    }

    /// Cuts off what was never used, unless it is so little that copying costs more.
    private static int[] trim(int[] values, int used) {
        return values.length - used <= SLACK_MAX ? values : Arrays.copyOf(values, used);
    }

    private int start(int element) {
        return from + (starts[element] & ~ESCAPED);
    }

    private int end(int tag, int element) {
        if (element + 1 == elements) {
            return from + length - BETWEEN_ELEMENTS;
        }
        int between = element + 1 == firsts[tag + 1] ? BETWEEN_TAGS : BETWEEN_ELEMENTS;
        return start(element + 1) - between;
    }

    /// Number of an ASCII letter among a-z, A-Z; negative for anything else.
    static int letterBit(int c) {
        if (c >= 'a' && c <= 'z') {
            return c - 'a';
        }
        return c >= 'A' && c <= 'Z' ? c - 'A' + 26 : -1;
    }

    /// Collects where elements begin while tags are read.
    static final class Index {
        private int[] starts = new int[16];
        private int[] firsts = new int[8];
        private int elements;
        private int tags;
        private int tagFirst;
        private int length = 1;
        private int tagName = -1;
        private long letters;
        private int[] lettered = new int[4];
        private int letteredCount;

        /// Begins a tag.
        void beginTag() {
            length += tags == 0 ? 1 : 2;
            tagFirst = elements;
        }

        /// Adds an element of so many canonical bytes; `letter` is its letter's number if it is but one, else
        /// negative.
        void add(int canonicalLength, boolean escaped, int letter) {
            if (elements == starts.length) {
                starts = Arrays.copyOf(starts, elements * 2);
            }
            int number = elements - tagFirst;
            length += number == 0 ? 1 : 2;
            starts[elements++] = length | (escaped ? ESCAPED : 0);
            length += canonicalLength + 1;
            if (number == 0) {
                tagName = letter;
            } else if (number == 1 && tagName >= 0) {
                addLettered();
            }
        }

        private void addLettered() {
            if (letteredCount == lettered.length) {
                lettered = Arrays.copyOf(lettered, letteredCount * 2);
            }
            lettered[letteredCount++] = tags;
            letters |= 1L << tagName;
        }

        /// Elements of the tag that was begun last.
        int tagElements() {
            return elements - tagFirst;
        }

        /// Ends a tag.
        void endTag() {
            length++;
            if (tags + 1 == firsts.length) {
                firsts = Arrays.copyOf(firsts, firsts.length * 2);
            }
            firsts[tags++] = tagFirst;
        }

        /// Tags so far.
        int tags() {
            return tags;
        }

        /// Canonical bytes of all tags, both outer brackets included.
        int length() {
            return length + 1;
        }

        /// The tags, once their canonical bytes stand in `json` at `from`.
        Tags build(byte[] json, int from) {
            firsts[tags] = elements;
            return new Tags(json, from, this);
        }
    }
}
