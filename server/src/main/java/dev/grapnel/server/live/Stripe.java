package dev.grapnel.server.live;

import dev.grapnel.server.live.Registration.Entry;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A part of the index: a hash table whose chains are the entries themselves.
final class Stripe {
    private static final int FIRST_SIZE = 16;

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Entry[] table = new @Nullable Entry[FIRST_SIZE];
    private int size;

    void add(Entry entry) {
        lock.lock();
        try {
            if (size == table.length) {
                resize(size * 2);
            }
            link(entry);
            size++;
        } finally {
            lock.unlock();
        }
    }

    void remove(Entry entry) {
        lock.lock();
        try {
            var previous = entry.previous;
            var next = entry.next;
            if (previous == null) {
                table[slot(entry.key)] = next;
            } else {
                previous.next = next;
            }
            if (next != null) {
                next.previous = previous;
            }
            size--;
            if (table.length > FIRST_SIZE && size < table.length / 8) {
                resize(table.length / 4);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Adds to a list what is registered under a key and was not found in this turn before.
    void find(long key, long turn, List<Registration> found) {
        lock.lock();
        try {
            for (var entry = table[slot(key)]; entry != null; entry = entry.next) {
                if (entry.key == key && entry.registration.isFirst(turn)) {
                    found.add(entry.registration);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void resize(int length) {
        var old = table;
        table = new @Nullable Entry[Math.max(length, FIRST_SIZE)];
        for (var first : old) {
            for (var entry = first; entry != null; ) {
                var next = entry.next;
                link(entry);
                entry = next;
            }
        }
    }

    private void link(Entry entry) {
        int slot = slot(entry.key);
        var first = table[slot];
        entry.previous = null;
        entry.next = first;
        if (first != null) {
            first.previous = entry;
        }
        table[slot] = entry;
    }

    private int slot(long key) {
        return (int) (key >>> 32) & (table.length - 1);
    }

    int size() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }
}
