package dev.grapnel.sync.received;

import java.util.HashMap;
import java.util.Map;

/// What is in use, by one alone or by several who share it (R7.9).
final class Occupied {
    private static final int ALONE = -1;

    /// How many share a key, or [#ALONE].
    private final Map<Long, Integer> users = new HashMap<>();

    /// Whether all that somebody needs can be had now.
    boolean isFree(Claims claims) {
        return claims.areFree(key -> !users.containsKey(key), key -> users.getOrDefault(key, 0) != ALONE);
    }

    /// Takes what [#isFree].
    void take(Claims claims) {
        for (long key : claims.own()) {
            users.put(key, ALONE);
        }
        for (long key : claims.shared()) {
            users.merge(key, 1, Integer::sum);
        }
    }

    /// Gives back what was taken.
    void release(Claims claims) {
        for (long key : claims.own()) {
            users.remove(key);
        }
        for (long key : claims.shared()) {
            users.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
        }
    }
}
