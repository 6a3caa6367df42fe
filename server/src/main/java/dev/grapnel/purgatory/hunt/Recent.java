package dev.grapnel.purgatory.hunt;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/// A map of bounded size that forgets what was not used for the longest time. Guarded by its owner.
final class Recent<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int most;
    private final transient BiConsumer<K, V> forgotten;

    /// @param forgotten told what leaves for want of room
    Recent(int most, BiConsumer<K, V> forgotten) {
        super(16, 0.75f, true);
        this.most = most;
        this.forgotten = forgotten;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        boolean isTooMany = size() > most;
        if (isTooMany) {
            forgotten.accept(eldest.getKey(), eldest.getValue());
        }
        return isTooMany;
    }
}
