package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.event.EventId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// What two peers hold: much in common and something each alone.
record TwoSets(List<Item> left, List<Item> right, String description) {
    TwoSets {
        left = List.copyOf(left);
        right = List.copyOf(right);
    }

    /// About so many items, the given share of which is on one side only.
    static TwoSets random(int size, double differing, long seconds, long seed) {
        var random = new SplittableRandom(seed);
        return of(size, differing, random, () -> Item.random(random, seconds), "size " + size + " seed " + seed);
    }

    /// All of one second, and about eight ids for every beginning of 31 bytes. Last bytes are powers of two,
    /// because fingerprints add ids: dense ids have subsets of equal sums, and no implementation tells those
    /// apart.
    static TwoSets crowded(int size, double differing, long seed) {
        var random = new SplittableRandom(seed);
        var beginnings =
                Stream.generate(() -> Item.randomId(random)).limit(size / 6 + 1).toList();
        return of(
                size, differing, random, () -> crowded(beginnings, random), "crowded, size " + size + " seed " + seed);
    }

    private static Item crowded(List<EventId> beginnings, SplittableRandom random) {
        var beginning = beginnings.get(random.nextInt(beginnings.size()));
        long last = (beginning.d() & -256L) | (1L << random.nextInt(8));
        return new Item(7, new EventId(beginning.a(), beginning.b(), beginning.c(), last));
    }

    int differences() {
        return Session.idsOnlyIn(left, right).size()
                + Session.idsOnlyIn(right, left).size();
    }

    private static TwoSets of(
            int size, double differing, SplittableRandom random, Supplier<Item> items, String description) {
        var left = new ArrayList<Item>();
        var right = new ArrayList<Item>();
        for (int i = 0; i < size; i++) {
            var item = items.get();
            boolean alone = random.nextDouble() < differing;
            boolean onLeft = random.nextBoolean();
            if (!alone || onLeft) {
                left.add(item);
            }
            if (!alone || !onLeft) {
                right.add(item);
            }
        }
        return new TwoSets(left, right, description + " differing " + differing);
    }
}
