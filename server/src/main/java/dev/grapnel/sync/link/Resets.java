package dev.grapnel.sync.link;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/// What is to be asked for anew although it is in flight: what was asked before that confirms nothing, for a
/// page of it may have been asked while it was not wanted, or somebody else was to ask for it (R2.6).
final class Resets {
    private final Map<Part, Map<Integer, Integer>> last = new EnumMap<>(Part.class);
    private int count;

    /// What is marked by itself.
    enum Part {
        STATES,
        TAGS,
        ADDRESSES,
        ROOTS,
        THREAD;

        /// Of what a value of a chunk is part.
        static Part of(Layer layer, int place) {
            return switch (layer) {
                case ANNOUNCEMENTS, STATES -> STATES;
                case TAGS -> place == Chunk.SELF ? TAGS : ADDRESSES;
                case ROOTS -> ROOTS;
                case THREADS, THREAD_ADDRESSES -> THREAD;
            };
        }
    }

    /// How many there were so far.
    int count() {
        return count;
    }

    /// One more.
    ///
    /// @param owner the repository; of threads the root
    void add(Part part, int owner) {
        count++;
        last.computeIfAbsent(part, _ -> new HashMap<>()).put(owner, count);
    }

    /// Whether something was reset that was asked for when there had been so many.
    boolean isVoid(Part part, int owner, int askedAfter) {
        return last.getOrDefault(part, Map.of()).getOrDefault(owner, 0) > askedAfter;
    }

    /// Nothing is in flight any more.
    void clear() {
        last.clear();
    }
}
