package dev.grapnel.git.pack;

import java.io.IOException;
import org.eclipse.jgit.lib.AnyObjectId;

/// Marks on ids: a few bits each, whose meaning is the caller's.
public final class IdMarks {
    /// The lowest bits are the table's own.
    private static final int SHIFT = 4;

    private final IdTable table;
    private final int[] words = new int[5];

    IdMarks(IdTable table) {
        this.table = table;
    }

    /// Adds a mark; whether it is new.
    ///
    /// @param mark one bit, of the lowest 24
    public boolean add(AnyObjectId id, int mark) throws IOException {
        id.copyRawTo(words, 0);
        long slot = table.add(a(), b(), words[4]);
        boolean isNew = !table.has(slot, mark << SHIFT);
        table.mark(slot, mark << SHIFT);
        return isNew;
    }

    /// Whether the id has this mark.
    public boolean has(AnyObjectId id, int mark) {
        id.copyRawTo(words, 0);
        long slot = table.find(a(), b(), words[4]);
        return slot >= 0 && table.has(slot, mark << SHIFT);
    }

    private long a() {
        return IdSequence.pair(words[0], words[1]);
    }

    private long b() {
        return IdSequence.pair(words[2], words[3]);
    }
}
