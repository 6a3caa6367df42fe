package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.event.EventId;
import java.util.Collection;
import java.util.Comparator;
import java.util.SplittableRandom;

/// An item as tests speak of it.
record Item(long createdAt, EventId id) implements Comparable<Item> {
    private static final Comparator<Item> ORDER =
            Comparator.comparingLong(Item::createdAt).thenComparing(Item::id);

    static Item random(SplittableRandom random, long seconds) {
        return new Item(random.nextLong(seconds), randomId(random));
    }

    static EventId randomId(SplittableRandom random) {
        return new EventId(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
    }

    static NegentropyItems seal(Collection<Item> items) {
        var builder = NegentropyItems.builder(items.size(), NegentropyItems.ITEMS_MAX);
        items.forEach(item -> builder.add(item.createdAt(), item.id()));
        return builder.seal();
    }

    @Override
    public int compareTo(Item other) {
        return ORDER.compare(this, other);
    }
}
