package dev.grapnel.sync.received;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Addresses of relays by small numbers, each as long as somebody uses it.
final class Sources {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> texts = new ArrayList<>();
    private final List<Integer> uses = new ArrayList<>();
    private final List<Integer> free = new ArrayList<>();

    /// The number of an address; -1 if nobody uses it.
    int find(String text) {
        return numbers.getOrDefault(text, -1);
    }

    /// The number of an address, used once more.
    int take(String text) {
        int number = numbers.computeIfAbsent(text, this::assign);
        uses.set(number, uses.get(number) + 1);
        return number;
    }

    private int assign(String text) {
        if (free.isEmpty()) {
            texts.add(text);
            uses.add(0);
            return texts.size() - 1;
        }
        int number = free.removeLast();
        texts.set(number, text);
        return number;
    }

    /// Used once less.
    void release(int number) {
        int left = uses.get(number) - 1;
        uses.set(number, left);
        if (left == 0) {
            numbers.remove(texts.get(number));
            free.add(number);
        }
    }

    String text(int number) {
        return texts.get(number);
    }
}
