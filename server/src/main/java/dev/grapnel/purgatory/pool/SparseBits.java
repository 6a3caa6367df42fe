package dev.grapnel.purgatory.pool;

import java.util.Arrays;
import java.util.List;

/// An immutable set of small numbers: the words of a bit set that are not zero. A few numbers among thousands take
/// little room, and many of them are looked at 64 at a time.
final class SparseBits {
    static final SparseBits EMPTY = new SparseBits(new int[0], new long[0]);

    private static final int[] NONE = new int[0];

    private final int[] places;
    private final long[] words;

    private SparseBits(int[] places, long[] words) {
        this.places = places;
        this.words = words;
    }

    /// The words of a bit set of so many numbers.
    static long[] room(int size) {
        return new long[(size + Long.SIZE - 1) / Long.SIZE];
    }

    static void set(long[] bits, int number, boolean isIn) {
        if (isIn) {
            bits[number / Long.SIZE] |= 1L << number;
        } else {
            bits[number / Long.SIZE] &= ~(1L << number);
        }
    }

    static boolean contains(long[] bits, int number) {
        return (bits[number / Long.SIZE] & (1L << number)) != 0;
    }

    static int count(long[] bits) {
        int count = 0;
        for (long word : bits) {
            count += Long.bitCount(word);
        }
        return count;
    }

    /// What is in it, ascending.
    static int[] numbers(long[] bits) {
        var numbers = new int[count(bits)];
        int next = 0;
        for (int place = 0; place < bits.length; place++) {
            for (long left = bits[place]; left != 0; left &= left - 1) {
                numbers[next++] = place * Long.SIZE + Long.numberOfTrailingZeros(left);
            }
        }
        return numbers;
    }

    /// Of numbers less than `size`.
    static SparseBits of(List<Integer> numbers, int size) {
        var bits = room(size);
        numbers.forEach(number -> set(bits, number, true));
        return of(bits);
    }

    static SparseBits of(long[] bits) {
        int count = 0;
        for (long word : bits) {
            count += word != 0 ? 1 : 0;
        }
        if (count == 0) {
            return EMPTY;
        }
        var places = new int[count];
        var words = new long[count];
        int next = 0;
        for (int place = 0; place < bits.length; place++) {
            if (bits[place] != 0) {
                places[next] = place;
                words[next++] = bits[place];
            }
        }
        return new SparseBits(places, words);
    }

    boolean isEmpty() {
        return places.length == 0;
    }

    boolean contains(int number) {
        int at = Arrays.binarySearch(places, number / Long.SIZE);
        return at >= 0 && (words[at] & (1L << number)) != 0;
    }

    /// Whether the two have a number in common.
    boolean meets(SparseBits other) {
        int here = 0;
        int there = 0;
        while (here < places.length && there < other.places.length) {
            int order = Integer.compare(places[here], other.places[there]);
            if (order == 0 && (words[here] & other.words[there]) != 0) {
                return true;
            }
            here += order <= 0 ? 1 : 0;
            there += order >= 0 ? 1 : 0;
        }
        return false;
    }

    void addTo(long[] bits) {
        for (int i = 0; i < places.length; i++) {
            bits[places[i]] |= words[i];
        }
    }

    /// What is in it, ascending.
    int[] numbers() {
        return numbersIn(this);
    }

    /// What is in both, ascending.
    int[] numbersIn(SparseBits other) {
        if (!meets(other)) {
            return NONE;
        }
        var bits = new long[places[places.length - 1] + 1];
        addTo(bits);
        var common = new long[bits.length];
        for (int i = 0; i < other.places.length && other.places[i] < bits.length; i++) {
            int place = other.places[i];
            common[place] = bits[place] & other.words[i];
        }
        return numbers(common);
    }

    /// The same with a number in it, or without it; all numbers are less than `size`.
    SparseBits with(int number, boolean isIn, int size) {
        var bits = room(size);
        addTo(bits);
        set(bits, number, isIn);
        return of(bits);
    }
}
