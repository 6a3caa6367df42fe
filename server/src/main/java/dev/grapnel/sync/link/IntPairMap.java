package dev.grapnel.sync.link;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Two numbers for a number, in eight bytes and some room between them (8.2): how far the thread of a root was asked
/// for
/// and confirmed. The first is written as how far it is ahead of the second, which is little nearly always; those that
/// are not stand elsewhere. A large map is cut into parts that grow one by one, because growing millions at once would
/// stop the loop, and grow by a quarter only, because a map that doubles is half empty.
final class IntPairMap {
    private static final int WHOLE_MAX = 1 << 16;
    private static final int PART_BITS = 6;
    /// As many as there can be ordinals, and entries of a list.
    private static final int NUMBER_BITS = 27;

    private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;
    private static final int AHEAD_BITS = 10;
    /// The first number is too far ahead, or behind.
    private static final int FAR = (1 << AHEAD_BITS) - 1;

    private final Room room;
    private final Map<Integer, Integer> far = new HashMap<>();
    private Part[] parts = {new Part()};

    /// @param room that this map and others have together; an entry takes one
    IntPairMap(Room room) {
        this.room = room;
    }

    /// Whether a key has an entry.
    boolean has(int key) {
        return part(key).find(key) >= 0;
    }

    /// Whether a key has an entry, or can have one.
    boolean hasRoom(int key) {
        return room.isLeft() || has(key);
    }

    int first(int key) {
        long entry = part(key).entry(key);
        int ahead = (int) entry & FAR;
        return ahead == FAR ? far.getOrDefault(key, 0) : second(entry) + ahead;
    }

    int second(int key) {
        return second(part(key).entry(key));
    }

    private static int second(long entry) {
        return (int) (entry >>> AHEAD_BITS) & NUMBER_MASK;
    }

    void setFirst(int key, int value) {
        set(key, value, second(key));
    }

    void setSecond(int key, int value) {
        set(key, first(key), value);
    }

    private void set(int key, int first, int second) {
        if (key >= NUMBER_MASK || first > NUMBER_MASK || second > NUMBER_MASK) {
            throw new IllegalStateException("more than an entry holds");
        }
        int ahead = first - second;
        boolean isFar = ahead < 0 || ahead >= FAR;
        if (isFar) {
            far.put(key, first);
        } else {
            far.remove(key);
        }
        long numbers = (long) second << AHEAD_BITS | (isFar ? FAR : ahead);
        if (part(key).put(key, numbers)) {
            room.take();
            cut();
        }
    }

    /// Sets both numbers to zero.
    void forget(int key) {
        if (part(key).remove(key)) {
            far.remove(key);
            room.giveBack(1);
        }
    }

    int size() {
        return Arrays.stream(parts).mapToInt(part -> part.size).sum();
    }

    void clear() {
        room.giveBack(size());
        far.clear();
        parts = new Part[] {new Part()};
    }

    /// Gives every first number the value of its second.
    void resetFirsts() {
        far.clear();
        for (var part : parts) {
            for (int slot = 0; slot < part.entries.length; slot++) {
                part.entries[slot] &= ~FAR;
            }
        }
    }

    private Part part(int key) {
        return parts.length == 1 ? parts[0] : parts[mix(key) >>> (Integer.SIZE - PART_BITS)];
    }

    private void cut() {
        if (parts.length > 1 || parts[0].size < WHOLE_MAX) {
            return;
        }
        var whole = parts[0];
        parts = new Part[1 << PART_BITS];
        Arrays.setAll(parts, _ -> new Part());
        for (long entry : whole.entries) {
            if (entry != 0) {
                part(Part.key(entry)).add(entry);
            }
        }
    }

    private static int mix(int key) {
        return key * 0x9E3779B9;
    }

    /// Open addressing; a key plus one, above both numbers, so that 0 is nobody's.
    private static final class Part {
        private static final int KEY_SHIFT = NUMBER_BITS + AHEAD_BITS;

        private long[] entries = {};
        private int size;

        private static int key(long entry) {
            return (int) (entry >>> KEY_SHIFT) - 1;
        }

        private long entry(int key) {
            int slot = find(key);
            return slot < 0 ? 0 : entries[slot];
        }

        private int find(int key) {
            if (entries.length == 0) {
                return -1;
            }
            int slot = slot(key);
            while (entries[slot] != 0) {
                if (key(entries[slot]) == key) {
                    return slot;
                }
                slot = next(slot);
            }
            return -1;
        }

        /// @return whether it is new
        private boolean put(int key, long numbers) {
            long entry = (key + 1L) << KEY_SHIFT | numbers;
            int slot = find(key);
            if (slot >= 0) {
                entries[slot] = entry;
            } else {
                add(entry);
            }
            return slot < 0;
        }

        private void add(long entry) {
            if ((size + 1) * 8L > entries.length * 7L) {
                grow();
            }
            int slot = slot(key(entry));
            while (entries[slot] != 0) {
                slot = next(slot);
            }
            entries[slot] = entry;
            size++;
        }

        private void grow() {
            var old = entries;
            entries = new long[Math.max(8, old.length + (old.length >> 2))];
            size = 0;
            for (long entry : old) {
                if (entry != 0) {
                    add(entry);
                }
            }
        }

        /// Takes one out, and lets those behind it close up, as far as they would rather stand further ahead.
        private boolean remove(int key) {
            int hole = find(key);
            if (hole < 0) {
                return false;
            }
            for (int at = next(hole); entries[at] != 0; at = next(at)) {
                int home = slot(key(entries[at]));
                boolean isBetween = hole <= at ? hole < home && home <= at : hole < home || home <= at;
                if (!isBetween) {
                    entries[hole] = entries[at];
                    hole = at;
                }
            }
            entries[hole] = 0;
            size--;
            return true;
        }

        /// By the bits that do not choose the part.
        private int slot(int key) {
            return (int) (((mix(key) << PART_BITS & 0xffff_ffffL) * entries.length) >>> Integer.SIZE);
        }

        private int next(int slot) {
            return slot + 1 == entries.length ? 0 : slot + 1;
        }
    }
}
