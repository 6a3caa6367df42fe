package dev.grapnel.git.pack;

import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// Ids of objects outside a pack on which it rests: ends of links and bases of thin deltas, each once.
public final class Borrowed {
    private final IdList ids;

    Borrowed(IdList ids) {
        this.ids = ids;
    }

    /// Nothing.
    static Borrowed none() {
        return new Borrowed(new IdList(MemorySegment.ofArray(new byte[0])));
    }

    /// How many.
    public long size() {
        return ids.size();
    }

    /// Whether the pack rests on nothing.
    public boolean isEmpty() {
        return ids.size() == 0;
    }

    /// Those of a pack.
    ///
    /// @param ids what was met in it
    /// @param withLinks whether links were followed; if not, only bases were looked for
    static Borrowed of(IdTable ids, boolean withLinks, Scratch scratch) throws IOException {
        long count = 0;
        for (long slot = 0; slot < ids.slots(); slot++) {
            count += isBase(ids, slot) || (withLinks && isLink(ids, slot)) ? 1 : 0;
        }
        var list = scratch.keptIds(count);
        for (long slot = 0; slot < ids.slots(); slot++) {
            if (isBase(ids, slot)) {
                list.add(ids.a(slot), ids.b(slot), ids.c(slot), 0);
            }
        }
        for (long slot = 0; withLinks && slot < ids.slots(); slot++) {
            if (isLink(ids, slot)) {
                list.add(ids.a(slot), ids.b(slot), ids.c(slot), 0);
            }
        }
        return new Borrowed(list);
    }

    private static boolean isOutside(IdTable ids, long slot) {
        return ids.isUsed(slot) && !ids.has(slot, IdTable.SENT);
    }

    private static boolean isBase(IdTable ids, long slot) {
        return isOutside(ids, slot) && ids.has(slot, IdTable.BORROWED_BASE);
    }

    private static boolean isLink(IdTable ids, long slot) {
        return isOutside(ids, slot) && !ids.has(slot, IdTable.BORROWED_BASE);
    }

    /// Bases first, in the order in which they are looked for: links of what rests on them are seen only then.
    public void forEach(Consumer<Oid> action) {
        ids.forEach(action);
    }
}
