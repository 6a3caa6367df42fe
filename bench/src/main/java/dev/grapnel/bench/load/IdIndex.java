package dev.grapnel.bench.load;

/// Finds an event's number by the first 64 bits of its id. Not changed once it is shared.
final class IdIndex {
    private final long[] words;
    private final int[] numbers;
    private final int mask;

    /// @param count how many will be put
    IdIndex(int count) {
        int capacity = Math.max(16, Integer.highestOneBit(count) << 2);
        words = new long[capacity];
        numbers = new int[capacity];
        mask = capacity - 1;
    }

    /// Puts an id; false if it is there already.
    boolean put(long word, int number) {
        int at = slot(word);
        if (words[at] != 0) {
            return false;
        }
        words[at] = word;
        numbers[at] = number;
        return true;
    }

    /// The number, or -1.
    int find(long word) {
        int at = slot(word);
        return word != 0 && words[at] == word ? numbers[at] : -1;
    }

    /// Ids are hashes: their lowest bits are as good as any.
    private int slot(long word) {
        int at = (int) word & mask;
        while (words[at] != 0 && words[at] != word) {
            at = at + 1 & mask;
        }
        return at;
    }
}
