package dev.grapnel.server.live;

import dev.grapnel.nostr.event.Event;
import java.util.Arrays;
import java.util.function.LongConsumer;

/// The distinct keys of an event: a stranger may write the same tag thousands of times, and what is found by it
/// is looked through each time. The matcher's alone.
final class KeySet {
    private long[] keys = new long[64];
    private int count;

    /// Takes the keys of an event instead of those before.
    void fill(Event event) {
        count = 0;
        Anchors.forEach(event, this::add);
        Arrays.sort(keys, 0, count);
    }

    private void add(long key) {
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, count * 2);
        }
        keys[count++] = key;
    }

    void forEach(LongConsumer visitor) {
        for (int i = 0; i < count; i++) {
            if (i == 0 || keys[i] != keys[i - 1]) {
                visitor.accept(keys[i]);
            }
        }
    }
}
