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

    /// How many letters must be added, removed, replaced or swapped with the next to make one text into the
    /// other.
    private static int editDistance(String from, String to) {
        var costs = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                costs[i][j] = i == 0 || j == 0 ? i + j : cost(costs, from, to, i, j);
            }
        }
        return costs[from.length()][to.length()];
    }

    /// The same for the first letters of both, from what is known of fewer.
    private static int cost(int[][] costs, String from, String to, int i, int j) {
        int replaced = costs[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, Math.min(costs[i - 1][j], costs[i][j - 1]) + 1);
        boolean isSwapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return isSwapped ? Math.min(least, costs[i - 2][j - 2] + 1) : least;
    }
}
