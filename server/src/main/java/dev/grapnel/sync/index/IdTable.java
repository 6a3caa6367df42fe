package dev.grapnel.sync.index;

import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.EventId;

/// Ids or keys of 32 bytes, each with an ordinal.
final class IdTable {
    private static final int WORDS = 4;

    private Salt salt;
    private final Cells words;
    private final HashIndex index;
    private int count;

    IdTable(IndexTables tables, String name, Salt salt) {
        this.salt = salt;
        this.words = new Cells(tables, name);
        this.index = new HashIndex(tables, name + "-index", this::hash);
    }

    int count() {
        return count;
    }

    /// The ordinal of an id; -1 if it was never met.
    int find(Word256 id) {
        return index.find(salt.hash(id), ordinal -> isAt(ordinal, id));
    }

    /// The ordinal of an id, which may be new.
    int intern(Word256 id) {
        int known = find(id);
        return known >= 0 ? known : add(id);
    }

    private int add(Word256 id) {
        int ordinal = count;
        count++;
        long at = (long) ordinal * WORDS;
        words.setLong(at, id.a());
        words.setLong(at + 1, id.b());
        words.setLong(at + 2, id.c());
        words.setLong(at + 3, id.d());
        index.add(salt.hash(id), ordinal);
        return ordinal;
    }

    /// What an ordinal stands for.
    <T> T make(int ordinal, Word256.Maker<T> maker) {
        long at = (long) ordinal * WORDS;
        return maker.of(words.getLong(at), words.getLong(at + 1), words.getLong(at + 2), words.getLong(at + 3));
    }

    /// Order of the ids, as [Word256#compare].
    int compare(int left, int right) {
        int order = 0;
        for (int word = 0; word < WORDS && order == 0; word++) {
            order = Long.compareUnsigned(
                    words.getLong((long) left * WORDS + word), words.getLong((long) right * WORDS + word));
        }
        return order;
    }

    /// Order of an ordinal's id and another.
    int compare(int left, Word256 right) {
        return Word256.compare(make(left, EventId::new), right);
    }

    private boolean isAt(int ordinal, Word256 id) {
        long at = (long) ordinal * WORDS;
        return words.getLong(at) == id.a()
                && words.getLong(at + 1) == id.b()
                && words.getLong(at + 2) == id.c()
                && words.getLong(at + 3) == id.d();
    }

    private long hash(int ordinal) {
        long at = (long) ordinal * WORDS;
        return salt.hash(words.getLong(at), words.getLong(at + 1));
    }

    /// What was left can only be found by the hashes it was put by.
    void keep(Kept kept) {
        salt = new Salt(kept.number(salt.secret()));
        count = kept.number(count);
        kept.table(words);
        index.keep(kept);
    }

    long bytes() {
        return words.bytes() + index.bytes();
    }
}
