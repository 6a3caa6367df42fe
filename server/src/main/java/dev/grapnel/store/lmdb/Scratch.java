package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.Table;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Memory in which keys and values are handed to LMDB and back; one for all transactions, as there is one at
/// a time.
///
/// It also knows the greatest key of tables whose keys are numbers, while nothing but appending happens to
/// them.
final class Scratch {
    private static final int KEY = 0;
    private static final int VALUE = 16;
    private static final int RESULT = 32;
    private static final int POSTING = 48;
    private static final int STAT = 64;
    private static final int KEY_BYTES = 128;
    private static final int STAT_ENTRIES = 32;

    /// Never freed: LMDB is given addresses, which do not keep memory alive, and there is one engine per
    /// process.
    private final MemorySegment memory = Arena.global().allocate(KEY_BYTES + Table.KEY_BYTES_MAX + 1, 16);
    private final long address = memory.address();

    private final long[] last = new long[Table.values().length];
    private final boolean[] isLastKnown = new boolean[Table.values().length];

    /// Address of a key.
    long key(byte[] key) {
        Raw.setU64(memory, KEY, key.length);
        Raw.setU64(memory, KEY + 8, address + KEY_BYTES);
        MemorySegment.copy(key, 0, memory, ValueLayout.JAVA_BYTE, KEY_BYTES, key.length);
        return address + KEY;
    }

    long key(long key) {
        Raw.setU64(memory, KEY, Long.BYTES);
        Raw.setU64(memory, KEY + 8, address + KEY_BYTES);
        Raw.setBig(memory, KEY_BYTES, key);
        return address + KEY;
    }

    /// Address of a key that LMDB fills in.
    long key() {
        return address + KEY;
    }

    long keyAt() {
        return Raw.u64(memory, KEY + 8);
    }

    int keyBytes() {
        return (int) Raw.u64(memory, KEY);
    }

    byte[] copyOfKey() {
        return Raw.copy(Raw.MEMORY, keyAt(), keyBytes());
    }

    /// Address of a value that LMDB fills in.
    long value() {
        return address + VALUE;
    }

    /// Address of a value for which LMDB is to make room.
    long valueOf(int bytes) {
        Raw.setU64(memory, VALUE, bytes);
        return address + VALUE;
    }

    /// Address of a posting.
    long posting(long high, long low) {
        Raw.setU64(memory, VALUE, SnapshotPostings.BYTES);
        Raw.setU64(memory, VALUE + 8, address + POSTING);
        Raw.setBig(memory, POSTING, high);
        Raw.setBig(memory, POSTING + 8, low);
        return address + VALUE;
    }

    long valueAt() {
        return Raw.u64(memory, VALUE + 8);
    }

    int valueBytes() {
        return (int) Raw.u64(memory, VALUE);
    }

    byte[] copyOfValue() {
        return Raw.copy(Raw.MEMORY, valueAt(), valueBytes());
    }

    long result() {
        return address + RESULT;
    }

    long resultAddress() {
        return Raw.u64(memory, RESULT);
    }

    long stat() {
        return address + STAT;
    }

    long entriesOfStat() {
        return Raw.u64(memory, STAT + STAT_ENTRIES);
    }

    boolean knowsLast(Table table) {
        return isLastKnown[Roots.slot(table)];
    }

    long last(Table table) {
        return last[Roots.slot(table)];
    }

    void setLast(Table table, long key) {
        last[Roots.slot(table)] = key;
        isLastKnown[Roots.slot(table)] = true;
    }

    /// Takes the key that LMDB has filled in. Of a longer or shorter one the next number is taken, which is
    /// not less.
    void setLastFromKey(Table table) {
        long prefix = keyBytes() >= 8 ? Raw.big(Raw.MEMORY, keyAt()) : Raw.prefix(copyOfKey());
        setLast(table, keyBytes() == 8 || prefix == -1 ? prefix : prefix + 1);
    }

    void forgetLast(Table table) {
        isLastKnown[Roots.slot(table)] = false;
    }

    void forgetLasts() {
        Arrays.fill(isLastKnown, false);
    }
}
