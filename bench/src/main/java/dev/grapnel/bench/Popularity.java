package dev.grapnel.bench;

import java.util.List;

/// How much there is of something: Zipf's law makes the ends of a ranking very different.
public enum Popularity {
    /// The head of the ranking.
    POPULAR {
        @Override
        int from(int size, int count) {
            return 0;
        }
    },
    /// Around its middle.
    MIDDLING {
        @Override
        int from(int size, int count) {
            return (size - count) / 2;
        }
    },
    /// Its tail.
    RARE {
        @Override
        int from(int size, int count) {
            return size - count;
        }
    };

    abstract int from(int size, int count);

    /// So many of the ranking, or all if it is shorter.
    <T> List<T> of(List<T> ranking, int count) {
        int several = Math.min(count, ranking.size());
        int from = from(ranking.size(), several);
        return List.copyOf(ranking.subList(from, from + several));
    }
}
