package dev.grapnel.git.pack;

import dev.grapnel.nostr.repository.Oid;
import java.util.function.Consumer;

/// Ids of objects outside a pack on which it rests: ends of links and bases of thin deltas, each once.
public final class Borrowed {
    private final IdList ids;

    Borrowed(IdList ids) {
        this.ids = ids;
    }

    /// How many.
    public long size() {
        return ids.size();
    }

    /// Whether the pack rests on nothing.
    public boolean isEmpty() {
        return ids.size() == 0;
    }

    /// In no particular order.
    public void forEach(Consumer<Oid> action) {
        ids.forEach(action);
    }
}
