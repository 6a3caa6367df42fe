package dev.grapnel.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// What somebody may have meant.
public final class Nearest {
    private Nearest() {}

    /// The word that is least different, unless all are too different.
    public static Optional<String> of(String typed, Collection<String> words) {
        return words.stream()
                .min(Comparator.<String>comparingInt(word -> editDistance(word, typed))
                        .thenComparing(word -> word))
                .filter(word -> editDistance(word, typed) < typed.length() / 2);
    }

    /// How many letters must be added, removed or replaced to make one text into the other.
    private static int editDistance(String from, String to) {
        var costs = new int[to.length() + 1];
        for (int j = 0; j < costs.length; j++) {
            costs[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = costs[0];
            costs[0] = i;
            for (int j = 1; j < costs.length; j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = costs[j];
                costs[j] = Math.min(replaced, Math.min(diagonal, costs[j - 1]) + 1);
            }
        }
        return costs[to.length()];
    }
}
