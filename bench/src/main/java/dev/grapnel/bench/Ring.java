package dev.grapnel.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The last few of many.
final class Ring<T> {
    private final int capacity;
    private final List<T> kept = new ArrayList<>();
    private int next;

    Ring(int capacity) {
        this.capacity = capacity;
    }

    /// Adds one; what it displaces, if the ring was full.
    Optional<T> add(T value) {
        if (kept.size() < capacity) {
            kept.add(value);
            return Optional.empty();
        }
        var displaced = kept.set(next, value);
        next = (next + 1) % capacity;
        return Optional.of(displaced);
    }

    boolean isEmpty() {
        return kept.isEmpty();
    }

    int size() {
        return kept.size();
    }

    /// The newest is number 0.
    T newest(int number) {
        return kept.get(Math.floorMod(next - 1 - number, kept.size()));
    }

    /// Newest first.
    List<T> toList() {
        var list = new ArrayList<T>(kept.size());
        for (int i = 0; i < kept.size(); i++) {
            list.add(newest(i));
        }
        return List.copyOf(list);
    }
}
